"""Sessions of editors, recorded and replayed without their pauses.

`record-nvim` makes a recording: first the files of the app, then the editor's messages, one to a
line, with $APP for the app's folder.
"""

import json
import time
from pathlib import Path
from urllib.parse import unquote

import carets
import checked
import pytest
from conftest import PATIENCE, PROGRAM
from lsprotocol import types
from wire import DIAGNOSTICS, Wire

RECORDINGS = sorted((Path(__file__).parent / "recorded").glob("*.jsonl"))


class Session:
    """Replays a recording, and keeps the texts that the editor had open."""

    def __init__(self, recording: Path, folder: Path):
        lines = recording.read_text().splitlines()
        self.folder = folder
        for name, text in json.loads(lines[0])["files"].items():
            self.write(name, text)
        self.messages = [json.loads(line.replace("$APP", str(folder))) for line in lines[1:]]
        self.texts = {}

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def name(self, uri):
        return unquote(uri).removeprefix(f"file://{self.folder}/")

    def follow(self, message):
        """Changes texts and files as the editor did when it sent a message."""
        method, params = message.get("method", ""), message.get("params")
        if not method.startswith("textDocument/did"):
            return
        name = self.name(params["textDocument"]["uri"])
        match method:
            case "textDocument/didOpen": self.texts[name] = params["textDocument"]["text"]
            case "textDocument/didClose": del self.texts[name]
            case "textDocument/didSave": self.write(name, self.texts[name])
            case "textDocument/didChange":
                for change in params["contentChanges"]:
                    self.texts[name] = changed(self.texts[name], change)


def changed(text, change):
    if "range" not in change:
        return change["text"]
    # A position beyond the last line means the end of the text.
    start, end = (offset(text, change["range"][side]) for side in ("start", "end"))
    return text[:start] + change["text"] + text[end:]


def offset(text, position):
    if position["line"] >= len(carets.line_starts(text)):
        return len(text)
    return carets.offset(text, types.Position(**position), "utf-16")


@pytest.fixture(params=RECORDINGS, ids=lambda file: file.stem)
def session(request, tmp_path):
    return Session(request.param, tmp_path / "app")


def play(session, wire, waits=False):
    """Sends the recorded messages up to shutdown; returns the answers by the ids of the requests.

    With `waits`, nothing is sent before the last request is answered.
    """
    # The test's own ids must differ from the recorded ones.
    wire.count = 1_000_000
    answers = {}
    for message in session.messages:
        if message.get("method") == "shutdown":
            break
        # Before the server receives the message, as in an editor.
        session.follow(message)
        wire.send(message)
        if "method" in message and "id" in message:
            answers[message["id"]] = wire.answer(message["id"]) if waits else None
    return {id: answer or wire.answer(id) for id, answer in answers.items()}


def published(wire, session):
    """The newest diagnostics of each file that have arrived."""
    found = {}
    for message in wire.seen:
        if message.get("method") == DIAGNOSTICS:
            params = message["params"]
            items = [
                (item["range"]["start"]["line"], item["severity"], item["code"], item["message"])
                for item in params["diagnostics"]
            ]
            found[session.name(params["uri"])] = items
    return {name: items for name, items in found.items() if items}


def test_the_last_diagnostics_are_those_of_the_check(session, tmp_path):
    with Wire(session.folder) as wire:
        play(session, wire)
        copy = tmp_path / "copy"
        for file in session.folder.rglob("*.lua"):
            name = str(file.relative_to(session.folder))
            place = copy / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(session.texts.get(name, file.read_text()))
        wanted = checked.check(PROGRAM, copy)
        assert wanted, "the session has to leave mistakes"
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            assert wire.is_alive()
            if published(wire, session) == wanted:
                break
            time.sleep(0.05)
        assert published(wire, session) == wanted
        assert wire.shut_down() == 0


def test_each_request_has_one_answer(session):
    with Wire(session.folder) as wire:
        answers = play(session, wire)
        assert len(answers) > 50
        assert wire.is_alive()
        assert not [message for message in wire.seen if message.get("id") in answers]
        for answer in answers.values():
            assert "result" in answer, answer


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda file: file.stem)
def test_the_answers_are_the_same_at_any_pace(recording, tmp_path):
    def answers(waits):
        folder = tmp_path / ("patient" if waits else "hasty")
        session = Session(recording, folder)
        with Wire(folder) as wire:
            found = play(session, wire, waits)
        return {id: json.dumps(answer).replace(str(folder), "") for id, answer in found.items()}

    patient, hasty = answers(True), answers(False)
    for id, answer in patient.items():
        assert hasty[id] == answer
