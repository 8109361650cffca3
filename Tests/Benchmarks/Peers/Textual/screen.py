"""V1 in Textual: labels of one cell each that all change, and the frame that follows.

    python screen.py COLUMNS ROWS

Headless, so that no terminal is written to. Reports as Measure.h says.
"""

import asyncio
import json
import sys
import time

from textual.app import App
from textual.containers import Horizontal
from textual.widgets import Static

COLUMNS, ROWS = int(sys.argv[1]), int(sys.argv[2])


class Labels(App):
    CSS = "Horizontal { height: 1; } Static { width: 1; height: 1; }"

    def compose(self):
        self.labels = [Static("a") for _ in range(COLUMNS * ROWS)]
        for row in range(ROWS):
            yield Horizontal(*self.labels[row * COLUMNS : (row + 1) * COLUMNS])


async def main():
    app = Labels()
    times = []
    async with app.run_test(size=(COLUMNS, ROWS)) as pilot:
        await pilot.pause()
        for letter in "bcd":
            start = time.process_time()
            for label in app.labels:
                label.update(letter)
            shown = asyncio.Event()
            app.call_after_refresh(shown.set)
            await shown.wait()
            await pilot.pause()
            times.append((time.process_time() - start) * 1000)
    print(json.dumps({"measure": "frame", "value": min(times)}))


asyncio.run(main())
