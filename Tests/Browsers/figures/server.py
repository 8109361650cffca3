"""Servers that are measured: `tidelock serve`, and those of others.

    with program.serve("label", "100") as server:
        viewer = Viewer(server.door)
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "examples"
PATIENCE = 60  # seconds; generous, for machines that have other things to do


class Unsupported(Exception):
    """The program does not know an option yet."""


@dataclass(frozen=True)
class Door:
    """How to get to an app: what a browser knows after it has opened the address."""

    host: str  # with the port
    cookie: str
    url: str = ""

    def another(self):
        """The same for another browser: one alone may not take the places of all."""
        return enter(self.url)

    def connect(self):
        name, port = self.host.rsplit(":", 1)
        connection = socket.create_connection((name, int(port)), PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def get(self, path):
        """What a request gives: its head and its content."""
        cookie = f"Cookie: {self.cookie}\r\n" if self.cookie else ""
        with self.connect() as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.host}\r\n{cookie}\r\n".encode())
            answer = connection.makefile("rb")
            head = b"".join(iter(answer.readline, b"\r\n")).decode()
            length = re.search(r"(?i)\ncontent-length: (\d+)", head)[1]
            return head, answer.read(int(length))


def enter(url):
    """Exchanges the token of an address for a cookie, as a browser does."""
    host, path = re.fullmatch(r"http://([^/]+)(/.*)", url).groups()
    head, _ = Door(host, "").get(path)
    if not head.startswith("HTTP/1.1 303"):
        raise AssertionError(f"{url} is answered with {head}")
    return Door(host, re.search(r"(?i)\nset-cookie: ([^;\r]+)", head)[1], url)


class Process:
    """A process that serves until the block ends."""

    def __init__(self, command, environment=None, output=None):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            command, stdout=output or self.log, stderr=self.log, text=True,
            env={**os.environ, **(environment or {})})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.log.close()

    def said(self):
        self.log.seek(0)
        return self.log.read().strip()

    def memory(self):
        """Resident bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) * 1024

    def cpu(self):
        """Seconds of processor time so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Program:
    """The `tidelock` that is measured."""

    def __init__(self, path, folder):
        self.path = path
        self.environment = {
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder,
            "XDG_STATE_HOME": folder,
        }

    def serve(self, app, *arguments, options=()):
        """Serves one of the apps beside this file, or one of the examples by its path."""
        file = app if isinstance(app, Path) else HERE / "apps" / f"{app}.lua"
        return Server(
            [self.path, "serve", file, "--no-watch", *options, "--", *arguments], self.environment)


class Server(Process):
    """An app that is served; ready when its address has been printed."""

    def __init__(self, command, environment):
        super().__init__(command, environment, subprocess.PIPE)
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http"):
            code, said = self.process.wait(), self.said()
            self.__exit__()
            raise Unsupported(said.splitlines()[0]) if code == os.EX_USAGE else AssertionError(said)

    @property
    def door(self):
        return enter(self.url)


class Peer(Process):
    """An app of another library, from the folder `peers`; ready when it listens."""

    def __init__(self, name):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        file = HERE / "peers" / f"{name.lower()}_app.py"
        commands = {
            "NiceGUI": [file, str(self.port)],
            "Streamlit": [
                "-m", "streamlit", "run", file, "--server.port", str(self.port),
                "--server.address", "127.0.0.1", "--server.headless", "true",
                "--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"],
        }
        super().__init__([sys.executable, *commands[name]])
        self.url = f"http://127.0.0.1:{self.port}/"
        end = time.monotonic() + PATIENCE
        while not self._listens():
            if self.process.poll() is not None or time.monotonic() > end:
                said = self.said()
                self.__exit__()
                raise AssertionError(f"{name} does not start: {said}")
            time.sleep(0.1)

    def _listens(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
            return True
        except OSError:
            return False
