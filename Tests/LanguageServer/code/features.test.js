"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { makeToken, until } = require("./editor");
const { withScript } = require("./fixture");

const range = (line, start, end) => ({ start: { line, character: start }, end: { line, character: end } });
const uri = "file:///app/commands.lua";
const text = "local c = require(\"commands\")\nreturn view.label { bindTo = { text = \"fruit.name\" } }\n";
const range0 = range(0, 0, 4);

const script = {
  capabilities: {
    completionProvider: { triggerCharacters: [".", ":"], resolveProvider: true },
    hoverProvider: true,
    signatureHelpProvider: { triggerCharacters: ["("] },
    definitionProvider: true,
    referencesProvider: true,
    documentHighlightProvider: true,
    renameProvider: { prepareProvider: true },
    documentSymbolProvider: true,
    workspaceSymbolProvider: true,
    callHierarchyProvider: true,
    semanticTokensProvider: { legend: { tokenTypes: ["property"], tokenModifiers: [] }, full: { delta: true } },
    foldingRangeProvider: true,
    selectionRangeProvider: true,
    inlayHintProvider: true,
    codeLensProvider: { resolveProvider: true },
    codeActionProvider: { codeActionKinds: ["quickfix"], resolveProvider: true },
    executeCommandProvider: { commands: ["tidelock.preview", "tidelock.evaluate"] },
  },
  answers: {
    "textDocument/completion": {
      isIncomplete: true,
      items: [
        { label: "name", kind: 10, sortText: "1", data: 7, textEdit: { range: range(1, 45, 49), newText: "name" } },
        { label: "each", kind: 3, insertText: "each($1)", insertTextFormat: 2, labelDetails: { detail: "(f)" } },
      ],
    },
    "completionItem/resolve": { label: "name", documentation: { kind: "markdown", value: "**a name**" } },
    "textDocument/hover": { contents: { kind: "markdown", value: "`string`" }, range: range(1, 45, 49) },
    "textDocument/signatureHelp": {
      signatures: [{ label: "bind(text, target)", parameters: [{ label: [5, 9] }, { label: "target" }] }],
      activeSignature: 0, activeParameter: 1,
    },
    "textDocument/definition": [{ targetUri: uri, targetRange: range(2, 0, 9), targetSelectionRange: range(2, 3, 5) }],
    "textDocument/references": [{ uri, range: range(4, 1, 2) }],
    "textDocument/documentHighlight": [{ range: range(1, 45, 49), kind: 2 }, { range: range(0, 0, 1) }],
    "textDocument/prepareRename": { range: range(1, 45, 49), placeholder: "name" },
    "textDocument/rename": {
      documentChanges: [
        { textDocument: { uri, version: null }, edits: [{ range: range(0, 0, 1), newText: "title" }] },
        { kind: "rename", oldUri: uri, newUri: "file:///app/other.lua" },
      ],
    },
    "textDocument/documentSymbol": [{
      name: "fruit", kind: 5, range: range(0, 0, 9), selectionRange: range(0, 0, 5),
      children: [{ name: "name", kind: 7, range: range(0, 1, 2), selectionRange: range(0, 1, 2) }],
    }],
    "workspace/symbol": [{ name: "save", kind: 12, location: { uri, range: range(3, 0, 4) } }],
    "textDocument/prepareCallHierarchy": [{
      name: "save", kind: 12, uri, range: range(0, 0, 1), selectionRange: range(0, 0, 1), data: { id: 9 },
    }],
    "callHierarchy/incomingCalls": [{
      from: { name: "press", kind: 12, uri, range: range(5, 0, 1), selectionRange: range(5, 0, 1) },
      fromRanges: [range(6, 0, 4)],
    }],
    "textDocument/semanticTokens/full": { resultId: "1", data: [1, 45, 4, 0, 0] },
    "textDocument/semanticTokens/full/delta": { resultId: "2", edits: [{ start: 0, deleteCount: 5, data: [] }] },
    "textDocument/foldingRange": [{ startLine: 0, endLine: 3, kind: "comment" }],
    "textDocument/selectionRange": [{ range: range(1, 45, 49), parent: { range: range(1, 38, 50) } }],
    "textDocument/inlayHint": [{ position: { line: 1, character: 49 }, label: [{ value: "= " }, { value: "\"fig\"" }], kind: 1 }],
    "textDocument/codeLens": [{ range: range(0, 0, 1), data: 3 }],
    "codeLens/resolve": {
      range: range(0, 0, 1),
      command: { title: "2 bindings", command: "tidelock.showReferences", arguments: [uri, { line: 0, character: 0 }, [{ uri, range: range(4, 1, 2) }]] },
    },
    "textDocument/codeAction": [{ title: "Change to \"name\"", kind: "quickfix", isPreferred: true, data: 5 }],
    "codeAction/resolve": { title: "x", edit: { changes: { [uri]: [{ range: range(0, 0, 1), newText: "name" }] } } },
    "workspace/executeCommand": { value: "fig" },
  },
};

/** An editor with a document that the server knows. */
async function prepare(t, changes = {}) {
  const app = await withScript(t, { ...script, ...changes, answers: { ...script.answers, ...changes.answers } }, { files: { "app.lua": text } });
  const document = app.open("app.lua");
  await app.message("textDocument/didOpen");
  return { ...app, document, position: document.positionOf("name", 1), token: makeToken() };
}

const plain = (value) => JSON.parse(JSON.stringify(value));

test("completion shows items, and documents the selected one", async (t) => {
  const { editor, document, position, token, message } = await prepare(t);
  const registration = editor.providers.completion[0];
  assert.deepEqual(registration.values.slice(2), [".", ":"]);
  const list = await registration.provider.provideCompletionItems(
    document, position, token, { triggerKind: 1, triggerCharacter: "." });
  assert.equal(list.isIncomplete, true);
  const { params } = await message("textDocument/completion");
  assert.deepEqual(params.position, { line: 1, character: position.character });
  assert.deepEqual(params.context, { triggerKind: 2, triggerCharacter: "." });
  const [name, each] = list.items;
  assert.equal(name.kind, 9);
  assert.deepEqual(plain(name.range), range(1, 45, 49));
  assert.equal(each.insertText.value, "each($1)");
  assert.deepEqual(plain(each.label), { label: "each", detail: "(f)" });
  const resolved = await registration.provider.resolveCompletionItem(name, token);
  assert.equal(resolved.documentation.value, "**a name**");
  assert.deepEqual(plain(resolved.range), range(1, 45, 49));
  assert.equal((await message("completionItem/resolve")).params.data, 7);
});

test("hover, signature, definition, references and highlights", async (t) => {
  const { editor, document, position, token } = await prepare(t);
  const hover = await editor.provider("hover").provideHover(document, position, token);
  assert.equal(hover.contents[0].value, "`string`");
  const help = await editor.provider("signatureHelp").provideSignatureHelp(
    document, position, token, { triggerKind: 2, triggerCharacter: "(", isRetrigger: false });
  assert.equal(help.activeParameter, 1);
  assert.deepEqual(help.signatures[0].parameters[0].label, [5, 9]);
  const [link] = await editor.provider("definition").provideDefinition(document, position, token);
  assert.equal(link.targetUri.toString(), uri);
  assert.deepEqual(plain(link.targetSelectionRange), range(2, 3, 5));
  const [location] = await editor.provider("references").provideReferences(
    document, position, { includeDeclaration: true }, token);
  assert.deepEqual(plain(location.range), range(4, 1, 2));
  const highlights = await editor.provider("highlights").provideDocumentHighlights(
    document, position, token);
  assert.deepEqual(highlights.map(({ kind }) => kind), [1, 0]);
});

test("renaming begins with what is renamed, and changes files", async (t) => {
  const { editor, document, position, token } = await prepare(t);
  const provider = editor.provider("rename");
  const { placeholder } = await provider.prepareRename(document, position, token);
  assert.equal(placeholder, "name");
  const edit = await provider.provideRenameEdits(document, position, "title", token);
  assert.equal(edit.steps[0].text, "title");
  assert.deepEqual(edit.steps[1], { rename: uri, to: "file:///app/other.lua" });
});

test("a failed rename shows the reason", async (t) => {
  const { editor, document, position, token } = await prepare(t, {
    answers: { "textDocument/prepareRename": null, "textDocument/rename": { $error: { code: -32602, message: "\"end\" is a keyword" } } },
  });
  const provider = editor.provider("rename");
  await assert.rejects(provider.prepareRename(document, position, token), /cannot be renamed/);
  await assert.rejects(provider.provideRenameEdits(document, position, "end", token), /is a keyword/);
});

test("symbols of documents and of the workspace", async (t) => {
  const { editor, document, token } = await prepare(t);
  const [fruit] = await editor.provider("documentSymbols").provideDocumentSymbols(document, token);
  assert.equal(fruit.kind, 4);
  assert.equal(fruit.children[0].name, "name");
  const [save] = await editor.provider("workspaceSymbols").provideWorkspaceSymbols("sa", token);
  assert.equal(save.location.uri.toString(), uri);
});

test("calls are requested with the server's own item", async (t) => {
  const { editor, document, position, token, message } = await prepare(t);
  const provider = editor.provider("callHierarchy");
  const [save] = await provider.prepareCallHierarchy(document, position, token);
  const [call] = await provider.provideCallHierarchyIncomingCalls(save, token);
  assert.equal(call.from.name, "press");
  assert.deepEqual(plain(call.fromRanges[0]), range(6, 0, 4));
  assert.deepEqual((await message("callHierarchy/incomingCalls")).params.item.data, { id: 9 });
});

test("tokens, and changes to them", async (t) => {
  const { editor, document, token, message } = await prepare(t);
  const provider = editor.provider("semanticTokens");
  const tokens = await provider.provideDocumentSemanticTokens(document, token);
  assert.deepEqual([...tokens.data], [1, 45, 4, 0, 0]);
  const edits = await provider.provideDocumentSemanticTokensEdits(document, tokens.resultId, token);
  assert.equal(edits.edits[0].deleteCount, 5);
  assert.equal((await message("textDocument/semanticTokens/full/delta")).params.previousResultId, "1");
});

test("folding, selections, hints", async (t) => {
  const { editor, document, position, token } = await prepare(t);
  const [fold] = await editor.provider("folding").provideFoldingRanges(document, {}, token);
  assert.deepEqual(plain(fold), { start: 0, end: 3, kind: 1 });
  const [selection] = await editor.provider("selectionRanges").provideSelectionRanges(document, [position], token);
  assert.deepEqual(plain(selection.parent.range), range(1, 38, 50));
  const [hint] = await editor.provider("inlayHints").provideInlayHints(document, range(0, 0, 9), token);
  assert.equal(hint.label.map(({ value }) => value).join(""), "= \"fig\"");
});

test("hints, lenses and tokens are requested again when the server says so", async (t) => {
  const { editor, document } = await prepare(t, {
    after: { "textDocument/didSave": ["inlayHint", "codeLens", "semanticTokens"].map((name) => ({
      id: name, method: `workspace/${name}/refresh`, params: null,
    })) },
  });
  const fired = [];
  for (const [name, event] of [["inlayHints", "onDidChangeInlayHints"], ["codeLenses", "onDidChangeCodeLenses"], ["semanticTokens", "onDidChangeSemanticTokens"]]) {
    editor.provider(name)[event](() => fired.push(name));
  }
  editor.save(document);
  await until("all refreshes", () => fired.length === 3);
});

test("a lens of references shows them", async (t) => {
  const { editor, document, token } = await prepare(t);
  const provider = editor.provider("codeLenses");
  const [lens] = await provider.provideCodeLenses(document, token);
  const { command } = await provider.resolveCodeLens(lens, token);
  assert.equal(command.title, "2 bindings");
  await editor.vscode.commands.executeCommand(command.command, ...command.arguments);
  const [, shownUri, , locations] = editor.executed.find(([name]) => name === "editor.action.showReferences");
  assert.equal(shownUri.toString(), uri);
  assert.deepEqual(plain(locations[0].range), range(4, 1, 2));
});

test("quick fixes get the problems as the server sent them, and an edit when chosen", async (t) => {
  const { editor, document, token, message } = await prepare(t);
  const { provider, values } = editor.providers.codeActions[0];
  assert.equal(values[2].providedCodeActionKinds[0].value, "quickfix");
  const problem = { range: range(1, 45, 49), message: "no", data: { near: "name" } };
  const [fix] = await provider.provideCodeActions(document, range(1, 45, 49), {
    diagnostics: [{ problem }, { message: "another server's" }], only: undefined, triggerKind: 1,
  }, token);
  assert.deepEqual((await message("textDocument/codeAction")).params.context.diagnostics, [problem]);
  assert.equal(fix.isPreferred, true);
  await provider.resolveCodeAction(fix, token);
  assert.equal(fix.edit.steps[0].text, "name");
});

test("commands of the server that the editor does not have go to the server", async (t) => {
  const { editor, message } = await prepare(t);
  assert.deepEqual(await editor.vscode.commands.executeCommand("tidelock.evaluate", "1 + 1"), { value: "fig" });
  assert.deepEqual((await message("workspace/executeCommand")).params, { command: "tidelock.evaluate", arguments: ["1 + 1"] });
});

test("nothing is requested about documents that the server does not know", async (t) => {
  const { editor, document, position, token, received, folder } = await prepare(t);
  editor.close(document);
  assert.equal(await editor.provider("hover").provideHover(document, position, token), undefined);
  await editor.provider("workspaceSymbols").provideWorkspaceSymbols("", token);
  assert.equal(received("textDocument/hover").length, 0);
  assert.ok(folder);
});

test("a cancelled request is cancelled at the server, and returns nothing", async (t) => {
  const { editor, document, position, token, message } = await prepare(t, { answers: { "textDocument/hover": { $never: true } } });
  const question = editor.provider("hover").provideHover(document, position, token);
  const asked = await message("textDocument/hover");
  token.cancel();
  assert.equal(await question, undefined);
  assert.equal((await message("$/cancelRequest")).params.id, asked.id);
  assert.deepEqual(editor.output, []);
});

test("an error of the server is logged and shows nothing", async (t) => {
  const { editor, document, position, token } = await prepare(t, { answers: { "textDocument/hover": { $error: { code: -32603, message: "a fault" } } } });
  assert.equal(await editor.provider("hover").provideHover(document, position, token), undefined);
  assert.deepEqual(editor.output, ["textDocument/hover: a fault"]);
});

test("providers are removed with the server and come back with the next", async (t) => {
  const app = await prepare(t);
  await app.api.client.restart();
  for (const [name, registrations] of Object.entries(app.editor.providers)) {
    assert.equal(registrations.length, 1, name);
  }
  await app.extension.deactivate();
  for (const [name, registrations] of Object.entries(app.editor.providers)) {
    assert.equal(registrations.length, 0, name);
  }
});

test("only what the server can do is registered", async (t) => {
  const { editor } = await prepare(t, { capabilities: { hoverProvider: true } });
  assert.deepEqual(Object.keys(editor.providers), ["hover"]);
});

test("a test runs from its saved file, by its name taken literally", async (t) => {
  const { editor, document, folder } = await prepare(t);
  editor.replace(document, "fruit", "plum");
  await editor.vscode.commands.executeCommand(
    "tidelock.runTest", { file: document.uri.toString(), name: "costs 5.0 (net)", line: 3 });
  const { process, args, options } = editor.tasks[0].execution;
  assert.equal(process, editor.settings.path);
  assert.deepEqual(args, ["test", document.uri.fsPath, "--filter", "costs 5%.0 %(net%)"]);
  assert.equal(options.cwd, folder);
  assert.equal(document.isDirty, false);
});
