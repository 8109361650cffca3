"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { until } = require("./editor");
const { activate, makeFolder, withScript } = require("./fixture");

test("a document of an app starts the server, one of something else does not", async (t) => {
  const app = await withScript(t, {}, { files: { "app.lua": "", "other.lua": "" } });
  const elsewhere = makeFolder(t, { "init.lua": "", "led.lua": "", ".luarc.json": "{}" });
  app.editor.open(path.join(elsewhere, "init.lua"));
  app.editor.open(path.join(app.folder, "readme.txt"), "plaintext");
  assert.equal(app.api.client.state, "stopped");
  const document = app.open("other.lua");
  await app.running();
  const opened = await app.message("textDocument/didOpen");
  assert.equal(opened.params.textDocument.uri, document.uri.toString());
  assert.deepEqual(app.starts()[0].started, ["lsp"]);
  fs.writeFileSync(path.join(elsewhere, ".luarc.json"), `{"workspace.library": [".tidelock"]}`);
  app.editor.open(path.join(elsewhere, "led.lua"));
  await app.message("textDocument/didOpen", 2);
});

test("initialize sends the capabilities and the folder", async (t) => {
  const app = await withScript(t, {}, { settings: { live: false, arguments: ["--allow", "net"] } });
  app.open("app.lua");
  const { params } = await app.message("initialize");
  assert.deepEqual(params.capabilities.general.positionEncodings, ["utf-16"]);
  assert.equal(params.workspaceFolders[0].uri, `file://${app.folder}`);
  assert.equal(params.processId, process.pid);
  assert.deepEqual(params.initializationOptions, { live: false });
  await app.message("initialized");
  assert.deepEqual(app.starts()[0].started, ["lsp", "--allow", "net"]);
});

test("the server is notified of each edit, save and close", async (t) => {
  const app = await withScript(t, {}, { files: { "app.lua": "local ü = 1\nreturn ü\n" } });
  const document = app.open("app.lua");
  await app.message("textDocument/didOpen");
  app.editor.replace(document, "return ü", "return 2");
  app.editor.save(document);
  app.editor.close(document);
  const { params } = await app.message("textDocument/didChange");
  assert.equal(params.textDocument.version, 2);
  assert.deepEqual(params.contentChanges, [{
    range: { start: { line: 1, character: 0 }, end: { line: 1, character: 8 } },
    rangeLength: 8, text: "return 2",
  }]);
  await app.message("textDocument/didSave");
  await app.message("textDocument/didClose");
});

test("problems are shown, and go when the server ends", async (t) => {
  const problem = {
    range: { start: { line: 0, character: 7 }, end: { line: 0, character: 11 } },
    severity: 2, code: "E0601", source: "tidelock", message: "there is none", tags: [1],
    data: { fix: 1 },
  };
  const app = await withScript(t, {
    after: { "textDocument/didOpen": [{
      method: "textDocument/publishDiagnostics",
      params: { uri: "file:///app/app.lua", diagnostics: [problem] },
    }] },
  });
  app.open("app.lua");
  await until("a problem", () => app.editor.problems.size > 0);
  const [shown] = app.editor.problems.get("file:///app/app.lua");
  assert.equal(shown.severity, 1);
  assert.equal(shown.code, "E0601");
  assert.deepEqual(shown.tags, [1]);
  assert.deepEqual({ ...shown.range.start }, { line: 0, character: 7 });
  await app.api.client.stop();
  assert.equal(app.editor.problems.size, 0);
});

test("a server that crashes is restarted and gets the open documents", async (t) => {
  const app = await withScript(t, { after: { "textDocument/didSave": [{ $exit: 3 }] } });
  const document = app.open("app.lua");
  await app.running();
  app.editor.replace(document, "view.label", "view.field");
  app.editor.save(document);
  await until("a second start", () => app.starts().length === 2);
  const opened = await app.message("textDocument/didOpen", 2);
  assert.match(opened.params.textDocument.text, /view\.field/);
  assert.equal(app.api.client.state, "running");
});

test("one that always crashes is given up, and the user may start it again", async (t) => {
  const app = await withScript(t, { answers: { initialize: null }, after: { initialized: [{ $exit: 1 }] } });
  app.open("app.lua");
  await until("the end", () => app.api.client.state === "failed", 40);
  assert.equal(app.starts().length, 5);
  assert.match(app.editor.messages[0].message, /has failed: it has ended 5 times/);
  assert.match(app.editor.status.text, /error/);
  await app.editor.vscode.commands.executeCommand("tidelock.restart");
  await until("another start", () => app.starts().length === 6);
});

test("a missing program is reported with the setting that names it", async (t) => {
  const folder = makeFolder(t, { "app.lua": "" });
  const app = activate(t, folder, { path: path.join(folder, "none") });
  app.open("app.lua");
  await until("a failure", () => app.api.client.state === "failed");
  assert.match(app.editor.messages[0].message, /there is no program .*none; the setting tidelock\.path/);
});

test("stopping asks the server to end", async (t) => {
  const app = await withScript(t, {});
  app.open("app.lua");
  await app.running();
  await app.extension.deactivate();
  assert.equal(app.received("shutdown").length, 1);
  assert.equal(app.received("exit").length, 1);
  assert.equal(app.starts().length, 1);
  assert.equal(app.api.client.state, "stopped");
});

test("a server that does not end is killed", async (t) => {
  const app = await withScript(t, { answers: { shutdown: { $never: true } } });
  app.open("app.lua");
  await app.running();
  const before = Date.now();
  await app.api.client.stop();
  assert.ok(Date.now() - before >= 1900);
  assert.equal(app.api.client.state, "stopped");
});

test("the server may ask for settings, edits, documents and files to watch", async (t) => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 6 } };
  const asked = [
    ["workspace/configuration", { items: [{ section: "tidelock" }] }],
    ["workspace/applyEdit", { edit: { changes: { "file:///a.lua": [{ range, newText: "x" }] } } }],
    ["window/showDocument", { uri: "file:///a.lua", selection: range }],
    ["client/registerCapability", { registrations: [{
      id: "files", method: "workspace/didChangeWatchedFiles",
      registerOptions: { watchers: [{ globPattern: "**/*.lua" }] },
    }] }],
    ["no/such", {}],
  ];
  const app = await withScript(t, {
    after: { "textDocument/didOpen": asked.map(([method, params], index) => ({ id: `q${index}`, method, params })) },
  });
  app.open("app.lua");
  const answers = await until("all answers", () => {
    const found = app.messages().filter(({ id }) => typeof id === "string");
    return found.length === asked.length && new Map(found.map((answer) => [answer.id, answer]));
  });
  assert.equal(answers.get("q0").result[0].live, true);
  assert.deepEqual(answers.get("q1").result, { applied: true });
  assert.equal(app.editor.edits[0].steps[0].text, "x");
  assert.deepEqual(answers.get("q2").result, { success: true });
  assert.equal(app.editor.shown[0].uri, "file:///a.lua");
  assert.equal(answers.get("q4").error.code, -32601);
  const [watcher] = app.editor.watchers;
  assert.equal(watcher.pattern, "**/*.lua");
  watcher.deleted.fire(app.editor.vscode.Uri.parse("file:///b.lua"));
  const changed = await app.message("workspace/didChangeWatchedFiles");
  assert.deepEqual(changed.params.changes, [{ uri: "file:///b.lua", type: 3 }]);
  await app.api.client.stop();
  assert.equal(watcher.isDisposed, true);
});

test("changed settings take effect: another program, and live values", async (t) => {
  const app = await withScript(t, {});
  app.open("app.lua");
  await app.running();
  app.editor.settings.live = false;
  app.editor.events.configuration.fire({ affectsConfiguration: (name) => ["tidelock", "tidelock.live"].includes(name) });
  const { params } = await app.message("workspace/didChangeConfiguration");
  assert.deepEqual(params.settings, { tidelock: { live: false } });
  assert.equal(app.starts().length, 1);
  app.editor.events.configuration.fire({ affectsConfiguration: (name) => ["tidelock", "tidelock.path"].includes(name) });
  await until("a second start", () => app.starts().length === 2);
});

test("assistants are offered the server of the program that is set", async (t) => {
  const app = activate(t, makeFolder(t), { path: "/opt/tidelock" });
  const [{ id, provider }] = app.editor.assistants;
  assert.equal(id, "tidelock");
  const { label, command, args } = provider.provideMcpServerDefinitions()[0];
  assert.deepEqual({ label, command, args }, {
    label: "Tidelock", command: "/opt/tidelock", args: ["mcp"],
  });
});

test("an editor that knows nothing of assistants goes without", async (t) => {
  const app = activate(t, makeFolder(t), {}, (editor) => delete editor.vscode.lm);
  assert.ok(app.editor.commands.has("tidelock.start"));
});

test("the manifest and the code agree", async (t) => {
  const { extensionFolder } = require("./editor");
  const manifest = JSON.parse(fs.readFileSync(path.join(extensionFolder, "package.json"), "utf8"));
  const app = activate(t, makeFolder(t), {});
  for (const { command } of manifest.contributes.commands) {
    assert.ok(app.editor.commands.has(command), `${command} is not registered`);
  }
  const code = fs.readdirSync(extensionFolder).filter((name) => name.endsWith(".js"))
    .map((name) => fs.readFileSync(path.join(extensionFolder, name), "utf8")).join("\n");
  // What an editor offers to assistants.
  const ids = manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id);
  assert.deepEqual(ids, app.editor.assistants.map(({ id }) => id));
  for (const name of Object.keys(manifest.contributes.configuration.properties)) {
    assert.ok(code.includes(`"${name.slice("tidelock.".length)}"`), `nobody reads ${name}`);
  }
  // Each required module is in the folder or part of the editor.
  for (const [, name] of code.matchAll(/require\("([^"]+)"\)/g)) {
    const isThere = name.startsWith("./")
      ? fs.existsSync(path.join(extensionFolder, `${name}.js`))
      : name === "vscode" || require("node:module").builtinModules.includes(name);
    assert.ok(isThere, `${name} is not there`);
  }
});
