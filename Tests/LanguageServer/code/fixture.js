// A folder with an app, and an editor with the extension that has it open.
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { loadExtension, makeEditor, until } = require("./editor");

const server = path.resolve(__dirname, "../scripted_server.py");

/** A folder with files, which is removed after the test. */
function makeFolder(t, files = {}) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "tidelock-code-")));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  return folder;
}

/** Activates the extension with a server that follows a script. */
async function withScript(t, script, { files = { "app.lua": "return view.label {}\n" }, settings } = {}) {
  const folder = makeFolder(t, files);
  const place = makeFolder(t);
  const log = path.join(place, "log");
  const scriptFile = path.join(place, "script.json");
  const program = path.join(place, "tidelock");
  fs.writeFileSync(scriptFile, JSON.stringify(script));
  fs.writeFileSync(program, `#!/bin/sh\nexec python3 '${server}' '${scriptFile}' '${log}' "$@"\n`);
  fs.chmodSync(program, 0o755);
  const messages = () => (fs.existsSync(log) ? fs.readFileSync(log, "utf8") : "")
    .split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const app = activate(t, folder, { path: program, ...settings });
  return {
    ...app,
    messages,
    starts: () => messages().filter((message) => message.started),
    received: (method) => messages().filter((message) => message.method === method),
    /** Waits for a message of a method, and returns the last one. */
    message: (method, count = 1) => until(method, () => {
      const found = messages().filter((message) => message.method === method);
      return found.length >= count && found[found.length - 1];
    }),
  };
}

/** Activates the extension with a program, in an editor that `prepare` may change. */
function activate(t, folder, settings, prepare = () => {}) {
  const editor = makeEditor({ folders: [folder], settings });
  prepare(editor);
  const extension = loadExtension(editor);
  const context = { subscriptions: [] };
  const api = extension.activate(context);
  t.after(async () => {
    await extension.deactivate();
    for (const subscription of context.subscriptions) subscription.dispose();
  });
  return {
    editor,
    extension,
    folder,
    api,
    context,
    open: (name) => editor.open(path.join(folder, name)),
    running: () => until("the server", () => api.client.isRunning),
  };
}

module.exports = { activate, makeFolder, withScript };
