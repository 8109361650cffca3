"""How many changes a second reach each of a thousand viewers of a label that changes 60 times a second,
and each of one viewer alone, which shows how often the app itself changes and draws. It begins to change
when all are connected.

The server has one processor for itself, the viewers have the others. They are not what limits it while
the busiest of their processes leaves some of its processor.
"""

import os
import statistics
import time

from crowd import Crowd
from report import Goal, Section
from server import Unsupported
from viewer import Viewer

RATE = 60
VIEWERS = 1000
PAUSE = 2  # seconds until it goes its way


def viewers(program, quick):
    seconds = 3 if quick else 10
    many = f"{VIEWERS} viewers"
    section = Section(
        "viewers", f"a label that changes {RATE} times a second, a server on one processor",
        {"least": "least a second", "median": "median", "server": "server, % core",
         "viewers": "viewers, % core"},
        # The last change may come after the end.
        [Goal(many, "least", RATE - 1 / seconds, is_minimum=True)])
    try:
        for subject, count, processes in (many, VIEWERS, 2), ("1 viewer", 1, 1):
            for _ in range(1 if quick else 3):
                measure(section, subject, program, count, processes, seconds)
    except Unsupported as error:
        section.notes.append(f"skipped. {error}")
    return section


def measure(section, subject, program, count, processes, seconds):
    own, *others = sorted(os.sched_getaffinity(0))
    options = ["--limit", f"viewers={VIEWERS + 1}"]
    with program.serve("viewers", str(RATE), options=options) as server:
        with Crowd(server.door, count, processes, set(others) or {own}) as crowd:
            confine(server.process.pid, {own})
            with Viewer(server.door) as starter:
                starter.send("press", starter.first("button"))
                time.sleep(PAUSE)
            cpu = server.cpu()
            counts, busiest = crowd.count(seconds)
            section.add(
                subject, least=min(counts) / seconds, median=statistics.median(counts) / seconds,
                server=(server.cpu() - cpu) / seconds * 100, viewers=busiest / seconds * 100)


def confine(process, processors):
    """Keeps all threads of a process to some processors."""
    for thread in os.listdir(f"/proc/{process}/task"):
        os.sched_setaffinity(int(thread), processors)
