// A test double for the module `vscode`: it keeps what an extension registers, and lets a test act
// as the user and the editor.
"use strict";

const fs = require("node:fs");
const Module = require("node:module");
const path = require("node:path");
const { pathToFileURL, fileURLToPath } = require("node:url");

class EventEmitter {
  constructor() {
    this.listeners = new Set();
    this.event = (listener) => {
      this.listeners.add(listener);
      return { dispose: () => this.listeners.delete(listener) };
    };
  }
  fire(value) {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose() {
    this.listeners.clear();
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
  isBefore(other) {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
}

class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}

class Selection extends Range {
  constructor(anchor, active) {
    super(anchor, active);
    Object.assign(this, { anchor, active });
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    const url = new URL(text);
    this.scheme = url.protocol.slice(0, -1);
    this.path = decodeURIComponent(url.pathname);
  }
  static file(file) {
    return new Uri(pathToFileURL(file).href);
  }
  static parse(text, isStrict) {
    if (isStrict && !/^[a-z]+:/.test(text)) throw new Error(`${text} has no scheme`);
    return new Uri(text);
  }
  get fsPath() {
    return fileURLToPath(this.text);
  }
  toString() {
    return this.text;
  }
}

class MarkdownString {
  constructor(value = "") {
    this.value = value;
  }
  appendText(text) {
    this.value += text.replace(/[\\`*_{}[\]()#+\-.!]/g, "\\$&");
    return this;
  }
  appendCodeblock(code, language) {
    this.value += `\n\`\`\`${language}\n${code}\n\`\`\`\n`;
    return this;
  }
}

class WorkspaceEdit {
  constructor() {
    this.steps = [];
  }
  replace(uri, range, text) {
    this.steps.push({ uri: uri.toString(), range, text });
  }
  createFile(uri) {
    this.steps.push({ create: uri.toString() });
  }
  deleteFile(uri) {
    this.steps.push({ delete: uri.toString() });
  }
  renameFile(from, to) {
    this.steps.push({ rename: from.toString(), to: to.toString() });
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind("");

/** A class of the editor that only stores its arguments. */
const record = (...names) => class {
  constructor(...values) {
    names.forEach((name, index) => {
      this[name] = values[index];
    });
  }
};

/** A document whose text a test edits. */
class TextDocument {
  constructor(uri, text, languageId) {
    Object.assign(this, { uri, text, languageId, version: 1, isDirty: false });
  }
  getText() {
    return this.text;
  }
  offsetAt({ line, character }) {
    const lines = this.text.split("\n");
    return lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + character;
  }
  /** The position of the first occurrence of a text, or some characters into it. */
  positionOf(text, into = 0) {
    const offset = this.text.indexOf(text);
    if (offset < 0) throw new Error(`${text} is not in ${this.uri}`);
    const before = this.text.slice(0, offset + into).split("\n");
    return new Position(before.length - 1, before[before.length - 1].length);
  }
  getWordRangeAtPosition(position) {
    return new Range(position, position);
  }
}

/** Makes an editor; `vscode` of the result is what the extension sees. */
function makeEditor({ folders = [], settings = {} } = {}) {
  const events = {};
  const on = (name) => {
    events[name] = new EventEmitter();
    return events[name].event;
  };
  const editor = {
    events,
    providers: {},
    /** What is offered to assistants. */
    assistants: [],
    commands: new Map(),
    executed: [],
    output: [],
    messages: [],
    answers: [],
    panels: [],
    tasks: [],
    shown: [],
    watchers: [],
    edits: [],
    problems: new Map(),
    documents: [],
    settings: { path: "tidelock", arguments: [], live: true, files: "apps", ...settings },
    status: {},
  };
  const register = (name) => (...values) => {
    const all = (editor.providers[name] ||= []);
    const entry = values.find((value) => value && Object.values(value).some(
      (member) => typeof member === "function"));
    const registration = { provider: entry, values };
    all.push(registration);
    return { dispose: () => all.splice(all.indexOf(registration), 1) };
  };
  const say = (kind) => async (message) => {
    editor.messages.push({ kind, message });
    return editor.answers.shift();
  };
  const textEditor = (document) => editor.vscode.window.visibleTextEditors.find(
    (one) => one.document === document);

  editor.vscode = {
    version: "1.75.0",
    EventEmitter, Position, Range, Selection, Uri, MarkdownString, WorkspaceEdit, CodeActionKind,
    Location: record("uri", "range"),
    TextEdit: record("range", "newText"),
    Diagnostic: record("range", "message", "severity"),
    DiagnosticRelatedInformation: record("location", "message"),
    Hover: record("contents", "range"),
    CompletionItem: record("label", "kind"),
    CompletionList: record("items", "isIncomplete"),
    CompletionItemKind: { Text: 0, Method: 1, Function: 2 },
    SnippetString: record("value"),
    SignatureHelp: record(),
    SignatureInformation: record("label", "documentation"),
    ParameterInformation: record("label", "documentation"),
    SymbolInformation: record("name", "kind", "containerName", "location"),
    DocumentSymbol: record("name", "detail", "kind", "range", "selectionRange"),
    DocumentHighlight: record("range", "kind"),
    DocumentHighlightKind: { Text: 0, Read: 1, Write: 2 },
    CallHierarchyItem: record("kind", "name", "detail", "uri", "range", "selectionRange"),
    CallHierarchyIncomingCall: record("from", "fromRanges"),
    CallHierarchyOutgoingCall: record("to", "fromRanges"),
    SemanticTokens: record("data", "resultId"),
    SemanticTokensEdits: record("edits", "resultId"),
    SemanticTokensEdit: record("start", "deleteCount", "data"),
    SemanticTokensLegend: record("tokenTypes", "tokenModifiers"),
    FoldingRange: record("start", "end", "kind"),
    SelectionRange: record("range", "parent"),
    InlayHint: record("position", "label", "kind"),
    InlayHintLabelPart: record("value"),
    CodeLens: record("range", "command"),
    CodeAction: record("title", "kind"),
    Task: record("definition", "scope", "name", "source", "execution"),
    ProcessExecution: record("process", "args", "options"),
    RelativePattern: record("base", "pattern"),
    TaskScope: { Workspace: 2 },
    TaskPanelKind: { Dedicated: 2 },
    StatusBarAlignment: { Left: 1, Right: 2 },
    ViewColumn: { Beside: -2, One: 1 },
    env: { language: "en", openExternal: async (uri) => editor.shown.push({ external: uri }) > 0 },
    McpStdioServerDefinition: record("label", "command", "args"),
    lm: {
      registerMcpServerDefinitionProvider(id, provider) {
        editor.assistants.push({ id, provider });
        return { dispose: () => {} };
      },
    },
    languages: {
      createDiagnosticCollection: () => ({
        set: (uri, problems) => editor.problems.set(uri.toString(), problems),
        clear: () => editor.problems.clear(),
        dispose: () => {},
      }),
      registerCompletionItemProvider: register("completion"),
      registerHoverProvider: register("hover"),
      registerSignatureHelpProvider: register("signatureHelp"),
      registerDefinitionProvider: register("definition"),
      registerReferenceProvider: register("references"),
      registerDocumentHighlightProvider: register("highlights"),
      registerRenameProvider: register("rename"),
      registerDocumentSymbolProvider: register("documentSymbols"),
      registerWorkspaceSymbolProvider: register("workspaceSymbols"),
      registerCallHierarchyProvider: register("callHierarchy"),
      registerDocumentSemanticTokensProvider: register("semanticTokens"),
      registerDocumentRangeSemanticTokensProvider: register("rangeSemanticTokens"),
      registerFoldingRangeProvider: register("folding"),
      registerSelectionRangeProvider: register("selectionRanges"),
      registerInlayHintsProvider: register("inlayHints"),
      registerCodeLensProvider: register("codeLenses"),
      registerCodeActionsProvider: register("codeActions"),
    },
    commands: {
      registerCommand(name, run) {
        if (editor.commands.has(name)) throw new Error(`command '${name}' already exists`);
        editor.commands.set(name, run);
        return { dispose: () => editor.commands.delete(name) };
      },
      async executeCommand(name, ...values) {
        editor.executed.push([name, ...values]);
        return editor.commands.get(name)?.(...values);
      },
    },
    tasks: { executeTask: async (task) => editor.tasks.push(task) },
    window: {
      visibleTextEditors: [],
      activeTextEditor: undefined,
      createOutputChannel: () => ({
        append: (text) => editor.output.push(text),
        appendLine: (text) => editor.output.push(text),
        show: () => {},
        dispose: () => {},
      }),
      createStatusBarItem: () => Object.assign(editor.status, { show() {}, dispose() {} }),
      showErrorMessage: say("error"),
      showWarningMessage: say("warning"),
      showInformationMessage: say("information"),
      async showTextDocument(uri, options) {
        editor.shown.push({ uri: uri.toString(), options });
      },
      onDidChangeTextEditorSelection: on("selection"),
      createWebviewPanel(kind, title) {
        const disposed = new EventEmitter();
        const received = new EventEmitter();
        const panel = {
          title,
          posted: [],
          isDisposed: false,
          onDidDispose: disposed.event,
          reveal() {},
          dispose() {
            panel.isDisposed = true;
            disposed.fire();
          },
          /** Sends a message as the script of the page would. */
          send: (message) => received.fire(message),
          webview: {
            cspSource: "vscode-resource:",
            html: "",
            onDidReceiveMessage: received.event,
            postMessage: async (message) => panel.posted.push(message),
          },
        };
        editor.panels.push(panel);
        return panel;
      },
    },
    workspace: {
      workspaceFolders: folders.map((folder) => ({
        uri: Uri.file(folder), name: path.basename(folder),
      })),
      get textDocuments() {
        return editor.documents;
      },
      getConfiguration: () => ({ ...editor.settings, get: (name) => editor.settings[name] }),
      getWorkspaceFolder: () => editor.vscode.workspace.workspaceFolders[0],
      openTextDocument: async (uri) => editor.open(uri.fsPath),
      applyEdit: async (edit) => editor.edits.push(edit) > 0,
      createFileSystemWatcher(pattern) {
        const [created, changed, deleted] = [new EventEmitter(), new EventEmitter(), new EventEmitter()];
        const watcher = {
          pattern, created, changed, deleted,
          onDidCreate: created.event, onDidChange: changed.event, onDidDelete: deleted.event,
          isDisposed: false,
          dispose: () => (watcher.isDisposed = true),
        };
        editor.watchers.push(watcher);
        return watcher;
      },
      onDidOpenTextDocument: on("open"),
      onDidCloseTextDocument: on("close"),
      onDidChangeTextDocument: on("change"),
      onDidSaveTextDocument: on("save"),
      onDidChangeConfiguration: on("configuration"),
      onDidChangeWorkspaceFolders: on("folders"),
    },
  };

  // Actions of the user.

  editor.open = (file, languageId = "lua") => {
    const there = editor.documents.find(({ uri }) => uri.fsPath === file);
    if (there) return there;
    const document = new TextDocument(
      Uri.file(file), fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "", languageId);
    document.save = async () => editor.save(document);
    editor.documents.push(document);
    events.open.fire(document);
    return document;
  };
  editor.show = (document) => {
    const start = new Position(0, 0);
    const shown = { document, viewColumn: 1, selection: new Selection(start, start) };
    editor.vscode.window.visibleTextEditors.push(shown);
    editor.vscode.window.activeTextEditor = shown;
    return shown;
  };
  editor.select = (document, position) => {
    const shown = textEditor(document);
    shown.selection = new Selection(position, position);
    events.selection.fire({ textEditor: shown });
  };
  editor.replace = (document, old, text) => {
    const start = document.positionOf(old);
    const end = document.positionOf(old, old.length);
    document.text = document.text.replace(old, () => text);
    document.version += 1;
    document.isDirty = true;
    events.change.fire({
      document,
      contentChanges: [{ range: new Range(start, end), rangeLength: old.length, text }],
    });
  };
  editor.save = (document) => {
    fs.writeFileSync(document.uri.fsPath, document.text);
    document.isDirty = false;
    events.save.fire(document);
  };
  editor.close = (document) => {
    editor.documents.splice(editor.documents.indexOf(document), 1);
    events.close.fire(document);
  };
  /** The provider of a kind, as the editor would call it. */
  editor.provider = (name) => editor.providers[name]?.[0]?.provider;
  return editor;
}

/** A token that a test may cancel. */
function makeToken() {
  const emitter = new EventEmitter();
  const token = {
    isCancellationRequested: false,
    onCancellationRequested: emitter.event,
    cancel() {
      token.isCancellationRequested = true;
      emitter.fire();
    },
  };
  return token;
}

const extensionFolder = path.resolve(__dirname, "../../../Sources/CTideTemplates/Editors/code");

/** Loads the extension again, with an editor in place of the module. */
function loadExtension(editor, file = "extension.js") {
  for (const name of Object.keys(require.cache)) {
    if (name.startsWith(extensionFolder)) delete require.cache[name];
  }
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? editor.vscode : load(name, ...rest));
  try {
    return require(path.join(extensionFolder, file));
  } finally {
    Module._load = load;
  }
}

/** Waits until something holds, and fails with a name if it does not in time. */
async function until(what, holds, seconds = 20) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`${what} did not come within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

module.exports = { extensionFolder, loadExtension, makeEditor, makeToken, until };
