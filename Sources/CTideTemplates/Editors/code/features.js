// Registers what the server can do as providers of the editor.
"use strict";

const vscode = require("vscode");
const { ConnectionClosed, ErrorCodes, ResponseError } = require("./connection");
const convert = require("./convert");

const selector = [{ language: "lua", scheme: "file" }, { language: "lua", scheme: "untitled" }];

/** Errors that are not worth logging: a cancelled request, or contents that have changed. */
const quiet = new Set([ErrorCodes.requestCancelled, -32801, -32802]);

class Features {
  constructor(client, documents, output) {
    this.client = client;
    this.documents = documents;
    this.output = output;
    this.disposables = [];
  }

  /** Registers providers for the capabilities that the server has announced. */
  static register(client, documents, output) {
    const features = new Features(client, documents, output);
    const can = client.capabilities;
    if (can.completionProvider) features.addCompletion(can.completionProvider);
    if (can.hoverProvider) features.addHover();
    if (can.signatureHelpProvider) features.addSignatureHelp(can.signatureHelpProvider);
    if (can.definitionProvider) features.addDefinition();
    if (can.referencesProvider) features.addReferences();
    if (can.documentHighlightProvider) features.addHighlights();
    if (can.renameProvider) features.addRename(can.renameProvider);
    if (can.documentSymbolProvider) features.addDocumentSymbols();
    if (can.workspaceSymbolProvider) features.addWorkspaceSymbols(can.workspaceSymbolProvider);
    if (can.callHierarchyProvider) features.addCallHierarchy();
    if (can.semanticTokensProvider) features.addSemanticTokens(can.semanticTokensProvider);
    if (can.foldingRangeProvider) features.addFolding();
    if (can.selectionRangeProvider) features.addSelectionRanges();
    if (can.inlayHintProvider) features.addInlayHints(can.inlayHintProvider);
    if (can.codeLensProvider) features.addCodeLenses(can.codeLensProvider);
    if (can.codeActionProvider) features.addCodeActions(can.codeActionProvider);
    return features.disposables;
  }

  /** Sends a request about a document, if the server knows it. */
  async ask(method, document, params, token, convertResult) {
    if (!this.documents.has(document)) return undefined;
    return this.askServer(method, params, token, convertResult);
  }

  async askServer(method, params, token, convertResult) {
    try {
      const result = await this.client.request(method, params, token);
      // An answer that comes in spite of the cancellation is useless.
      if (token && token.isCancellationRequested) return undefined;
      return result === null || result === undefined ? undefined : convertResult(result);
    } catch (error) {
      if (error instanceof ConnectionClosed) return undefined;
      if (error instanceof ResponseError && quiet.has(error.code)) return undefined;
      this.output.appendLine(`${method}: ${error.message}`);
      return undefined;
    }
  }

  add(disposable) {
    this.disposables.push(disposable);
  }

  /** An event that is fired when the server asks for a refresh. */
  refreshEvent(method) {
    const emitter = new vscode.EventEmitter();
    this.client.onRefresh(method, () => emitter.fire());
    this.add(emitter);
    return emitter.event;
  }

  addCompletion({ triggerCharacters = [], resolveProvider }) {
    const provider = {
      provideCompletionItems: (document, position, token, context) => this.ask(
        "textDocument/completion", document, {
          ...convert.at(document, position),
          // Kinds of the protocol begin at 1.
          context: { triggerKind: context.triggerKind + 1, triggerCharacter: context.triggerCharacter },
        }, token, convert.toCompletions),
    };
    if (resolveProvider) {
      provider.resolveCompletionItem = async (item, token) => {
        await this.askServer("completionItem/resolve", item.item, token, (told) => {
          const { insertText, range } = item;
          convert.fillCompletionItem(item, { ...item.item, ...told });
          // The inserted text is fixed when the list is made.
          Object.assign(item, { insertText, range });
        });
        return item;
      };
    }
    this.add(vscode.languages.registerCompletionItemProvider(
      selector, provider, ...triggerCharacters));
  }

  addHover() {
    this.add(vscode.languages.registerHoverProvider(selector, {
      provideHover: (document, position, token) => this.ask(
        "textDocument/hover", document, convert.at(document, position), token, convert.toHover),
    }));
  }

  addSignatureHelp({ triggerCharacters = [], retriggerCharacters = [] }) {
    this.add(vscode.languages.registerSignatureHelpProvider(selector, {
      provideSignatureHelp: (document, position, token, context) => this.ask(
        "textDocument/signatureHelp", document, {
          ...convert.at(document, position),
          context: {
            triggerKind: context.triggerKind,
            triggerCharacter: context.triggerCharacter,
            isRetrigger: context.isRetrigger,
          },
        }, token, convert.toSignatureHelp),
    }, { triggerCharacters, retriggerCharacters }));
  }

  addDefinition() {
    this.add(vscode.languages.registerDefinitionProvider(selector, {
      provideDefinition: (document, position, token) => this.ask(
        "textDocument/definition", document, convert.at(document, position), token,
        convert.toDefinitions),
    }));
  }

  addReferences() {
    this.add(vscode.languages.registerReferenceProvider(selector, {
      provideReferences: (document, position, { includeDeclaration }, token) => this.ask(
        "textDocument/references", document,
        { ...convert.at(document, position), context: { includeDeclaration } }, token,
        (found) => found.map(convert.toLocation)),
    }));
  }

  addHighlights() {
    this.add(vscode.languages.registerDocumentHighlightProvider(selector, {
      provideDocumentHighlights: (document, position, token) => this.ask(
        "textDocument/documentHighlight", document, convert.at(document, position), token,
        (found) => found.map(convert.toHighlight)),
    }));
  }

  addRename({ prepareProvider }) {
    // Someone who renames should see why it fails.
    const rename = async (method, document, params, token, convertResult) => {
      if (!this.documents.has(document)) return undefined;
      const result = await this.client.request(method, params, token);
      if (result === null) throw new Error("this cannot be renamed");
      return convertResult(result);
    };
    const provider = {
      provideRenameEdits: (document, position, newName, token) => rename(
        "textDocument/rename", document, { ...convert.at(document, position), newName }, token,
        convert.toWorkspaceEdit),
    };
    if (prepareProvider) {
      provider.prepareRename = (document, position, token) => rename(
        "textDocument/prepareRename", document, convert.at(document, position), token, (result) => {
          if (result.defaultBehavior) return document.getWordRangeAtPosition(position);
          if (result.start) return convert.toRange(result);
          return { range: convert.toRange(result.range), placeholder: result.placeholder };
        });
    }
    this.add(vscode.languages.registerRenameProvider(selector, provider));
  }

  addDocumentSymbols() {
    this.add(vscode.languages.registerDocumentSymbolProvider(selector, {
      provideDocumentSymbols: (document, token) => this.ask(
        "textDocument/documentSymbol", document, { textDocument: convert.identifier(document) },
        token, (symbols) => symbols.map(convert.toDocumentSymbol)),
    }, { label: "Tidelock" }));
  }

  addWorkspaceSymbols({ resolveProvider }) {
    const provider = {
      provideWorkspaceSymbols: (query, token) => this.askServer(
        "workspace/symbol", { query }, token, (symbols) => symbols.map(convert.toWorkspaceSymbol)),
    };
    if (resolveProvider) {
      provider.resolveWorkspaceSymbol = (symbol, token) => this.askServer(
        "workspaceSymbol/resolve", symbol.symbol, token, convert.toWorkspaceSymbol);
    }
    this.add(vscode.languages.registerWorkspaceSymbolProvider(provider));
  }

  addCallHierarchy() {
    const calls = (method, side) => (item, token) => this.askServer(
      method, { item: item.item }, token, (found) => found.map((call) => {
        const Call = side === "from" ? vscode.CallHierarchyIncomingCall
          : vscode.CallHierarchyOutgoingCall;
        return new Call(convert.toCallHierarchyItem(call[side]), call.fromRanges.map(convert.toRange));
      }));
    this.add(vscode.languages.registerCallHierarchyProvider(selector, {
      prepareCallHierarchy: (document, position, token) => this.ask(
        "textDocument/prepareCallHierarchy", document, convert.at(document, position), token,
        (items) => items.map(convert.toCallHierarchyItem)),
      provideCallHierarchyIncomingCalls: calls("callHierarchy/incomingCalls", "from"),
      provideCallHierarchyOutgoingCalls: calls("callHierarchy/outgoingCalls", "to"),
    }));
  }

  addSemanticTokens({ legend, full, range }) {
    const tokens = (result) =>
      new vscode.SemanticTokens(new Uint32Array(result.data), result.resultId);
    const itsLegend = new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers);
    if (full) {
      const provider = {
        onDidChangeSemanticTokens: this.refreshEvent("workspace/semanticTokens/refresh"),
        provideDocumentSemanticTokens: (document, token) => this.ask(
          "textDocument/semanticTokens/full", document,
          { textDocument: convert.identifier(document) }, token, tokens),
      };
      if (full.delta) {
        provider.provideDocumentSemanticTokensEdits = (document, previousResultId, token) => this.ask(
          "textDocument/semanticTokens/full/delta", document,
          { textDocument: convert.identifier(document), previousResultId }, token, (result) => {
            if (!result.edits) return tokens(result);
            return new vscode.SemanticTokensEdits(
              result.edits.map((edit) => new vscode.SemanticTokensEdit(
                edit.start, edit.deleteCount, edit.data && new Uint32Array(edit.data))),
              result.resultId);
          });
      }
      this.add(vscode.languages.registerDocumentSemanticTokensProvider(selector, provider, itsLegend));
    }
    if (range) {
      this.add(vscode.languages.registerDocumentRangeSemanticTokensProvider(selector, {
        provideDocumentRangeSemanticTokens: (document, range, token) => this.ask(
          "textDocument/semanticTokens/range", document,
          { textDocument: convert.identifier(document), range: convert.range(range) }, token, tokens),
      }, itsLegend));
    }
  }

  addFolding() {
    this.add(vscode.languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: (document, context, token) => this.ask(
        "textDocument/foldingRange", document, { textDocument: convert.identifier(document) }, token,
        (ranges) => ranges.map(convert.toFoldingRange)),
    }));
  }

  addSelectionRanges() {
    this.add(vscode.languages.registerSelectionRangeProvider(selector, {
      provideSelectionRanges: (document, positions, token) => this.ask(
        "textDocument/selectionRange", document,
        { textDocument: convert.identifier(document), positions: positions.map(convert.position) },
        token, (ranges) => ranges.map(convert.toSelectionRange)),
    }));
  }

  addInlayHints({ resolveProvider }) {
    const provider = {
      onDidChangeInlayHints: this.refreshEvent("workspace/inlayHint/refresh"),
      provideInlayHints: (document, range, token) => this.ask(
        "textDocument/inlayHint", document,
        { textDocument: convert.identifier(document), range: convert.range(range) }, token,
        (hints) => hints.map(convert.toInlayHint)),
    };
    if (resolveProvider) {
      provider.resolveInlayHint = async (hint, token) =>
        (await this.askServer("inlayHint/resolve", hint.hint, token, convert.toInlayHint)) || hint;
    }
    this.add(vscode.languages.registerInlayHintsProvider(selector, provider));
  }

  addCodeLenses({ resolveProvider }) {
    const provider = {
      onDidChangeCodeLenses: this.refreshEvent("workspace/codeLens/refresh"),
      provideCodeLenses: (document, token) => this.ask(
        "textDocument/codeLens", document, { textDocument: convert.identifier(document) }, token,
        (lenses) => lenses.map(convert.toCodeLens)),
    };
    if (resolveProvider) {
      provider.resolveCodeLens = async (lens, token) =>
        (await this.askServer("codeLens/resolve", lens.lens, token, convert.toCodeLens)) || lens;
    }
    this.add(vscode.languages.registerCodeLensProvider(selector, provider));
  }

  addCodeActions({ codeActionKinds, resolveProvider }) {
    const provider = {
      provideCodeActions: (document, range, context, token) => this.ask(
        "textDocument/codeAction", document, {
          textDocument: convert.identifier(document),
          range: convert.range(range),
          context: {
            // The problems of other servers are not this one's to fix.
            diagnostics: context.diagnostics.map(({ problem }) => problem).filter(Boolean),
            only: context.only && [context.only.value],
            triggerKind: context.triggerKind,
          },
        }, token, (actions) => actions.map(convert.toCodeAction)),
    };
    if (resolveProvider) {
      provider.resolveCodeAction = async (action, token) => {
        if (!action.action) return action;
        await this.askServer("codeAction/resolve", action.action, token, (told) => {
          action.edit = convert.toWorkspaceEdit(told.edit);
          action.command = convert.toCommand(told.command);
        });
        return action;
      };
    }
    this.add(vscode.languages.registerCodeActionsProvider(selector, provider, {
      providedCodeActionKinds: codeActionKinds
        && codeActionKinds.map((kind) => vscode.CodeActionKind.Empty.append(kind)),
    }));
  }
}

module.exports = { Features };
