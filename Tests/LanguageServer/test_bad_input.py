"""Input that no editor should send, though some do: it must neither end nor silence the server."""

import json
import os
import random
import threading

import pytest
from wire import DIAGNOSTICS, Wire

GOOD = "print(1)\n"
# The code of its only mistake.
BAD = "print(unheardOf)\n"
UNKNOWN = "E0601"

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
NOT_INITIALIZED, CANCELLED = -32002, -32800


@pytest.fixture
def wire(tmp_path):
    with Wire(tmp_path) as wire:
        yield wire


def write(folder, name, text):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())


# Every request about a position in a document, with its further parameters.
def questions(wire, name, line, character):
    place = wire.at(name, line, character)
    document = {"textDocument": place["textDocument"]}
    range = {"start": {"line": 0, "character": 0}, "end": place["position"]}
    return [
        ("textDocument/completion", place),
        ("textDocument/hover", place),
        ("textDocument/signatureHelp", place),
        ("textDocument/definition", place),
        ("textDocument/references", {**place, "context": {"includeDeclaration": True}}),
        ("textDocument/documentHighlight", place),
        ("textDocument/prepareRename", place),
        ("textDocument/prepareCallHierarchy", place),
        ("textDocument/documentSymbol", document),
        ("textDocument/foldingRange", document),
        ("textDocument/selectionRange", {**document, "positions": [place["position"]]}),
        ("textDocument/semanticTokens/full", document),
        ("textDocument/semanticTokens/range", {**document, "range": range}),
        ("textDocument/inlayHint", {**document, "range": range}),
        ("textDocument/codeLens", document),
        ("textDocument/codeAction", {
            **document, "range": range, "context": {"diagnostics": []}}),
        ("textDocument/diagnostic", document),
    ]


def ask_everything(wire, name, line, character):
    """Sends all of these at once, and expects a result for each."""
    messages = [wire.request(*question) for question in questions(wire, name, line, character)]
    wire.send(*messages)
    for message in messages:
        answer = wire.answer(message["id"])
        assert "result" in answer, (message["method"], answer)


# Files.


def test_a_file_that_is_not_utf_8_is_reported(wire):
    write(wire.folder, "app.lua", b"print('\xff\xfe\xe4')\n")
    write(wire.folder, "other.lua", BAD)
    wire.initialize()
    assert wire.told("other.lua") == [UNKNOWN]
    assert wire.problems("app.lua") != []
    ask_everything(wire, "app.lua", 0, 7)


def test_a_file_that_is_not_utf_8_can_be_fixed(wire):
    write(wire.folder, "app.lua", b"print('\xff')\n")
    wire.initialize()
    wire.open("app.lua", BAD)
    assert wire.told("app.lua", 1) == [UNKNOWN]
    write(wire.folder, "app.lua", GOOD)
    wire.forget()
    wire.close("app.lua")
    assert wire.told("app.lua") == []


def test_a_byte_order_mark_is_counted_if_it_was_sent(wire):
    write(wire.folder, "saved.lua", "\ufeff" + BAD)
    wire.initialize()
    for uri, text, start in [("saved.lua", None, 6), ("typed.lua", "\ufeff" + BAD, 7)]:
        if text:
            wire.open(uri, text)
        report = wire.ask("textDocument/diagnostic", {"textDocument": {"uri": wire.uri(uri)}})
        [range] = [item["range"] for item in report["items"]]
        assert [range[side]["character"] for side in ("start", "end")] == [start, start + 9], uri


def test_half_of_a_surrogate_pair_does_not_end_it(wire):
    wire.initialize()
    body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {
        "textDocument": {"uri": wire.uri("app.lua"), "languageId": "lua", "version": 1,
                         "text": "print('@')\nprint(x)"}}})
    wire.send(body.replace("@", "\\ud83d").encode())
    assert wire.is_alive()
    wire.open("app.lua", BAD, 2)
    assert wire.told("app.lua", 2) == [UNKNOWN]


@pytest.mark.parametrize("text", [
    "-- ä comment\n" * 800_000, "print(models.fruit.name)\n" * 420_000,
    "local s = [[\n" + "x" * 10_000_000 + "]]\n",
], ids=["comments", "statements", "one string"])
def test_a_file_of_10_megabytes_is_edited(wire, text):
    wire.initialize()
    wire.open("app.lua", text)
    wire.told("app.lua", 1)
    start = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}}
    for version in range(2, 6):
        wire.change("app.lua", version, {"range": start, "text": "-"})
    wire.told("app.lua", 5)
    ask_everything(wire, "app.lua", 3, 5)
    assert wire.memory() < 400
    wire.change("app.lua", 6, BAD)
    assert wire.told("app.lua", 6) == [UNKNOWN]


def test_a_file_of_10_megabytes_on_the_disk_does_not_delay_others(wire):
    write(wire.folder, "data.lua", "return {\n" + "  { 1, 2, 3 },\n" * 700_000 + "}\n")
    write(wire.folder, "app.lua", 'local data = require "data"\n' + BAD)
    wire.initialize()
    wire.open("app.lua", 'local data = require "data"\n' + BAD)
    assert wire.told("app.lua", 1) == [UNKNOWN]


def test_a_file_that_is_deleted_while_open_is_checked_until_it_is_closed(wire):
    write(wire.folder, "app.lua", BAD)
    wire.initialize()
    wire.open("app.lua", BAD)
    assert wire.told("app.lua", 1) == [UNKNOWN]
    os.remove(wire.folder / "app.lua")
    wire.notify("workspace/didChangeWatchedFiles", {
        "changes": [{"uri": wire.uri("app.lua"), "type": 3}]})
    assert wire.problems("app.lua") == [UNKNOWN]
    wire.change("app.lua", 2, BAD + BAD)
    assert wire.told("app.lua", 2) == [UNKNOWN] * 2
    ask_everything(wire, "app.lua", 0, 8)
    wire.forget()
    wire.close("app.lua")
    assert wire.told("app.lua") == []


def test_a_file_that_was_created_unnoticed_belongs_to_the_app_once_it_is_open(wire):
    app = 'local part = require "part"\nprint(part.one)\n'
    write(wire.folder, "app.lua", app)
    wire.initialize()
    wire.open("app.lua", app)
    assert wire.told("app.lua", 1) != []
    write(wire.folder, "part.lua", "return { one = 1 }\n")
    wire.open("part.lua", "return { one = 1 }\n")
    assert wire.told("part.lua", 1) == []
    assert wire.problems("app.lua") == []


def test_deleting_a_folder_does_not_end_it(wire):
    write(wire.folder, "lib/part.lua", BAD)
    wire.initialize()
    wire.open("lib/part.lua", BAD)
    assert wire.told("lib/part.lua", 1) == [UNKNOWN]
    os.remove(wire.folder / "lib/part.lua")
    os.rmdir(wire.folder / "lib")
    wire.change("lib/part.lua", 2, GOOD)
    assert wire.told("lib/part.lua", 2) == []


@pytest.mark.parametrize("kind", ["a folder", "a broken link", "a loop of links", "a pipe",
                                  "unreadable", "empty"])
def test_a_file_that_is_not_a_script_does_not_stop_checking(wire, kind):
    place = wire.folder / "part.lua"
    match kind:
        case "a folder": place.mkdir()
        case "a broken link": place.symlink_to(wire.folder / "nowhere.lua")
        case "a loop of links": place.symlink_to(place)
        case "a pipe": os.mkfifo(place)
        case "unreadable":
            place.write_text(BAD)
            place.chmod(0)
        case "empty": place.write_text("")
    write(wire.folder, "app.lua", 'require "part"\n' + BAD)
    wire.initialize()
    wire.open("app.lua", BAD)
    assert UNKNOWN in wire.told("app.lua", 1)
    ask_everything(wire, "app.lua", 0, 8)
    for method, params in questions(wire, "part.lua", 0, 0):
        wire.ask(method, params)
    assert wire.is_alive()


def test_a_file_outside_the_app_is_checked_by_itself(tmp_path):
    app = tmp_path / "app"
    write(app, "app.lua", GOOD)
    write(tmp_path, "outside/part.lua", BAD)
    outside = tmp_path / "outside/part.lua"
    with Wire(app) as wire:
        wire.initialize()
        uri = outside.as_uri()
        wire.open(uri, BAD + BAD)
        assert wire.told(uri, 1) == [UNKNOWN] * 2
        ask_everything(wire, uri, 1, 8)
        assert wire.problems("app.lua") == []
        wire.close(uri)
        assert wire.is_alive()


def test_without_a_folder_files_are_checked_by_themselves(wire):
    wire.initialize(rootUri=None)
    wire.open("app.lua", BAD)
    assert wire.told("app.lua", 1) == [UNKNOWN]


# URIs.

NAMES = ["with blank.lua", "ä😀.lua", "100%.lua", "%41.lua", "a#b?c.lua", "a+b&c=d.lua", "[x].lua",
         "deep er/still deeper/app.lua"]


@pytest.mark.parametrize("name", NAMES)
def test_files_may_have_any_name(wire, name):
    write(wire.folder, name, BAD)
    wire.initialize()
    assert wire.told(name) == [UNKNOWN]
    wire.open(name, GOOD)
    assert wire.told(name, 1) == []


def test_a_uri_may_be_written_in_several_ways(wire):
    write(wire.folder, "a b.lua", GOOD)
    wire.initialize()
    plain = wire.uri("a b.lua")
    odd = plain.replace("file:///", "FILE://localhost/").replace("b.lua", "%62%2Elua")
    wire.open(odd, BAD)
    # The server uses the spelling that the client gave it.
    assert wire.told(odd, 1) == [UNKNOWN]
    assert wire.problems(plain) == [UNKNOWN]
    wire.change(plain, 2, GOOD)
    assert wire.told(odd, 2) == []


def test_a_link_to_a_folder_may_be_the_app(tmp_path):
    real = tmp_path / "real"
    text = 'local p = require "part"\nprint(p.on)\n'
    write(real, "app.lua", text)
    write(real, "part.lua", "return { one = 1 }\n")
    (tmp_path / "link").symlink_to(real)
    with Wire(tmp_path / "link") as wire:
        wire.initialize()
        wire.open("app.lua", text)
        assert len(wire.told("app.lua", 1)) == 1
        wire.open("part.lua", "return { on = 1 }\n")
        assert wire.told("app.lua", 1) == []
        [place] = wire.ask("textDocument/definition", wire.at("app.lua", 1, 9))
        assert place["uri"] == wire.uri("part.lua")


def test_two_names_of_one_file_are_two_documents(wire):
    write(wire.folder, "real.lua", GOOD)
    (wire.folder / "link.lua").symlink_to(wire.folder / "real.lua")
    wire.initialize()
    wire.open("real.lua", BAD)
    wire.open("link.lua", GOOD)
    assert wire.told("real.lua", 1) == [UNKNOWN]
    wire.close("link.lua")
    assert wire.is_alive()
    assert wire.problems("real.lua") == [UNKNOWN]


@pytest.mark.parametrize("uri", [
    "", "app.lua", ":", "file:", "file://", "file:///", "file://elsewhere/app.lua",
    "file:///%zz.lua", "file:///%ff.lua", "file:///a%00b.lua", "http://example.org/app.lua",
    "untitled:", "untitled:a/../../b", "file:///" + "x" * 5000 + ".lua", "git:/app.lua?ref",
])
def test_odd_uris_are_documents_too(wire, uri):
    wire.initialize()
    wire.uri = lambda name: name
    wire.open(uri, BAD)
    ask_everything(wire, uri, 0, 8)
    wire.change(uri, 2, BAD + BAD)
    wire.close(uri)
    assert wire.is_alive()


# Positions.

PLACES = [
    (0, 0), (0, 999_999), (1, 0), (1, 1), (999_999, 0), (999_999, 999_999),
    (0, 2**31 - 1), (2**31 - 1, 2**31 - 1), (2**63 - 1, 2**63 - 1), (0, 2**63 - 1),
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("text", ["", "x = 1", "print('ä😀')\r\nx = 1", "-- 😀"])
def test_positions_beyond_the_end_are_the_end(wire, encoding, text):
    wire.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    wire.open("app.lua", text)
    for line, character in PLACES:
        ask_everything(wire, "app.lua", line, character)
    far = {"line": 999_999, "character": 999_999}
    wire.change("app.lua", 2, {"range": {"start": far, "end": far}, "text": "\n" + BAD})
    assert UNKNOWN in wire.told("app.lua", 2)


@pytest.mark.parametrize("encoding, width", [("utf-8", 4), ("utf-16", 2)])
def test_positions_within_a_character_split_nothing(wire, encoding, width):
    wire.initialize(capabilities={"general": {"positionEncodings": [encoding]}})
    wire.open("app.lua", "print('😀')\n")
    for character in range(7, 8 + width):
        ask_everything(wire, "app.lua", 0, character)
    middle = {"line": 0, "character": 8}
    wire.change("app.lua", 2, {"range": {"start": middle, "end": middle}, "text": "ä"})
    assert wire.told("app.lua", 2) == []


@pytest.mark.parametrize("position", [
    {"line": 0.5, "character": 0},
    {"line": "0", "character": 0}, {"line": 0}, {}, None, [], "0:0",
    {"line": 1e300, "character": 0}, {"line": 2**64, "character": 0},
])
def test_an_invalid_position_is_refused(wire, position):
    wire.initialize()
    wire.open("app.lua", GOOD)
    params = {**wire.at("app.lua"), "position": position}
    for method in ["textDocument/hover", "textDocument/completion", "textDocument/definition"]:
        assert wire.ask(method, params) == INVALID_PARAMS
    assert wire.is_alive()


@pytest.mark.parametrize("line, character", [(-1, 0), (0, -1), (-(2**63), -(2**63))])
def test_positions_before_the_beginning_do_no_harm(wire, line, character):
    wire.initialize()
    wire.open("app.lua", GOOD)
    for method, params in questions(wire, "app.lua", line, character):
        answer = wire.ask(method, params)
        assert answer == INVALID_PARAMS or not isinstance(answer, int), method
    assert wire.is_alive()


@pytest.mark.parametrize("range", [
    {"start": {"line": 0, "character": 5}, "end": {"line": 0, "character": 1}},
    {"start": {"line": 9, "character": 0}, "end": {"line": 0, "character": 0}},
])
def test_a_range_that_runs_backwards_does_no_harm(wire, range):
    wire.initialize()
    wire.open("app.lua", GOOD)
    wire.change("app.lua", 2, {"range": range, "text": ""})
    assert wire.is_alive()
    wire.change("app.lua", 3, BAD)
    assert wire.told("app.lua", 3) == [UNKNOWN]
    document = {"textDocument": wire.at("app.lua")["textDocument"], "range": range}
    for method in ["inlayHint", "semanticTokens/range", "codeAction"]:
        answer = wire.ask(f"textDocument/{method}", {**document, "context": {"diagnostics": []}})
        assert answer == INVALID_PARAMS or not isinstance(answer, int)


# The order of messages.


def test_requests_have_to_wait_for_initialize(wire):
    assert wire.ask("textDocument/hover", wire.at("app.lua")) == NOT_INITIALIZED
    assert wire.ask("shutdown") == NOT_INITIALIZED
    wire.open("app.lua", BAD)
    wire.initialize()
    assert wire.ask("initialize") == INVALID_REQUEST
    assert wire.problems("app.lua") == []


def test_documents_that_are_not_open_can_be_neither_changed_nor_closed(wire):
    wire.initialize()
    wire.change("app.lua", 2, BAD)
    wire.close("app.lua")
    wire.notify("textDocument/didSave", {"textDocument": {"uri": wire.uri("app.lua")}})
    told = wire.next(lambda message: message.get("method") == "window/logMessage")
    assert "is not open" in told["params"]["message"]
    ask_everything(wire, "app.lua", 0, 0)


def test_a_document_that_is_opened_twice_has_the_new_text(wire):
    wire.initialize()
    wire.open("app.lua", GOOD)
    wire.open("app.lua", BAD, 2)
    assert wire.told("app.lua", 2) == [UNKNOWN]
    wire.close("app.lua")
    wire.close("app.lua")
    assert wire.is_alive()


def test_versions_may_go_back(wire):
    wire.initialize()
    wire.open("app.lua", GOOD, 10)
    wire.change("app.lua", 3, BAD)
    assert wire.told("app.lua", 3) == [UNKNOWN]


def test_changes_of_one_message_are_made_in_their_order(wire):
    wire.initialize()
    wire.open("app.lua", "")
    start = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    letters = [{"range": start, "text": letter} for letter in reversed("print(unheardOf)")]
    wire.change("app.lua", 2, GOOD, "", *letters)
    assert wire.told("app.lua", 2) == [UNKNOWN]


def test_after_shutdown_only_exit_counts(wire):
    wire.initialize()
    assert wire.ask("shutdown") is None
    wire.open("app.lua", BAD)
    assert wire.ask("textDocument/hover", wire.at("app.lua")) == INVALID_REQUEST
    wire.notify("exit")
    assert wire.end() == 0


def test_an_answer_without_a_request_is_ignored(wire):
    wire.initialize()
    wire.send({"jsonrpc": "2.0", "id": 77, "result": {}},
              {"jsonrpc": "2.0", "id": "tidelock-9", "error": {"code": 1, "message": "no"}})
    assert wire.is_alive()


# Cancelled and duplicated requests.


def cancel(id):
    return {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": id}}


def outcomes(wire, requests):
    """The error code of each request, or none; each must be answered exactly once."""
    found = []
    for request in requests:
        found.append(wire.answer(request["id"]).get("error", {}).get("code"))
    assert wire.is_alive()
    ids = {request["id"] for request in requests}
    assert not [message for message in wire.seen if message.get("id") in ids]
    return found


def test_cancelled_requests_that_wait_are_answered_as_cancelled(wire):
    for number in range(40):
        write(wire.folder, f"part{number}.lua", "local function f() end\n" * 100)
    wire.initialize()
    requests = [wire.request("workspace/symbol", {"query": "f"}) for _ in range(50)]
    wire.send(*requests, *[cancel(request["id"]) for request in requests])
    found = outcomes(wire, requests)
    assert set(found) <= {None, CANCELLED}
    # The last one waits for the first, and by then its cancellation has arrived.
    assert found[-1] == CANCELLED


def test_a_cancellation_of_nothing_is_ignored(wire):
    wire.initialize()
    wire.send(cancel(999), cancel("x"), cancel(None), {"jsonrpc": "2.0",
              "method": "$/cancelRequest"})
    assert wire.is_alive()


def test_a_request_can_be_cancelled_after_its_answer(wire):
    wire.initialize()
    request = wire.request("workspace/symbol", {"query": ""})
    wire.send(request)
    assert outcomes(wire, [request]) == [None]
    wire.send(cancel(request["id"]))
    # Its id may be used again.
    wire.send(request)
    assert outcomes(wire, [request]) == [None]


def test_an_id_that_is_in_use_is_refused(wire):
    for number in range(40):
        write(wire.folder, f"part{number}.lua", "local function f() end\n" * 100)
    wire.initialize()
    slow = wire.request("workspace/symbol", {"query": "f"})
    wire.send(slow, {**slow, "method": "shutdown"})
    answers = [wire.answer(slow["id"]) for _ in range(2)]
    codes = sorted(answer.get("error", {}).get("code", 0) for answer in answers)
    assert codes == [INVALID_REQUEST, 0]
    assert wire.is_alive()


def test_ids_may_be_strings(wire):
    wire.initialize()
    wire.send({"jsonrpc": "2.0", "id": "ä😀", "method": "workspace/symbol",
               "params": {"query": ""}})
    assert wire.answer("ä😀")["result"] == []


# Invalid messages.


@pytest.mark.parametrize("body", [
    b"", b"{", b"nonsense", b"\xff\xfe", b"{} {}", b'{"jsonrpc":"2.0","id":1', b"[" * 200_000,
    b'{"a":' * 100_000,
], ids=["nothing", "a brace", "words", "no UTF-8", "two", "cut", "deep lists", "deep objects"])
def test_invalid_json_is_answered_and_skipped(wire, body):
    wire.initialize()
    wire.send(body)
    answer = wire.next(lambda message: "error" in message and message.get("id") is None)
    assert answer["error"]["code"] == PARSE_ERROR
    assert wire.is_alive()


@pytest.mark.parametrize("body", [
    "null", "1", '"x"', "[]", "{}", '[{"jsonrpc":"2.0","id":1,"method":"shutdown"}]',
    '{"jsonrpc":"2.0","id":{},"method":"shutdown"}', '{"jsonrpc":"2.0","id":5,"method":7}',
    '{"jsonrpc":"2.0","id":1.5,"method":"shutdown"}', '{"id":6}', '{"method":null}',
])
def test_an_invalid_message_is_refused(wire, body):
    wire.initialize()
    wire.send(body.encode())
    answer = wire.next(lambda message: "error" in message)
    assert answer["error"]["code"] == INVALID_REQUEST
    assert wire.is_alive()


def test_unknown_requests_are_refused_and_unknown_notifications_ignored(wire):
    wire.initialize()
    assert wire.ask("textDocument/unheardOf", {}) == METHOD_NOT_FOUND
    assert wire.ask("$/unheardOf", {}) == METHOD_NOT_FOUND
    wire.notify("textDocument/unheardOf")
    wire.notify("$/unheardOf")
    assert wire.is_alive()


@pytest.mark.parametrize("params", [{}, [], "x", 7, None, {"textDocument": {}},
                                    {"textDocument": {"uri": 7}}])
def test_missing_parameters_are_refused(wire, params):
    wire.initialize()
    write(wire.folder, "app.lua", BAD)
    for method, _ in questions(wire, "app.lua", 0, 0):
        message = {**wire.request(method), "params": params}
        wire.send(message)
        assert wire.answer(message["id"])["error"]["code"] == INVALID_PARAMS, method
        wire.send({"jsonrpc": "2.0", "method": method, "params": params})
    for method in ["didOpen", "didChange", "didClose", "didSave"]:
        wire.send({"jsonrpc": "2.0", "method": f"textDocument/{method}", "params": params})
    for method in ["didChangeWatchedFiles", "didChangeWorkspaceFolders", "didChangeConfiguration"]:
        wire.send({"jsonrpc": "2.0", "method": f"workspace/{method}", "params": params})
    assert wire.is_alive()


def test_messages_may_come_in_pieces_of_a_byte(wire):
    wire.initialize()
    request = wire.request("workspace/symbol", {"query": ""})
    for byte in wire.frame(request):
        wire.write(bytes([byte]))
    assert wire.answer(request["id"])["result"] == []


def test_headers_may_have_more_lines(wire):
    wire.initialize()
    request = wire.request("workspace/symbol", {"query": ""})
    body = json.dumps(request).encode()
    wire.write(b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n"
               b"content-length: %d\r\n\r\n" % len(body) + body)
    assert wire.answer(request["id"])["result"] == []


@pytest.mark.parametrize("header", [
    b"\r\n", b"nonsense\r\n\r\n", b"Content-Length: -1\r\n\r\n", b"Content-Length: x\r\n\r\n",
    b"Content-Length: 99999999999999999999\r\n\r\n", b"Content-Length: 1000000000\r\n\r\n",
    b"x" * 100_000,
])
def test_an_invalid_header_ends_it_with_a_message(wire, header):
    wire.initialize()
    try:
        wire.write(header)
    except BrokenPipeError:
        pass
    assert wire.end() == 1
    assert "tidelock" in wire.said()


def test_it_ends_with_its_input(wire):
    wire.initialize()
    wire.process.stdin.close()
    assert wire.end() == 1


# A client that never reads.


def test_a_client_that_reads_late_finds_the_newest_diagnostics(tmp_path):
    write(tmp_path, "app.lua", GOOD)
    with Wire(tmp_path, reads=False) as wire:
        wire.send(wire.request("initialize", {
            "rootUri": tmp_path.as_uri(), "capabilities": {}}))
        wire.notify("initialized")
        # The diagnostics of each version take a few hundred kilobytes.
        text = "print(unheardOf)\n" * 800
        wire.open("app.lua", text)
        for version in range(2, 150):
            wire.change("app.lua", version, text + f"-- {version}\n")
        wire.change("app.lua", 150, BAD)
        last = wire.request("workspace/symbol", {"query": "no such name"})
        wire.send(last)
        assert wire.memory() < 300
        wire.read()
        assert wire.told("app.lua", 150) == [UNKNOWN]
        assert wire.answer(last["id"])["result"] == []
        told = [message for message in wire.seen if message.get("method") == DIAGNOSTICS]
        assert len(told) < 150
        assert wire.shut_down() == 0


def test_a_client_that_sends_requests_and_never_reads_is_given_up(tmp_path):
    with Wire(tmp_path, reads=False) as wire:
        wire.send(wire.request("initialize", {
            "rootUri": tmp_path.as_uri(), "capabilities": {}}))
        # The answer names the unknown method, so it is as long as the request.
        question = wire.frame(wire.request("x" * 1_000_000))

        def ask():
            try:
                for number in range(100):
                    wire.write(question.replace(b'"id": 2', b'"id": %d' % number))
            except (BrokenPipeError, ValueError):
                pass

        threading.Thread(target=ask, daemon=True).start()
        assert wire.process.wait(30) == 1
        assert "tidelock" in wire.said()


# Half-written text.

APP = """local commands = require("commands")
local fruit = model "fruit" { name = "äpple", seeds = list { { weight = 1 } } }
bind "fruit.seeds.@sum.weight -> title.text | clamp(1, 2)"
return view.column {
  view.label { id = "title", bindTo = { text = "fruit.name | uppercase" } },
  view.button { on = { touchUpInside = function() commands.ripen(fruit.name, 2) end } },
  view.list { bindTo = { items = "fruit.seeds" }, cell = function(seed)
    return view.label { text = function() return seed.weight end } -- its weight
  end },
}
"""


def test_a_text_that_is_cut_anywhere_gets_answers(wire):
    write(wire.folder, "commands.lua", "return { ripen = function(name, by) end }\n")
    wire.initialize()
    wire.open("app.lua", "")
    step = int(os.environ.get("TIDELOCK_CUT_STEP", "9"))
    for version, end in enumerate(range(0, len(APP) + 1, step), 2):
        text = APP[:end]
        wire.change("app.lua", version, text)
        lines = text.split("\n")
        ask_everything(wire, "app.lua", len(lines) - 1, len(lines[-1].encode("utf-16-le")) // 2)


def test_a_text_that_is_scrambled_gets_answers(wire):
    seed = int(os.environ.get("TIDELOCK_SEED", random.randrange(2**32)))
    print(f"TIDELOCK_SEED={seed}")
    generator = random.Random(seed)
    write(wire.folder, "commands.lua", "return { ripen = function(name, by) end }\n")
    wire.initialize()
    wire.open("app.lua", APP)
    for version in range(2, 2 + int(os.environ.get("TIDELOCK_SCRAMBLES", "40"))):
        letters = list(APP)
        for _ in range(generator.randrange(1, 30)):
            one, other = generator.randrange(len(letters)), generator.randrange(len(letters))
            letters[one], letters[other] = letters[other], letters[one]
        text = "".join(letters)
        wire.change("app.lua", version, text)
        lines = text.split("\n")
        line = generator.randrange(len(lines))
        ask_everything(wire, "app.lua", line, generator.randrange(len(lines[line]) + 1))


@pytest.mark.parametrize("text", [
    "local x = 1\n" + "ä" * 20_000, "x(1 " * 5_000 + "}" * 5_000, "(" * 20_000, "{" * 20_000,
    "a." * 20_000, "--[[" * 20_000, "[[" + "]" * 20_000, "local t = {" + "a=1," * 4_000 + "}",
    'bind "' + "a." * 5_000 + '"', 'bind "a -> b' + " | uppercase" * 3_000 + '"',
    "if x then " * 5_000, "function f() " * 5_000, "f" + "()" * 20_000, "x = " + "-" * 20_000,
    "return " + "not " * 20_000, "x = 1 .. " * 10_000, "\0" * 20_000, "\r" * 20_000, "\\" * 20_000,
], ids=["no tokens", "wrong ends", "parentheses", "braces", "steps", "comments", "brackets",
        "a long line", "a long path", "many transformers", "blocks", "functions", "calls",
        "signs", "operators", "concatenations", "zeros", "returns", "backslashes"])
def test_hostile_text_gets_answers_in_time(wire, text):
    wire.initialize()
    wire.open("app.lua", text)
    ask_everything(wire, "app.lua", 0, 12)
    wire.change("app.lua", 2, BAD)
    assert UNKNOWN in wire.told("app.lua", 2)
