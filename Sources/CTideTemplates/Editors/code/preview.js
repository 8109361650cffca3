// Shows the views of a script beside its text.
"use strict";

const crypto = require("crypto");
const path = require("path");
const vscode = require("vscode");
const convert = require("./convert");

const contains = ({ start, end }, { line, character }) =>
  (line > start.line || (line === start.line && character >= start.character))
  && (line < end.line || (line === end.line && character <= end.character));

const isWithin = (inner, outer) => contains(outer, inner.start) && contains(outer, inner.end);

/** The innermost view whose text has a position in it, by its index, or -1. */
function viewAt(views, uri, position) {
  let found = -1;
  views.forEach((view, index) => {
    if (view.uri !== uri || !view.range || !contains(view.range, position)) return;
    if (found < 0 || isWithin(view.range, views[found].range)) found = index;
  });
  return found;
}

/** The page: it draws what it is sent, and reports which view was clicked. */
function page(source) {
  const nonce = crypto.randomBytes(16).toString("base64");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; img-src data: ${source}; font-src ${source}; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'">
<title>Preview</title>
<style>
  body { margin: 0; padding: 12px; }
  #drawing { position: relative; display: inline-block; min-width: 1px; min-height: 1px; }
  #drawing svg { display: block; max-width: 100%; height: auto; cursor: pointer; }
  #drawing.old { opacity: 0.6; }
  #message { margin: 0 0 8px; white-space: pre-wrap; font-family: var(--vscode-editor-font-family); color: var(--vscode-errorForeground); }
  #message:empty { display: none; }
  .chosen { fill: none; stroke: var(--vscode-focusBorder); stroke-width: 2; pointer-events: none; vector-effect: non-scaling-stroke; }
</style>
</head>
<body>
<p id="message" role="status"></p>
<div id="drawing"></div>
<script nonce="${nonce}">
  const editor = acquireVsCodeApi();
  const drawing = document.getElementById("drawing");
  const message = document.getElementById("message");
  let views = [];

  function mark(index) {
    const svg = drawing.querySelector("svg");
    if (!svg) return;
    for (const old of svg.querySelectorAll(".chosen")) old.remove();
    const view = views[index];
    if (!view) return;
    const frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    for (const name of ["x", "y", "width", "height"]) frame.setAttribute(name, view[name]);
    frame.setAttribute("class", "chosen");
    svg.append(frame);
  }

  // Views that are drawn later lie above, and inner ones are smaller.
  function indexAt(x, y) {
    let found = -1, area = Infinity;
    views.forEach((view, index) => {
      const isIn = x >= view.x && y >= view.y && x < view.x + view.width && y < view.y + view.height;
      if (isIn && view.width * view.height <= area) {
        found = index;
        area = view.width * view.height;
      }
    });
    return found;
  }

  drawing.addEventListener("click", (event) => {
    const svg = drawing.querySelector("svg");
    if (!svg) return;
    const point = new DOMPoint(event.clientX, event.clientY)
      .matrixTransform(svg.getScreenCTM().inverse());
    const index = indexAt(point.x, point.y);
    if (index >= 0) editor.postMessage({ type: "choose", index });
  });

  window.addEventListener("message", ({ data }) => {
    if (data.type === "mark") return mark(data.index);
    message.textContent = data.message || "";
    // While a text cannot be run, the last drawing stays.
    drawing.classList.toggle("old", !data.svg);
    if (!data.svg) return;
    drawing.innerHTML = data.svg;
    views = data.views;
    mark(data.index);
  });
  editor.postMessage({ type: "ready" });
</script>
</body>
</html>`;
}

/** One panel for one document. */
class Preview {
  constructor(client, document, output, onEnd) {
    this.client = client;
    this.document = document;
    this.output = output;
    this.uri = document.uri.toString();
    this.views = [];
    this.isAsking = false;
    this.isStale = false;
    this.panel = vscode.window.createWebviewPanel(
      "tidelock.preview", `Preview ${path.basename(document.uri.path)}`,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] });
    const { webview } = this.panel;
    this.disposables = [
      webview.onDidReceiveMessage((message) => this.receive(message)),
      vscode.window.onDidChangeTextEditorSelection((event) => this.follow(event.textEditor)),
      this.panel.onDidDispose(() => {
        for (const disposable of this.disposables) disposable.dispose();
        onEnd(this);
      }),
    ];
    webview.html = page(webview.cspSource);
  }

  receive(message) {
    if (message.type === "ready") return this.refresh();
    const view = this.views[message.index];
    if (message.type !== "choose" || !view || !view.range) return undefined;
    return vscode.window.showTextDocument(convert.toUri(view.uri), {
      viewColumn: this.textColumn(view.uri),
      selection: convert.toRange({ start: view.range.start, end: view.range.start }),
    });
  }

  /** The column that already shows the text, so that it does not cover the preview. */
  textColumn(uri) {
    const editor = vscode.window.visibleTextEditors.find(
      (editor) => editor.document.uri.toString() === uri);
    return editor ? editor.viewColumn : vscode.ViewColumn.One;
  }

  get editor() {
    return vscode.window.visibleTextEditors.find(
      (editor) => editor.document.uri.toString() === this.uri);
  }

  /** Requests the views again. Calls during a request lead to one more request after it. */
  async refresh() {
    this.isStale = true;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.isStale) {
      this.isStale = false;
      const { editor } = this;
      try {
        const result = await this.client.request("tidelock/preview", {
          textDocument: { uri: this.uri },
          position: editor && convert.position(editor.selection.active),
        });
        this.show(result || {});
      } catch (error) {
        this.show({ message: error.message });
      }
    }
    this.isAsking = false;
  }

  show({ svg, views = [], message }) {
    if (svg) this.views = views;
    const { editor } = this;
    const index = editor ? viewAt(this.views, this.uri, editor.selection.active) : -1;
    this.panel.webview.postMessage({ type: "show", svg, views: this.views, message, index });
  }

  /** Frames the view in whose text the cursor is. */
  follow(editor) {
    const uri = editor.document.uri.toString();
    if (!this.views.some((view) => view.uri === uri)) return;
    const index = viewAt(this.views, uri, editor.selection.active);
    this.panel.webview.postMessage({ type: "mark", index });
  }
}

/** The panels that are open, by the URIs of their documents. */
class Previews {
  constructor(client, output) {
    this.client = client;
    this.output = output;
    this.all = new Map();
    client.onNotification("tidelock/previewChanged", ({ uri }) => this.refresh(uri));
  }

  open(document) {
    const uri = document.uri.toString();
    const there = this.all.get(uri);
    if (there) return there.panel.reveal(undefined, true);
    this.all.set(uri, new Preview(
      this.client, document, this.output, () => this.all.delete(uri)));
    return undefined;
  }

  /** Refreshes the panel of a document, or all panels. */
  refresh(uri) {
    for (const preview of this.all.values()) {
      if (uri === undefined || preview.uri === uri) preview.refresh();
    }
  }

  dispose() {
    for (const preview of [...this.all.values()]) preview.panel.dispose();
  }
}

module.exports = { Previews, viewAt };
