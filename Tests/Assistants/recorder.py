"""Runs a server for a client and records each message that passes: `recorder.py FILE PROGRAM …`."""

import subprocess
import sys
import threading


def copy(source, target, mark, record, lock):
    for line in source:
        with lock:
            record.write(mark + line)
            record.flush()
        try:
            target.write(line)
            target.flush()
        except BrokenPipeError:
            break
    target.close()


def main():
    lock = threading.Lock()
    with open(sys.argv[1], "ab") as record:
        server = subprocess.Popen(
            sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        answers = threading.Thread(
            target=copy, args=(server.stdout, sys.stdout.buffer, b"<", record, lock)
        )
        answers.start()
        copy(sys.stdin.buffer, server.stdin, b">", record, lock)
        answers.join()
        sys.exit(server.wait())


main()
