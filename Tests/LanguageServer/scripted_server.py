#!/usr/bin/env python3
"""A language server that answers as a script says.

    scripted_server.py SCRIPT LOG

The script is a JSON object:

    capabilities   what it answers to initialize
    answers        results by method; {"$error": {...}} is an error, {"$never": true} no answer,
                   {"$exit": N} ends the program
    after          messages by method, which are sent after one of that method has come; a message
                   with an id is a request

Each message that comes is written to the log, one to a line. $/cancelRequest is answered as the
protocol requires. The words after LOG are those of the command, and are ignored.
"""

import json
import sys


def main():
    with open(sys.argv[1]) as file:
        script = json.load(file)
    log = open(sys.argv[2], "a", buffering=1)
    log.write(json.dumps({"started": sys.argv[3:]}) + "\n")
    while (message := read(sys.stdin.buffer)) is not None:
        log.write(json.dumps(message) + "\n")
        method = message.get("method")
        if method == "exit":
            sys.exit(0)
        if method == "$/cancelRequest":
            error = {"code": -32800, "message": "cancelled"}
            send({"id": message["params"]["id"], "error": error})
        elif method is not None and "id" in message:
            answer(script, message)
        for more in script.get("after", {}).get(method, []):
            if "$exit" in more:
                sys.exit(more["$exit"])
            send(more)


def answer(script, message):
    identifier, method = message["id"], message["method"]
    if method == "initialize":
        return send({"id": identifier, "result": {"capabilities": script.get("capabilities", {})}})
    result = script.get("answers", {}).get(method)
    if isinstance(result, dict):
        if "$error" in result:
            return send({"id": identifier, "error": result["$error"]})
        if "$exit" in result:
            sys.exit(result["$exit"])
        if "$never" in result:
            return None
    return send({"id": identifier, "result": result})


def read(stream):
    length = 0
    while True:
        line = stream.readline()
        if not line:
            return None
        if line == b"\r\n":
            return json.loads(stream.read(length))
        name, _, value = line.decode().partition(":")
        if name.lower() == "content-length":
            length = int(value)


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
