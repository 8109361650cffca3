// The language server as a process: it is started, initialized, watched, and restarted after a
// crash.
"use strict";

const childProcess = require("child_process");
const vscode = require("vscode");
const { Connection, ErrorCodes, ResponseError } = require("./connection");
const convert = require("./convert");

/** How often a crashed server is restarted: so many times within so many milliseconds. */
const crashes = { most: 4, within: 180000, firstDelay: 500 };
/** How long a server may take to end when it is asked to, in milliseconds. */
const patience = 2000;

const capabilities = {
  general: { positionEncodings: ["utf-16"] },
  workspace: {
    applyEdit: true,
    configuration: true,
    workspaceFolders: true,
    workspaceEdit: { documentChanges: true, resourceOperations: ["create", "rename", "delete"] },
    didChangeConfiguration: { dynamicRegistration: false },
    didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
    symbol: {},
    codeLens: { refreshSupport: true },
    inlayHint: { refreshSupport: true },
    semanticTokens: { refreshSupport: true },
  },
  window: { showDocument: { support: true }, showMessage: {} },
  textDocument: {
    synchronization: { didSave: true },
    completion: {
      contextSupport: true,
      completionItem: {
        snippetSupport: true,
        commitCharactersSupport: true,
        documentationFormat: ["markdown", "plaintext"],
        deprecatedSupport: true,
        preselectSupport: true,
        tagSupport: { valueSet: [1] },
        insertReplaceSupport: true,
        labelDetailsSupport: true,
        resolveSupport: { properties: ["documentation", "detail", "additionalTextEdits"] },
      },
      completionList: { itemDefaults: ["commitCharacters", "editRange", "insertTextFormat"] },
    },
    hover: { contentFormat: ["markdown", "plaintext"] },
    signatureHelp: {
      contextSupport: true,
      signatureInformation: {
        documentationFormat: ["markdown", "plaintext"],
        parameterInformation: { labelOffsetSupport: true },
        activeParameterSupport: true,
      },
    },
    definition: { linkSupport: true },
    references: {},
    documentHighlight: {},
    rename: { prepareSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
    foldingRange: { lineFoldingOnly: true },
    selectionRange: {},
    codeLens: {},
    codeAction: {
      codeActionLiteralSupport: {
        codeActionKind: { valueSet: ["", "quickfix", "refactor", "source", "source.fixAll"] },
      },
      isPreferredSupport: true,
      disabledSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ["edit"] },
    },
    inlayHint: { resolveSupport: { properties: ["tooltip", "label.tooltip"] } },
    semanticTokens: {
      requests: { range: true, full: { delta: true } },
      tokenTypes: [
        "namespace", "type", "class", "enum", "interface", "struct", "typeParameter", "parameter",
        "variable", "property", "enumMember", "event", "function", "method", "macro", "keyword",
        "modifier", "comment", "string", "number", "regexp", "operator", "decorator",
      ],
      tokenModifiers: [
        "declaration", "definition", "readonly", "static", "deprecated", "abstract", "async",
        "modification", "documentation", "defaultLibrary",
      ],
      formats: ["relative"],
      overlappingTokenSupport: false,
      multilineTokenSupport: false,
    },
    publishDiagnostics: {
      relatedInformation: true,
      tagSupport: { valueSet: [1, 2] },
      versionSupport: true,
      codeDescriptionSupport: true,
      dataSupport: true,
    },
  },
};

const folder = ({ uri, name }) => ({ uri: uri.toString(), name });
const settings = () => vscode.workspace.getConfiguration("tidelock");

/**
 * One server for all folders of the window.
 *
 * `onStart(client)` is called each time that a server is ready, and returns what to dispose of when
 * it ends. `onState(state, message)` receives "starting", "running", "stopped" or "failed".
 */
class LanguageClient {
  constructor({ output, onStart, onState }) {
    this.output = output;
    this.onStart = onStart;
    this.onState = onState;
    this.state = "stopped";
    this.crashTimes = [];
    this.notificationHandlers = new Map();
    this.refreshers = new Map();
  }

  get isRunning() {
    return this.state === "running";
  }

  setState(state, message) {
    this.state = state;
    this.onState(state, message);
  }

  /** Calls a function for notifications of a method, in place of any earlier one. */
  onNotification(method, handler) {
    this.notificationHandlers.set(method, handler);
  }

  /** Calls a function when the server asks the client to refresh something. */
  onRefresh(method, handler) {
    this.refreshers.set(method, handler);
  }

  async request(method, params, token) {
    const connection = this.connection;
    if (!connection) throw new Error("Tidelock's language server is not running");
    return connection.request(method, params, token);
  }

  notify(method, params) {
    if (this.isRunning) this.connection.notify(method, params);
  }

  // Starting.

  async start() {
    if (this.state === "starting" || this.state === "running") return;
    clearTimeout(this.restartTimer);
    this.setState("starting");
    const program = settings().get("path") || "tidelock";
    const folders = vscode.workspace.workspaceFolders || [];
    const process = childProcess.spawn(
      program, ["lsp", ...(settings().get("arguments") || [])],
      { cwd: folders.length > 0 ? folders[0].uri.fsPath : undefined, stdio: "pipe" });
    this.process = process;
    process.stderr.on("data", (text) => this.output.append(String(text)));
    process.on("error", (error) => this.processFailed(process, program, error));
    process.on("exit", (code, signal) => this.processEnded(process, code, signal));
    const connection = new Connection(process.stdout, process.stdin, {
      onRequest: (method, params) => this.answer(method, params),
      onNotification: (method, params) => this.receive(method, params),
      onError: (error) => this.output.appendLine(`The language server: ${error.message}`),
    });
    this.connection = connection;
    try {
      const result = await connection.request("initialize", this.initialization(folders));
      if (this.process !== process) return;
      this.capabilities = result.capabilities;
      this.serverInfo = result.serverInfo || {};
      connection.notify("initialized", {});
      this.setState("running");
      this.disposables = this.onStart(this);
    } catch (error) {
      // If the process ends meanwhile, its exit handler reports that.
      if (this.process !== process || connection.isClosed) return;
      this.output.appendLine(`The language server does not start: ${error.message}`);
      await this.stop();
      this.setState("failed", error.message);
    }
  }

  initialization(folders) {
    return {
      processId: process.pid,
      clientInfo: { name: "Visual Studio Code", version: vscode.version },
      locale: vscode.env.language,
      rootUri: folders.length > 0 ? folders[0].uri.toString() : null,
      workspaceFolders: folders.length > 0 ? folders.map(folder) : null,
      initializationOptions: { live: settings().get("live") !== false },
      capabilities,
    };
  }

  // Ending.

  processFailed(process, program, error) {
    if (this.process !== process) return;
    this.forget();
    const message = error.code === "ENOENT"
      ? `there is no program ${program}; the setting tidelock.path tells where it is`
      : error.message;
    this.output.appendLine(`The language server does not start: ${message}`);
    this.setState("failed", message);
  }

  processEnded(process, code, signal) {
    // A process that was told to end no longer matters.
    if (this.process !== process) return;
    this.forget();
    const reason = signal ? `signal ${signal}` : `code ${code}`;
    this.output.appendLine(`The language server has ended with ${reason}.`);
    const now = Date.now();
    this.crashTimes = this.crashTimes.filter((time) => now - time < crashes.within);
    this.crashTimes.push(now);
    if (this.crashTimes.length > crashes.most) {
      return this.setState("failed", `it has ended ${this.crashTimes.length} times`);
    }
    const delay = crashes.firstDelay * 2 ** (this.crashTimes.length - 1);
    this.setState("stopped", `ended with ${reason}, is started again`);
    this.restartTimer = setTimeout(() => this.start(), delay);
  }

  /** Releases a process, and disposes of what was made for it. */
  forget() {
    const { connection, disposables = [] } = this;
    this.process = undefined;
    this.connection = undefined;
    this.disposables = [];
    this.refreshers.clear();
    if (connection) connection.close();
    for (const disposable of disposables) disposable.dispose();
  }

  async stop() {
    clearTimeout(this.restartTimer);
    const { process, connection } = this;
    if (!process) return this.setState("stopped");
    // From here on, an exit is not a crash.
    this.process = undefined;
    this.setState("stopped");
    const end = new Promise((resolve) => process.once("exit", resolve));
    const timer = setTimeout(() => process.kill("SIGKILL"), patience);
    try {
      await Promise.race([connection.request("shutdown"), end]);
      connection.notify("exit");
    } catch {
      process.kill();
    }
    await end;
    clearTimeout(timer);
    this.forget();
  }

  async restart() {
    this.crashTimes = [];
    await this.stop();
    await this.start();
  }

  dispose() {
    return this.stop();
  }

  // Requests and notifications from the server.

  async answer(method, params) {
    switch (method) {
      case "workspace/configuration":
        return params.items.map((item) =>
          vscode.workspace.getConfiguration(item.section, item.scopeUri && convert.toUri(item.scopeUri)));
      case "workspace/workspaceFolders":
        return (vscode.workspace.workspaceFolders || []).map(folder);
      case "workspace/applyEdit":
        return { applied: await vscode.workspace.applyEdit(convert.toWorkspaceEdit(params.edit)) };
      case "window/showDocument":
        return { success: await this.showDocument(params) };
      case "window/showMessageRequest":
        return this.showMessage(params);
      case "client/registerCapability":
        for (const registration of params.registrations) this.register(registration);
        return null;
      case "client/unregisterCapability":
        for (const { id } of params.unregisterations) this.unregister(id);
        return null;
      case "workspace/codeLens/refresh":
      case "workspace/inlayHint/refresh":
      case "workspace/semanticTokens/refresh":
        if (this.refreshers.has(method)) this.refreshers.get(method)();
        return null;
    }
    throw new ResponseError(ErrorCodes.methodNotFound, `${method} is not known`);
  }

  receive(method, params) {
    const handler = this.notificationHandlers.get(method);
    if (handler) return handler(params);
    if (method === "window/logMessage") this.output.appendLine(params.message);
    if (method === "window/showMessage") this.showMessage(params);
  }

  async showMessage({ type, message, actions = [] }) {
    const show = { 1: "showErrorMessage", 2: "showWarningMessage" }[type] || "showInformationMessage";
    const chosen = await vscode.window[show](message, ...actions.map((action) => action.title));
    return actions.find((action) => action.title === chosen) || null;
  }

  async showDocument({ uri, external, takeFocus, selection }) {
    try {
      if (external) return await vscode.env.openExternal(convert.toUri(uri));
      await vscode.window.showTextDocument(convert.toUri(uri), {
        preserveFocus: takeFocus === false,
        selection: selection && convert.toRange(selection),
      });
      return true;
    } catch {
      return false;
    }
  }

  /** Sends the server the file changes that it has registered for. */
  register({ id, method, registerOptions }) {
    if (method !== "workspace/didChangeWatchedFiles") {
      throw new ResponseError(ErrorCodes.methodNotFound, `${method} cannot be registered`);
    }
    const tell = (type) => (uri) =>
      this.notify(method, { changes: [{ uri: uri.toString(), type }] });
    const watchers = registerOptions.watchers.map(({ globPattern }) => {
      const pattern = typeof globPattern === "string" ? globPattern : new vscode.RelativePattern(
        convert.toUri(globPattern.baseUri.uri || globPattern.baseUri), globPattern.pattern);
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      watcher.onDidCreate(tell(1));
      watcher.onDidChange(tell(2));
      watcher.onDidDelete(tell(3));
      return watcher;
    });
    this.disposables = this.disposables || [];
    this.disposables.push({ id, dispose: () => watchers.forEach((watcher) => watcher.dispose()) });
  }

  unregister(id) {
    const [gone, kept] = [[], []];
    for (const one of this.disposables || []) (one.id === id ? gone : kept).push(one);
    this.disposables = kept;
    for (const one of gone) one.dispose();
  }
}

module.exports = { LanguageClient };
