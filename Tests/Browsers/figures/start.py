"""How long an app takes to be there: from the start of the process to the printed address, and to the
page that is answered to who opens it, by way of the cookie."""

import time

from report import Goal, Section
from server import EXAMPLES


def start(program, quick):
    section = Section(
        "start", "from the start of the process, ms", {"address": "address", "page": "first page"},
        [Goal("Tidelock", "page", 50)])
    for _ in range(7 if quick else 21):
        began = time.perf_counter()
        with program.serve(EXAMPLES / "fruit/app.lua") as server:
            printed = time.perf_counter()
            _, page = server.door.get("/")
            if b"<script" not in page:
                raise AssertionError("the page is not there")
            answered = time.perf_counter()
        section.add("Tidelock", address=(printed - began) * 1000, page=(answered - began) * 1000)
    return section
