// Converts values of the protocol to those of the editor and back.
"use strict";

const vscode = require("vscode");

// From the editor.

const position = ({ line, character }) => ({ line, character });
const range = ({ start, end }) => ({ start: position(start), end: position(end) });
const identifier = (document) => ({ uri: document.uri.toString() });
const at = (document, place) => ({ textDocument: identifier(document), position: position(place) });

// To the editor.

const toPosition = ({ line, character }) => new vscode.Position(line, character);
const toRange = ({ start, end }) => new vscode.Range(toPosition(start), toPosition(end));
const toUri = (text) => vscode.Uri.parse(text, true);
const toLocation = ({ uri, range }) => new vscode.Location(toUri(uri), toRange(range));
const list = (values, convert) => (values || []).map(convert);

/** Counts of the protocol begin at 1, those of the editor at 0. */
const fromOne = (kind, otherwise) => (kind === undefined ? otherwise : kind - 1);

function toDefinitions(result) {
  if (!result) return undefined;
  return (Array.isArray(result) ? result : [result]).map((found) => {
    if (found.targetUri === undefined) return toLocation(found);
    return {
      targetUri: toUri(found.targetUri),
      targetRange: toRange(found.targetRange),
      targetSelectionRange: toRange(found.targetSelectionRange || found.targetRange),
      originSelectionRange: found.originSelectionRange && toRange(found.originSelectionRange),
    };
  });
}

/** Documentation: a text, or markup. */
function toMarkup(content) {
  if (content === undefined || content === null) return undefined;
  if (typeof content === "string") return content;
  if (content.language !== undefined) {
    return new vscode.MarkdownString().appendCodeblock(content.value, content.language);
  }
  if (content.kind === "plaintext") return new vscode.MarkdownString().appendText(content.value);
  return new vscode.MarkdownString(content.value);
}

function toHover(result) {
  if (!result) return undefined;
  const contents = Array.isArray(result.contents) ? result.contents : [result.contents];
  const texts = contents.map((content) =>
    typeof content === "string" ? new vscode.MarkdownString(content) : toMarkup(content));
  return new vscode.Hover(texts, result.range && toRange(result.range));
}

function toDiagnostic(problem) {
  const diagnostic = new vscode.Diagnostic(
    toRange(problem.range), problem.message, fromOne(problem.severity, 0));
  diagnostic.source = problem.source;
  const description = problem.codeDescription;
  diagnostic.code = description && problem.code !== undefined
    ? { value: problem.code, target: toUri(description.href) } : problem.code;
  // Both count from 1.
  diagnostic.tags = problem.tags;
  if (problem.relatedInformation) {
    diagnostic.relatedInformation = problem.relatedInformation.map(
      (related) => new vscode.DiagnosticRelatedInformation(
        toLocation(related.location), related.message));
  }
  // A request for quick fixes carries the problem as the server sent it.
  diagnostic.problem = problem;
  return diagnostic;
}

function toTextEdit(edit) {
  return new vscode.TextEdit(toRange(edit.range || edit.replace), edit.newText);
}

function toWorkspaceEdit(edit) {
  if (!edit) return undefined;
  const result = new vscode.WorkspaceEdit();
  for (const change of edit.documentChanges || []) {
    if (change.kind === "create") result.createFile(toUri(change.uri), change.options);
    else if (change.kind === "delete") result.deleteFile(toUri(change.uri), change.options);
    else if (change.kind === "rename") {
      result.renameFile(toUri(change.oldUri), toUri(change.newUri), change.options);
    } else addEdits(result, change.textDocument.uri, change.edits);
  }
  if (!edit.documentChanges) {
    for (const uri of Object.keys(edit.changes || {})) addEdits(result, uri, edit.changes[uri]);
  }
  return result;
}

function addEdits(result, uri, edits) {
  for (const edit of edits) result.replace(toUri(uri), toRange(edit.range), edit.newText);
}

function toCommand(command) {
  return command && { title: command.title, command: command.command, arguments: command.arguments };
}

function toCompletionItem(item, defaults = {}) {
  const label = item.labelDetails ? { label: item.label, ...item.labelDetails } : item.label;
  const result = new vscode.CompletionItem(label, fromOne(item.kind, vscode.CompletionItemKind.Text));
  fillCompletionItem(result, item, defaults);
  return result;
}

/** Sets the fields that a server may send with the list or when one item is resolved. */
function fillCompletionItem(result, item, defaults = {}) {
  result.item = item;
  result.detail = item.detail;
  result.documentation = toMarkup(item.documentation);
  result.sortText = item.sortText;
  result.filterText = item.filterText;
  result.preselect = item.preselect;
  result.tags = item.tags;
  result.commitCharacters = item.commitCharacters || defaults.commitCharacters;
  result.command = toCommand(item.command);
  result.additionalTextEdits = item.additionalTextEdits && item.additionalTextEdits.map(toTextEdit);
  const format = item.insertTextFormat || defaults.insertTextFormat;
  const insert = (text) => (format === 2 ? new vscode.SnippetString(text) : text);
  const edit = item.textEdit || (defaults.editRange && {
    newText: item.textEditText || item.label,
    ...(defaults.editRange.insert ? defaults.editRange : { range: defaults.editRange }),
  });
  if (!edit) {
    if (item.insertText !== undefined || format === 2) {
      result.insertText = insert(item.insertText === undefined ? item.label : item.insertText);
    }
    return;
  }
  result.insertText = insert(edit.newText);
  result.range = edit.range ? toRange(edit.range)
    : { inserting: toRange(edit.insert), replacing: toRange(edit.replace) };
}

function toCompletions(result) {
  if (!result) return undefined;
  if (Array.isArray(result)) return new vscode.CompletionList(result.map((item) => toCompletionItem(item)));
  const items = result.items.map((item) => toCompletionItem(item, result.itemDefaults));
  return new vscode.CompletionList(items, result.isIncomplete);
}

function toSignatureHelp(result) {
  if (!result) return undefined;
  const help = new vscode.SignatureHelp();
  help.activeSignature = result.activeSignature || 0;
  help.activeParameter = result.activeParameter || 0;
  help.signatures = result.signatures.map((signature) => {
    const information = new vscode.SignatureInformation(
      signature.label, toMarkup(signature.documentation));
    information.parameters = list(signature.parameters, (parameter) =>
      new vscode.ParameterInformation(parameter.label, toMarkup(parameter.documentation)));
    information.activeParameter = signature.activeParameter;
    return information;
  });
  return help;
}

function toDocumentSymbol(symbol) {
  if (symbol.location) {
    return new vscode.SymbolInformation(
      symbol.name, fromOne(symbol.kind, 0), symbol.containerName || "", toLocation(symbol.location));
  }
  const result = new vscode.DocumentSymbol(
    symbol.name, symbol.detail || "", fromOne(symbol.kind, 0), toRange(symbol.range),
    toRange(symbol.selectionRange));
  result.tags = symbol.tags;
  result.children = list(symbol.children, toDocumentSymbol);
  return result;
}

function toWorkspaceSymbol(symbol) {
  const { uri, range } = symbol.location;
  const result = new vscode.SymbolInformation(
    symbol.name, fromOne(symbol.kind, 0), symbol.containerName || "",
    new vscode.Location(toUri(uri), range ? toRange(range) : new vscode.Position(0, 0)));
  result.tags = symbol.tags;
  result.symbol = symbol;
  return result;
}

function toHighlight({ range, kind }) {
  return new vscode.DocumentHighlight(toRange(range), fromOne(kind, vscode.DocumentHighlightKind.Text));
}

function toCallHierarchyItem(item) {
  const result = new vscode.CallHierarchyItem(
    fromOne(item.kind, 0), item.name, item.detail || "", toUri(item.uri), toRange(item.range),
    toRange(item.selectionRange));
  result.tags = item.tags;
  // Later requests send the server its own item back.
  result.item = item;
  return result;
}

function toSelectionRange({ range, parent }) {
  return new vscode.SelectionRange(toRange(range), parent && toSelectionRange(parent));
}

const foldingKinds = { comment: 1, imports: 2, region: 3 };

function toFoldingRange({ startLine, endLine, kind }) {
  return new vscode.FoldingRange(startLine, endLine, foldingKinds[kind]);
}

function toInlayHint(hint) {
  const label = typeof hint.label === "string" ? hint.label : hint.label.map((part) => {
    const result = new vscode.InlayHintLabelPart(part.value);
    result.tooltip = toMarkup(part.tooltip);
    result.location = part.location && toLocation(part.location);
    result.command = toCommand(part.command);
    return result;
  });
  // Both count kinds from 1.
  const result = new vscode.InlayHint(toPosition(hint.position), label, hint.kind);
  result.tooltip = toMarkup(hint.tooltip);
  result.paddingLeft = hint.paddingLeft;
  result.paddingRight = hint.paddingRight;
  result.textEdits = hint.textEdits && hint.textEdits.map(toTextEdit);
  result.hint = hint;
  return result;
}

function toCodeLens(lens) {
  const result = new vscode.CodeLens(toRange(lens.range), toCommand(lens.command));
  result.lens = lens;
  return result;
}

function toCodeAction(action) {
  // A plain command may stand for an action.
  if (typeof action.command === "string") return toCommand(action);
  const kind = action.kind === undefined ? undefined
    : vscode.CodeActionKind.Empty.append(action.kind);
  const result = new vscode.CodeAction(action.title, kind);
  result.diagnostics = list(action.diagnostics, toDiagnostic);
  result.isPreferred = action.isPreferred;
  result.disabled = action.disabled;
  result.edit = toWorkspaceEdit(action.edit);
  result.command = toCommand(action.command);
  result.action = action;
  return result;
}

module.exports = {
  at, fillCompletionItem, identifier, list, position, range, toCallHierarchyItem, toCodeAction,
  toCodeLens, toCommand, toCompletions, toDefinitions, toDiagnostic, toDocumentSymbol,
  toFoldingRange, toHighlight, toHover, toInlayHint, toLocation, toMarkup, toPosition, toRange,
  toSelectionRange, toSignatureHelp, toTextEdit, toUri, toWorkspaceEdit, toWorkspaceSymbol,
};
