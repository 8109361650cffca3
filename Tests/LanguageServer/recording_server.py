#!/usr/bin/env python3
"""A language server that passes everything on to another, and records what the client sends.

    recording_server.py FILE PROGRAM ARGUMENT…

Each message of the client is written to the file, one to a line.
"""

import json
import subprocess
import sys
import threading

from scripted_server import read


def main():
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def answer():
        while data := server.stdout.read1(1 << 16):
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()

    answering = threading.Thread(target=answer)
    answering.start()
    with open(sys.argv[1], "a", buffering=1) as file:
        while (message := read(sys.stdin.buffer)) is not None:
            file.write(json.dumps(message, ensure_ascii=False) + "\n")
            body = json.dumps(message).encode()
            server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            server.stdin.flush()
            if message.get("method") == "exit":
                break
    server.stdin.close()
    answering.join()
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
