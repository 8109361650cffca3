// Tidelock for Visual Studio Code: starts `tidelock lsp` and hands its answers to the editor.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("./client");
const { evaluateSelection, registerServerCommands, runTest, showReferences } = require("./commands");
const convert = require("./convert");
const { Documents } = require("./documents");
const { Features } = require("./features");
const { Previews } = require("./preview");

let client;

/** What the status bar shows for each state of the server. */
const states = {
  starting: { text: "$(sync~spin) Tidelock", tooltip: "Tidelock's language server starts" },
  running: { text: "$(check) Tidelock", tooltip: "Tidelock's language server runs" },
  stopped: { text: "$(circle-slash) Tidelock", tooltip: "Tidelock's language server does not run" },
  failed: { text: "$(error) Tidelock", tooltip: "Tidelock's language server has failed" },
};

function activate(context) {
  const output = vscode.window.createOutputChannel("Tidelock");
  const diagnostics = vscode.languages.createDiagnosticCollection("tidelock");
  const status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Right, 100);
  status.command = "tidelock.showOutput";
  const documents = new Documents();
  context.subscriptions.push(output, diagnostics, status);

  const commands = {
    "tidelock.runTest": runTest,
    "tidelock.showReferences": showReferences,
    "tidelock.preview": (argument) => openPreview(argument),
    "tidelock.openPreview": () => openPreview(),
    "tidelock.evaluateSelection": () => evaluateSelection(client),
    "tidelock.start": () => startForCurrent(),
    "tidelock.restart": () => client.restart(),
    "tidelock.showOutput": () => output.show(true),
  };

  client = new LanguageClient({
    output,
    onState: (state, message) => {
      Object.assign(status, states[state]);
      if (message) status.tooltip += `: ${message}`;
      status.show();
      vscode.commands.executeCommand("setContext", "tidelock.isRunning", state === "running");
      // Problems go stale once no server updates them.
      if (state !== "running") diagnostics.clear();
      if (state === "failed") tellFailure(message);
    },
    onStart: (client) => {
      const disposables = [
        ...Features.register(client, documents, output),
        ...registerServerCommands(client, new Set(Object.keys(commands))),
        ...documents.follow(client),
      ];
      previews.refresh();
      return disposables;
    },
  });
  const previews = new Previews(client, output);
  context.subscriptions.push(previews);

  client.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics: problems }) => {
    diagnostics.set(convert.toUri(uri), problems.map(convert.toDiagnostic));
  });

  async function tellFailure(message) {
    const restart = "Start Again";
    const chosen = await vscode.window.showErrorMessage(
      `Tidelock's language server has failed: ${message}`, restart, "Show Output");
    if (chosen === restart) client.restart();
    else if (chosen) output.show(true);
  }

  async function openPreview(argument) {
    const uri = argument && (argument.uri || argument);
    const editor = vscode.window.activeTextEditor;
    const document = typeof uri === "string"
      ? await vscode.workspace.openTextDocument(convert.toUri(uri)) : editor && editor.document;
    if (!document) return;
    if (!documents.has(document)) documents.choose(document);
    await client.start();
    previews.open(document);
  }

  async function startForCurrent() {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    documents.choose(editor.document);
    await client.start();
  }

  /** The first document of an app starts the server. */
  function consider(document) {
    if (client.state === "stopped" && client.crashTimes.length === 0 && documents.concerns(document)) {
      client.start();
    }
  }

  // Older editors know nothing of assistants.
  if (vscode.lm && vscode.lm.registerMcpServerDefinitionProvider) {
    context.subscriptions.push(vscode.lm.registerMcpServerDefinitionProvider("tidelock", {
      provideMcpServerDefinitions: () => [new vscode.McpStdioServerDefinition(
        "Tidelock", vscode.workspace.getConfiguration("tidelock").get("path"), ["mcp"])],
    }));
  }

  for (const name of Object.keys(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, commands[name]));
  }
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(consider),
    vscode.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      const folder = ({ uri, name }) => ({ uri: uri.toString(), name });
      client.notify("workspace/didChangeWorkspaceFolders", {
        event: { added: added.map(folder), removed: removed.map(folder) },
      });
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("tidelock")) return;
      const isOther = ["path", "arguments", "files"].some(
        (name) => event.affectsConfiguration(`tidelock.${name}`));
      if (isOther && client.state !== "stopped") return client.restart();
      client.notify("workspace/didChangeConfiguration", {
        settings: { tidelock: { live: vscode.workspace.getConfiguration("tidelock").get("live") } },
      });
    }));
  vscode.workspace.textDocuments.forEach(consider);
  // The interface for other extensions and for tests.
  return { client, documents, previews };
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
