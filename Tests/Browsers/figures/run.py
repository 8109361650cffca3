"""Measures apps in browsers, beside others; `scripts/bench-web` is how to start it.

Each section of the table in `SECTIONS` is a module that says what it measures and how.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time

import changes, keys, memory, script, start, viewers
from report import print_lines, print_table
from server import Program

SECTIONS = {
    "label": changes.label,
    "table": changes.table,
    "key": keys.with_beat,
    "key-free": keys.without_beat,
    "client": script.client,
    "memory": memory.memory,
    "viewers": viewers.viewers,
    "start": start.start,
}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench-web")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="", metavar="NAME,…")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    chosen = options.only.split(",")
    names = [name for name in SECTIONS if any(name.startswith(each) for each in chosen)]
    if not names:
        parser.error(f"there is no such section; there are {', '.join(SECTIONS)}")

    if not options.json:
        load = os.getloadavg()[0]
        print(time.strftime("%F %R"), f"{os.cpu_count()} processors, load {load:.1f} at the start", sep=", ")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tidelock-") as folder:
        # A copy, so that a build does not disturb what runs.
        program = Program(shutil.copy(os.environ["TIDELOCK_PROGRAM"], folder), folder)
        for name in names:
            if sys.stderr.isatty():
                print(f"\033[2K\r{name}", end="", file=sys.stderr, flush=True)
            try:
                section = SECTIONS[name](program, options.quick)
            except Exception as error:
                failures += 1
                print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
                continue
            if sys.stderr.isatty():
                print("\033[2K\r", end="", file=sys.stderr, flush=True)
            (print_lines if options.json else print_table)(section)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
