// The extension and the program together, on an app of several modules.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { makeToken, until } = require("./editor");
const { activate, makeFolder } = require("./fixture");

const program = process.env.TIDELOCK_PROGRAM;

const files = Object.fromEntries(["app.lua", "commands.lua", "spec/app_spec.lua"].map((name) =>
  [name, fs.readFileSync(path.resolve(__dirname, "../app", name), "utf8")]));

/** An editor with an open file of the app, once the program is running. */
async function prepare(t, name = "app.lua") {
  const app = activate(t, makeFolder(t, files), { path: program });
  const document = app.open(name);
  app.editor.show(document);
  await app.running();
  const uri = document.uri.toString();
  return {
    ...app, document, uri, token: makeToken(),
    problems: () => app.editor.problems.get(uri) || [],
    problem: () => until("a problem", () => app.editor.problems.get(uri)?.[0]),
  };
}

const namesOf = (locations) =>
  [...new Set(locations.map(({ uri }) => uri.path.split("/").pop()))].sort();

test("a mistake is reported while it is typed, and gone after its quick fix", async (t) => {
  const { editor, document, token, problem, problems } = await prepare(t);
  editor.replace(document, "fruit.name | uppercase", "fruit.nam | uppercase");
  const found = await problem();
  assert.match(found.message, /did you mean "name"/);
  assert.equal(found.source, "tidelock");
  assert.equal(found.range.start.line, 8);
  const actions = await editor.provider("codeActions").provideCodeActions(
    document, found.range, { diagnostics: [found], triggerKind: 1 }, token);
  const [fix] = actions;
  await editor.provider("codeActions").resolveCodeAction?.(fix, token);
  const [step] = fix.edit.steps;
  const line = document.text.split("\n")[step.range.start.line];
  const fixed = line.slice(0, step.range.start.character) + step.text
    + line.slice(step.range.end.character);
  editor.replace(document, line, fixed);
  assert.match(document.text, /"fruit\.name \| uppercase"/);
  await until("the end of the problem", () => problems().length === 0);
});

test("paths complete inside strings, with documentation", async (t) => {
  const { editor, document, token } = await prepare(t);
  editor.replace(document, "fruit.name | uppercase", "fruit.");
  const position = document.positionOf("\"fruit.\"", 7);
  const list = await editor.provider("completion").provideCompletionItems(
    document, position, token, { triggerKind: 1, triggerCharacter: "." });
  const labels = list.items.map(({ label }) => label.label || label);
  assert.ok(labels.includes("name") && labels.includes("price"), labels.join(" "));
});

test("a path leads to its property, and a member to its module", async (t) => {
  const { editor, document, token } = await prepare(t);
  const provider = editor.provider("definition");
  const [property] = await provider.provideDefinition(
    document, document.positionOf("fruit.name | upper", 7), token);
  const target = (found) => [
    (found.targetUri || found.uri).path.split("/").pop(),
    (found.targetSelectionRange || found.range).start.line,
  ];
  assert.deepEqual(target(property), ["app.lua", 3]);
  const [member] = await provider.provideDefinition(
    document, document.positionOf("commands.ripen", 9), token);
  assert.deepEqual(target(member), ["commands.lua", 3]);
});

test("references and a rename reach strings, Lua and specs", async (t) => {
  const { editor, document, token } = await prepare(t);
  const position = document.positionOf("fruit.name | upper", 7);
  const references = await editor.provider("references").provideReferences(
    document, position, { includeDeclaration: true }, token);
  assert.deepEqual(namesOf(references), ["app.lua", "app_spec.lua", "commands.lua"]);
  const edit = await editor.provider("rename").provideRenameEdits(document, position, "label", token);
  assert.equal(edit.steps.length, references.length);
  assert.ok(edit.steps.every(({ text }) => text === "label"));
});

test("hover, symbols, folding, tokens and selections return something", async (t) => {
  const { editor, document, token } = await prepare(t);
  const position = document.positionOf("fruit.name | upper", 7);
  const hover = await editor.provider("hover").provideHover(document, position, token);
  assert.match(hover.contents.map(({ value }) => value).join("\n"), /string/);
  const symbols = await editor.provider("documentSymbols").provideDocumentSymbols(document, token);
  assert.ok(symbols.some(({ name }) => name.includes("fruit")), symbols.map(({ name }) => name).join());
  const folds = await editor.provider("folding").provideFoldingRanges(document, {}, token);
  assert.ok(folds.some(({ start }) => start === 2));
  const tokens = await editor.provider("semanticTokens").provideDocumentSemanticTokens(document, token);
  assert.ok(tokens.data.length > 0 && tokens.data.length % 5 === 0);
  const [selection] = await editor.provider("selectionRanges").provideSelectionRanges(document, [position], token);
  assert.deepEqual({ ...selection.range.start }, { line: 8, character: document.positionOf("fruit.name | upper", 6).character });
  const found = await editor.provider("workspaceSymbols").provideWorkspaceSymbols("ripen", token);
  assert.ok(found.some(({ location }) => location.uri.path.endsWith("commands.lua")));
});

test("the lens of a test runs it", async (t) => {
  const { editor, document, token } = await prepare(t, "spec/app_spec.lua");
  const provider = editor.provider("codeLenses");
  const lenses = await provider.provideCodeLenses(document, token);
  const resolved = await Promise.all(lenses.map((lens) =>
    (lens.command ? lens : provider.resolveCodeLens(lens, token))));
  const lens = resolved.find(({ command, range }) =>
    command.command === "tidelock.runTest" && range.start.line === 1);
  await editor.vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments);
  const { process, args, options } = editor.tasks[0].execution;
  const output = require("node:child_process").execFileSync(process, args, { cwd: options.cwd, encoding: "utf8" });
  assert.match(output, /1 success/);
});

test("the preview shows the views of the text as it is", async (t) => {
  const { editor, document } = await prepare(t);
  await editor.vscode.commands.executeCommand("tidelock.openPreview");
  const [panel] = editor.panels;
  panel.send({ type: "ready" });
  const shown = (text) => until(text, () => panel.posted.find(({ svg }) => svg && svg.includes(text)));
  const { views } = await shown("APPLE");
  const label = views.find(({ range }) => range && range.start.line === 8);
  assert.ok(label.width > 0 && label.height > 0);
  editor.replace(document, "\"apple\"", "\"plum\"");
  await shown("PLUM");
});

test("the program ends when the editor does", async (t) => {
  const { api, extension } = await prepare(t);
  const { process } = api.client;
  const end = new Promise((resolve) => process.once("exit", (code) => resolve(code)));
  await extension.deactivate();
  assert.equal(await end, 0);
});
