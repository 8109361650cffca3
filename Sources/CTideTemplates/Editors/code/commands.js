// The commands behind code lenses and in the palette.
"use strict";

const path = require("path");
const vscode = require("vscode");
const convert = require("./convert");
const { appFolder } = require("./documents");

/** `--filter` takes a Lua pattern, so characters with a special meaning are escaped. */
const plainPattern = (name) => name.replace(/[\^$()%.[\]*+\-?]/g, "%$&");

/** Runs a test in a terminal of its own, from the app's folder. */
async function runTest({ file, name }) {
  const uri = /^[a-z]+:\/\//.test(file) ? convert.toUri(file) : vscode.Uri.file(file);
  // Tests run from the saved file.
  const document = vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString());
  if (document && document.isDirty) await document.save();
  const program = vscode.workspace.getConfiguration("tidelock").get("path") || "tidelock";
  const task = new vscode.Task(
    { type: "tidelock", file: uri.fsPath, name },
    vscode.workspace.getWorkspaceFolder(uri) || vscode.TaskScope.Workspace, name, "tidelock",
    new vscode.ProcessExecution(
      program, ["test", uri.fsPath, "--filter", plainPattern(name)],
      { cwd: appFolder(uri.fsPath) || path.dirname(uri.fsPath) }));
  task.presentationOptions = { clear: true, panel: vscode.TaskPanelKind.Dedicated };
  return vscode.tasks.executeTask(task);
}

/** Shows locations as the editor shows references. */
function showReferences(uri, position, locations) {
  return vscode.commands.executeCommand(
    "editor.action.showReferences", convert.toUri(uri), convert.toPosition(position),
    locations.map(convert.toLocation));
}

/** Lets the running app evaluate the selection, or the cursor's line, and shows the value. */
async function evaluateSelection(client) {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return;
  const { document, selection } = editor;
  const text = selection.isEmpty
    ? document.lineAt(selection.active.line).text : document.getText(selection);
  try {
    const value = await client.request(
      "workspace/executeCommand", { command: "tidelock.evaluate", arguments: [{ text }] });
    vscode.window.showInformationMessage(`${value}`);
  } catch (error) {
    vscode.window.showErrorMessage(`Tidelock: ${error.message}`);
  }
}

/** Registers those commands of the server that this extension does not implement itself. */
function registerServerCommands(client, ours) {
  const { commands = [] } = client.capabilities.executeCommandProvider || {};
  return commands.filter((command) => !ours.has(command)).map((command) =>
    vscode.commands.registerCommand(command, (...values) =>
      client.request("workspace/executeCommand", { command, arguments: values })));
}

module.exports = { evaluateSelection, registerServerCommands, runTest, showReferences };
