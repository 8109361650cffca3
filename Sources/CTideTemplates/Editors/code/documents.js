// Decides which documents the server knows, and keeps it in step with them.
"use strict";

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const convert = require("./convert");

/** Whether a folder is that of an app, because not every Lua file belongs to Tidelock. */
function isApp(folder) {
  if (fs.existsSync(path.join(folder, ".tidelock"))) return true;
  if (fs.existsSync(path.join(folder, "app.lua"))) return true;
  try {
    return fs.readFileSync(path.join(folder, ".luarc.json"), "utf8").includes(".tidelock");
  } catch {
    return false;
  }
}

/** The folder of the app that a file belongs to: the nearest one above it. */
function appFolder(file) {
  let folder = path.dirname(file);
  for (;;) {
    if (isApp(folder)) return folder;
    const parent = path.dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

class Documents {
  constructor() {
    /** Documents that were chosen by hand, by their URIs. */
    this.chosen = new Set();
    this.open = new Set();
  }

  /** Whether the server should know a document. */
  concerns(document) {
    if (document.languageId !== "lua") return false;
    if (this.chosen.has(document.uri.toString())) return true;
    if (vscode.workspace.getConfiguration("tidelock").get("files") === "all") {
      return ["file", "untitled"].includes(document.uri.scheme);
    }
    return document.uri.scheme === "file" && appFolder(document.uri.fsPath) !== undefined;
  }

  /** Whether the server knows a document. */
  has(document) {
    return this.open.has(document.uri.toString());
  }

  /** Sends a server all open documents, and from then on their changes. */
  follow(client) {
    this.client = client;
    this.open.clear();
    for (const document of vscode.workspace.textDocuments) this.add(document);
    return [
      vscode.workspace.onDidOpenTextDocument((document) => this.add(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.remove(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.change(event)),
      vscode.workspace.onDidSaveTextDocument((document) => this.save(document)),
      { dispose: () => this.open.clear() },
    ];
  }

  /** Adds a document that belongs to no app. */
  choose(document) {
    this.chosen.add(document.uri.toString());
    if (this.client && this.client.isRunning) this.add(document);
  }

  add(document) {
    if (this.has(document) || !this.concerns(document)) return;
    this.open.add(document.uri.toString());
    this.client.notify("textDocument/didOpen", {
      textDocument: {
        ...convert.identifier(document),
        languageId: document.languageId,
        version: document.version,
        text: document.getText(),
      },
    });
  }

  remove(document) {
    if (!this.open.delete(document.uri.toString())) return;
    this.client.notify("textDocument/didClose", { textDocument: convert.identifier(document) });
  }

  change({ document, contentChanges }) {
    // The event also comes when only the saved state has changed.
    if (!this.has(document) || contentChanges.length === 0) return;
    this.client.notify("textDocument/didChange", {
      textDocument: { ...convert.identifier(document), version: document.version },
      contentChanges: contentChanges.map(({ range, rangeLength, text }) =>
        ({ range: convert.range(range), rangeLength, text })),
    });
  }

  save(document) {
    if (!this.has(document)) return;
    this.client.notify("textDocument/didSave", { textDocument: convert.identifier(document) });
  }
}

module.exports = { Documents, appFolder };
