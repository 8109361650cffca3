"""What a viewer costs the server that has nothing to do: how much its resident memory grows by many of
them, divided by their number. One is there before, with all that is made only once."""

import time

from crowd import Crowd
from report import Goal, Section
from server import EXAMPLES, Unsupported
from viewer import Viewer

PAUSE = 2  # seconds until the server has nothing to do


def memory(program, quick):
    section = Section(
        "memory", "resident memory of the server for a viewer of the fruit app, without TLS", {"each": "KB"},
        [Goal("shared viewer", "each", 50), Goal("private session", "each", 1024)])
    add(section, program, "shared viewer", 500, ["--limit", "viewers=1000"])
    add(section, program, "private session", 50, ["--sessions", "private", "--limit", "viewers=100"])
    return section


def add(section, program, subject, count, options):
    try:
        with (
            program.serve(EXAMPLES / "fruit/app.lua", options=options) as server,
            Viewer(server.door) as first,
        ):
            first.frame()
            time.sleep(PAUSE)
            before = server.memory()
            with Crowd(server.door, count):
                time.sleep(PAUSE)
                section.add(subject, each=(server.memory() - before) / count / 1024)
    except Unsupported as error:
        section.notes.append(f"{subject}: skipped. {error}")
