"""Talks to the program in bytes, to send what no client library would."""

import json
import os
import queue
import subprocess
import tempfile
import threading
import time
from urllib.parse import unquote

from conftest import PATIENCE, PROGRAM


class Wire:
    """A session with the program, which reads messages as they come unless told not to."""

    def __init__(self, folder, reads=True):
        self.folder = folder
        # A file rather than a pipe, which might fill up and block the program.
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [PROGRAM, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
            cwd=folder,
        )
        self.messages = queue.Queue()
        self.seen = []
        self.count = 0
        if reads:
            self.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass
        self.errors.close()

    # Sending.

    @staticmethod
    def frame(message) -> bytes:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n" % len(body) + body

    def write(self, data: bytes):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        """Sends messages in one piece; a message may be bytes that are not JSON."""
        self.write(b"".join(map(self.frame, messages)))

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def request(self, method, params=None):
        """Makes the message of a request, with a new id."""
        self.count += 1
        return {"jsonrpc": "2.0", "id": self.count, "method": method, "params": params or {}}

    # Receiving.

    def read(self):
        """Starts to read."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = stream.read(length) if length is not None else b""
            if not body:
                return self.messages.put(None)
            self.messages.put(json.loads(body))

    def next(self, fits):
        """The next message that fits; the others are kept for later calls."""
        for index, message in enumerate(self.seen):
            if fits(message):
                return self.seen.pop(index)
        end = time.monotonic() + PATIENCE
        while True:
            message = self.messages.get(timeout=max(0.01, end - time.monotonic()))
            assert message is not None, f"the server has ended: {self.said()}"
            if fits(message):
                return message
            self.seen.append(message)

    def answer(self, id):
        return self.next(lambda message: message.get("id", 0) == id and "method" not in message)

    def ask(self, method, params=None):
        """Sends a request; returns its result, or the code of its error."""
        message = self.request(method, params)
        self.send(message)
        answer = self.answer(message["id"])
        return answer["error"]["code"] if "error" in answer else answer["result"]

    def initialize(self, **options):
        params = {"processId": None, "rootUri": self.folder.as_uri(), "capabilities": {}}
        result = self.ask("initialize", {**params, **options})
        self.notify("initialized")
        return result

    def uri(self, name):
        return name if ":" in name else (self.folder / name).as_uri()

    def open(self, name, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(name), "languageId": "lua", "version": version, "text": text}})

    def change(self, name, version, *changes):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(name), "version": version},
            "contentChanges": [
                {"text": change} if isinstance(change, str) else change for change in changes
            ],
        })

    def close(self, name):
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(name)}})

    def at(self, name, line=0, character=0):
        return {
            "textDocument": {"uri": self.uri(name)},
            "position": {"line": line, "character": character},
        }

    def problems(self, name):
        """Pulls the diagnostics of a file; returns their codes."""
        report = self.ask("textDocument/diagnostic", {"textDocument": {"uri": self.uri(name)}})
        return [item["code"] for item in report["items"]]

    def told(self, name, version=None):
        """The codes of the diagnostics that the server publishes next for a version of a file."""
        # Each side may choose which characters to escape.
        uri = unquote(self.uri(name))
        params = self.next(lambda message: message.get("method") == DIAGNOSTICS
                           and unquote(message["params"]["uri"]) == uri
                           and message["params"].get("version") == version)["params"]
        return [item["code"] for item in params["diagnostics"]]

    def forget(self):
        """Drops the messages that have arrived so far."""
        assert self.is_alive()
        self.seen.clear()

    # Ending.

    def is_alive(self):
        """Whether it still answers."""
        return self.ask("workspace/symbol", {"query": "no such name"}) == []

    def end(self):
        """Waits for the end of the program; returns its exit code."""
        return self.process.wait(PATIENCE)

    def shut_down(self):
        assert self.ask("shutdown") is None
        self.notify("exit")
        return self.end()

    def said(self):
        """The beginning of what the program wrote to standard error."""
        return os.pread(self.errors.fileno(), 500, 0).decode(errors="replace")

    def memory(self):
        """The memory of the program, in megabytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            [line] = [line for line in file if line.startswith("VmRSS")]
        return int(line.split()[1]) / 1024


DIAGNOSTICS = "textDocument/publishDiagnostics"
