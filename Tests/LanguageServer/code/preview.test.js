"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { loadExtension, makeEditor, until } = require("./editor");
const { withScript } = require("./fixture");

const range = (line, start, end, endLine = line) =>
  ({ start: { line, character: start }, end: { line: endLine, character: end } });
const text = "return view.column {\n  view.label { text = \"a\" },\n  view.field {},\n}\n";

/** An editor with the preview of a document open, and its page ready. */
async function prepare(t, changes = {}) {
  const app = await withScript(t, {}, { files: { "app.lua": text } });
  // The drawing names the document, whose folder is new for each test.
  const uri = `file://${app.folder}/app.lua`;
  const views = [
    { x: 0, y: 0, width: 100, height: 50, uri, range: range(0, 7, 1, 3) },
    { x: 0, y: 0, width: 100, height: 20, uri, range: range(1, 2, 27) },
    { x: 0, y: 20, width: 100, height: 20, uri, range: range(2, 2, 15) },
  ];
  const document = app.open("app.lua");
  app.editor.show(document);
  await app.running();
  const asked = [];
  app.api.client.request = async (method, params) => {
    asked.push({ method, params });
    if (changes.wait) await changes.wait();
    return changes.answer ? changes.answer(asked.length) : { svg: "<svg/>", views };
  };
  await app.editor.vscode.commands.executeCommand("tidelock.openPreview");
  const [panel] = app.editor.panels;
  panel.send({ type: "ready" });
  return { ...app, uri, views, document, asked, panel };
}

const posts = (panel, count) => until(`${count} messages to the page`, () => panel.posted.length >= count && panel.posted);

test("the views are drawn, and the one at the cursor is framed", async (t) => {
  const { panel, asked, uri, views, editor, document } = await prepare(t);
  const [shown] = await posts(panel, 1);
  assert.deepEqual(asked[0], {
    method: "tidelock/preview",
    params: { textDocument: { uri }, position: { line: 0, character: 0 } },
  });
  assert.deepEqual(shown, { type: "show", svg: "<svg/>", views, message: undefined, index: -1 });
  editor.select(document, document.positionOf("field"));
  assert.deepEqual((await posts(panel, 2))[1], { type: "mark", index: 2 });
  editor.select(document, document.positionOf("column", 6));
  assert.deepEqual((await posts(panel, 3))[2], { type: "mark", index: 0 });
});

test("a click leads to the view's line, in the editor that shows it", async (t) => {
  const { panel, editor, uri } = await prepare(t);
  await posts(panel, 1);
  panel.send({ type: "choose", index: 1 });
  const [shown] = editor.shown;
  assert.equal(shown.uri, uri);
  assert.equal(shown.options.viewColumn, 1);
  assert.deepEqual({ ...shown.options.selection.start }, { line: 1, character: 2 });
});

test("it follows changes, and sends one request for all that come during another", async (t) => {
  let open;
  const gate = new Promise((resolve) => (open = resolve));
  const { panel, asked, api, uri } = await prepare(t, { wait: () => gate });
  for (let count = 0; count < 5; count += 1) {
    api.client.receive("tidelock/previewChanged", { uri });
  }
  api.client.receive("tidelock/previewChanged", { uri: "file:///another.lua" });
  assert.equal(asked.length, 1);
  open();
  await posts(panel, 2);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(asked.length, 2);
});

test("while a text cannot be run the drawing stays, with the message above", async (t) => {
  const { panel, api, uri, editor, document } = await prepare(t, {
    answer: (count) => (count === 1 ? { svg: "<svg/>", views: [] } : { message: "app.lua:1: no" }),
  });
  await posts(panel, 1);
  api.client.receive("tidelock/previewChanged", { uri });
  const shown = (await posts(panel, 2))[1];
  assert.equal(shown.svg, undefined);
  assert.equal(shown.message, "app.lua:1: no");
  editor.select(document, document.positionOf("field"));
});

test("opening it twice shows the same panel, and a closed one is made again", async (t) => {
  const { editor, panel } = await prepare(t);
  await editor.vscode.commands.executeCommand("tidelock.openPreview");
  assert.equal(editor.panels.length, 1);
  panel.dispose();
  await editor.vscode.commands.executeCommand("tidelock.preview", { uri: editor.documents[0].uri.toString() });
  assert.equal(editor.panels.length, 2);
});

test("the page runs only its own script", async (t) => {
  const { panel } = await prepare(t);
  const { html } = panel.webview;
  const nonce = /script-src 'nonce-([^']+)'/.exec(html)[1];
  assert.match(html, /default-src 'none'/);
  assert.equal(html.split(`nonce="${nonce}"`).length, 2);
  assert.ok(!/ on[a-z]+=/.test(html));
});

test("a new server gets a new request", async (t) => {
  const { panel, api, asked } = await prepare(t);
  await posts(panel, 1);
  await api.client.restart();
  await until("another question", () => asked.length > 1);
});

test("the innermost view has the cursor", () => {
  const { viewAt } = loadExtension(makeEditor(), "preview.js");
  const views = [
    { uri: "a", range: range(0, 0, 9, 9) }, { uri: "a", range: range(2, 0, 9, 4) },
    { uri: "b", range: range(3, 0, 9) }, { uri: "a" },
  ];
  assert.equal(viewAt(views, "a", { line: 3, character: 1 }), 1);
  assert.equal(viewAt(views, "a", { line: 8, character: 0 }), 0);
  assert.equal(viewAt(views, "a", { line: 9, character: 10 }), -1);
  assert.equal(viewAt(views, "c", { line: 3, character: 1 }), -1);
});
