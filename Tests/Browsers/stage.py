"""What a scenario plays on: apps behind proxies, and pages of a browser that show them.

    @scenario
    def typing_in_a_field(stage):
        app = stage.serve("fields")
        page = stage.open(app)
        page.get_by_label("Name").press_sequentially("Ada")
        stage.wait_for(lambda: app.read("views.name.text"), "Ada")
"""

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

from proxy import Proxy

ROOT = Path(__file__).resolve().parents[2]
APPS = Path(__file__).resolve().parent / "apps"
# A copy, so that a build does not disturb what runs.
PROGRAM = Path(os.environ.get("TIDELOCK", ROOT / ".build/debug/tidelock"))
# The client of the sources in place of that which was built in, where somebody works on it.
CLIENT = ROOT / "Sources/CTideWeb/client" if os.environ.get("TIDELOCK_CLIENT") else None
LATENCIES = [0, 200, 1000]  # milliseconds of a round trip

# Generous, for machines that have other things to do.
PATIENCE = 20

scenarios = {}


def scenario(function=None, *, latencies=LATENCIES):
    """Has a function run as a scenario, once for each latency."""
    if function is None:
        return lambda function: scenario(function, latencies=latencies)
    function.latencies = latencies
    scenarios[function.__name__] = function
    return function


class App:
    """An app that is served; its files are copies, so that they can be saved."""

    def __init__(self, source, *options, latency=0, zone="UTC"):
        source = source if isinstance(source, Path) else APPS / f"{source}.lua"
        self._folder = tempfile.TemporaryDirectory(prefix="tidelock-")
        folder = Path(self._folder.name) / "app"
        if source.name == "app.lua":
            shutil.copytree(source.parent, folder)
        else:
            folder.mkdir()
            shutil.copy(source, folder)
        self.file = folder / source.name
        self.options = options
        self.zone = zone
        self.may_end = False
        self.port = self.proxy = None
        self.latency = latency / 1000
        self.start()

    def start(self):
        """Starts the app at a free port; a restart uses the same again."""
        chosen = self.port
        while True:
            if not chosen:
                with socket.create_server(("127.0.0.1", 0)) as free:
                    self.port = free.getsockname()[1]
            try:
                line = self.launch()
                break
            except AssertionError as error:
                # Another process took the port first.
                if chosen or "already in use" not in str(error):
                    raise
        self.proxy = self.proxy or Proxy(self.port)
        self.url = line.replace(str(self.port), str(self.proxy.port), 1)

    def launch(self):
        environment = {
            **os.environ, "LC_ALL": "C.UTF-8", "TZ": self.zone,
            "XDG_DATA_HOME": self._folder.name, "XDG_CONFIG_HOME": self._folder.name,
            "XDG_STATE_HOME": self._folder.name,
        }
        self.log = open(Path(self._folder.name) / "log", "a+")
        self.process = subprocess.Popen(
            # A debug build on a busy machine needs its time.
            [PROGRAM, "serve", self.file, "--port", str(self.port), "--turn", "60", *self.options],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment)
        line = self.process.stdout.readline().strip()
        if not line.startswith("http"):
            self.process.wait()
            self.log.seek(0)
            raise AssertionError(f"{self.file.name} is not served: {line} {self.log.read()}")
        return line

    def forget_token(self):
        """Has its next run begin with another address, as without a state folder."""
        for file in Path(self._folder.name).rglob("serve-token"):
            file.unlink()

    def end(self):
        """Ends it with no time to say so."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def close(self):
        self.end()
        self.proxy.stop()
        self._folder.cleanup()

    def save(self, before, after):
        """Saves the app's file with a text in place of another, as an editor does."""
        text = self.file.read_text()
        assert before in text, f"{before} is not in {self.file.name}"
        self.write(text.replace(before, after))

    def write(self, text):
        """Saves the app's file with another text."""
        new = self.file.with_suffix(".new")
        new.write_text(text)
        new.rename(self.file)

    def read(self, *expressions):
        """What Lua expressions give inside the app."""
        name = f"{self.file.stem}-{self.process.pid}"
        codes = [part for each in expressions for part in ("-e", f"print(json.encode({each}))")]
        done = subprocess.run(
            [PROGRAM, "repl", "--attach", name, *codes], capture_output=True, text=True, timeout=PATIENCE)
        if done.returncode:
            raise AssertionError(f"{expressions}: {done.stdout} {done.stderr}")
        values = [json.loads(line) for line in done.stdout.splitlines()]
        return values[0] if len(expressions) == 1 else values

    def run(self, code):
        """Runs Lua inside the app."""
        return self.read(f"(function() {code} end)() or true")


class Stage:
    def __init__(self, browser, latency):
        self.browser = browser
        self.latency = latency
        self.apps = []
        self.contexts = []
        self.pages = []
        self.faults = []

    def serve(self, source, *options, **more):
        app = App(source, *options, latency=self.latency, **more)
        self.apps.append(app)
        return app

    def open(self, app, *, context=None, width=800, height=600, patience=PATIENCE, **options):
        """Opens the app in a browser of its own; the line is slow once it shows."""
        if context is None:
            context = self.browser.new_context(viewport={"width": width, "height": height}, **options)
            self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.connections = 0
        page.reconnects = False
        page.on("websocket", lambda _: setattr(page, "connections", page.connections + 1))
        page.on("pageerror", lambda error: self.faults.append(str(error.stack)))
        page.on("console", lambda message: self._heard(page, message))
        if CLIENT:
            context.route(re.compile(r"/client-\w+\.(js|css)$"), lambda route: route.fulfill(
                path=CLIENT / ("client" + Path(route.request.url).suffix)))
        app.proxy.latency = 0
        page.goto(app.url)
        page.wait_for_selector(".tide-window", timeout=patience * 1000)
        app.proxy.latency = app.latency
        self.pages.append(page)
        return page

    def _heard(self, page, message):
        # A browser says by itself that a connection is refused.
        if message.type == "error" and "WebSocket connection" not in message.text:
            self.faults.append(message.text)

    def wait_for(self, get, wanted=True, limit=PATIENCE):
        """Waits until a function gives what is wanted."""
        end = time.monotonic() + limit
        while True:
            found = get()
            if found == wanted:
                return
            if time.monotonic() > end:
                raise AssertionError(f"{found!r} instead of {wanted!r}")
            # The browser's own events are looked at meanwhile.
            self.pages[0].wait_for_timeout(25)

    def settle(self, page):
        """Waits until the app has done all that the page has sent, and no more follows."""
        self.wait_for(lambda: page.evaluate(
            "isReady === true && unacknowledged.length === 0 && ahead.size === 0"))

    def expect_text(self, page, selector, wanted):
        self.wait_for(lambda: text_of(page, selector), wanted)

    def close(self):
        for page in self.pages:
            if not page.reconnects and page.connections > 1:
                self.faults.append(f"The page has connected {page.connections} times.")
        for context in self.contexts:
            try:
                context.close()
            except Error:
                pass
        for app in self.apps:
            if app.process.poll() is not None and not app.may_end:
                self.faults.append(f"{app.file.name} has ended with {app.process.returncode}.")
            app.close()


def text_of(page, selector):
    """The text of the first element; nothing where there is none."""
    return page.evaluate("selector => document.querySelector(selector)?.innerText ?? null", selector)


def labels(page):
    """The texts of all labels that show."""
    return page.evaluate("""() => [...document.querySelectorAll(".tide-label")]
      .filter(each => each.checkVisibility()).map(each => each.innerText)""")


def caret(page):
    return page.evaluate("[document.activeElement.selectionStart, document.activeElement.selectionEnd]")


def focused_name(page):
    """How a screen reader calls what has the focus."""
    return page.evaluate("""() => {
      const { activeElement: element } = document;
      const by = element.getAttribute("aria-labelledby");
      return by ? document.getElementById(by).innerText
        : element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.innerText;
    }""")


class Browser:
    """Debian's Chromium."""

    def __init__(self):
        self._playwright = sync_playwright().start()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        self.chromium = self._playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=arguments)

    def play(self, name, latency):
        """Plays a scenario; gives what went wrong, or nothing."""
        stage = Stage(self.chromium, latency)
        problems = []
        try:
            scenarios[name](stage)
        except Exception as error:
            problems.append(brief(error))
        try:
            stage.close()
        except Exception as error:
            problems.append(brief(error))
        return problems + stage.faults


def brief(error):
    """What went wrong, and in which line of the scenarios."""
    here, place, trace = str(APPS.parent), "", error.__traceback__
    while trace:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(here) and not path.endswith("stage.py"):
            place = f"{Path(path).name}:{trace.tb_lineno}: "
        trace = trace.tb_next
    text = re.sub(r"\nCall log:.*", "", str(error) or type(error).__name__, flags=re.S)
    return place + text
