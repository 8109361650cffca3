"""Serves an app as the article ServingOthers says: behind nginx, behind Caddy, and with a certificate.

    python Tests/Browsers/fronts.py [nginx|caddy|certificate]…

The configurations and commands are those of the article; only ports, paths and the hash of the password
are others. Quiet unless something fails, and slow: connections are left alone for longer than servers
wait. Needs Debian's nginx-light, caddy and openssl, and what `scripts/browsers` installs.
"""

import base64
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from http.client import HTTPResponse
from pathlib import Path

from playwright.sync_api import sync_playwright

import stage as stages
from stage import PATIENCE, PROGRAM, ROOT, Stage, brief

ARTICLE = (ROOT / "Sources/Tidelock/Tidelock.docc/ServingOthers.md").read_text()
FOLDER = Path(__file__).resolve().parent / "fronts"
NAME = "app.example.org"
USER, PASSWORD = "ann", "a pass phrase"
SILENCE = 75  # seconds, more than nginx's 60


def block(language):
    return re.search(rf"```{language}\n(.*?)```", ARTICLE, re.S)[1]


def command(start):
    """The words of the one command of the article that begins so."""
    return shlex.split(re.search(rf"^(?:\$ |ExecStart=\S*/)({start} .*)$", ARTICLE, re.M)[1])


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def run(*words, **options):
    return subprocess.run(words, check=True, capture_output=True, text=True, **options).stdout.strip()


def replace(text, *pairs):
    """Replaces texts, each of which has to be there."""
    for before, after in pairs:
        assert before in text, f"the article has no {before}"
        text = text.replace(before, after)
    return text


def make_certificate(folder):
    run(*command("openssl req"), cwd=folder)


class Front:
    """A server before the app, in a folder of its own."""

    has_password = True

    def __init__(self, folder):
        self.folder = folder
        self.port, self.plain_port = free_port(), free_port()
        self.url = f"https://{NAME}:{self.port}"
        self.process = None

    def options(self):
        """What the app is started with, from the unit of systemd."""
        words = command("tidelock serve /srv/ledger/app.lua")[3:]
        place = words.index("--port")
        del words[place:place + 2]
        return [each.replace(f"https://{NAME}", self.url) for each in words]

    def start(self):
        self.log = open(self.folder / "log", "w+")
        self.process = subprocess.Popen(
            self.words, cwd=self.folder, stdout=self.log, stderr=self.log,
            env={**os.environ, "HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder)})
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with self.connect():
                    return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise AssertionError("the server does not start: " + self.said())
                time.sleep(0.05)

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        if not self.process:
            return
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        self.log.close()

    def connect(self):
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        return context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE), server_hostname=NAME)

    def ask(self, path="/", host=None, connection=False, **headers):
        """The status and the text of the answer."""
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or self.url[len('https://'):]}"]
        if connection:
            lines += ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                      "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        lines += [f"{name.title()}: {value}" for name, value in headers.items()]
        with self.connect() as link:
            link.sendall("\r\n".join(lines + ["", ""]).encode())
            answer = HTTPResponse(link)
            answer.begin()
            return answer.status, "" if answer.status == 101 else answer.read().decode()


class Nginx(Front):
    words = ["nginx", "-p", ".", "-c", "nginx.conf", "-e", "stderr"]

    def open(self, app):
        make_certificate(self.folder)
        (self.folder / "users").write_text(f"{USER}:{run('openssl', 'passwd', '-6', PASSWORD)}\n")
        shutil.copy(FOLDER / "nginx.conf", self.folder)
        live = f"/etc/letsencrypt/live/{NAME}"
        (self.folder / "article.conf").write_text(replace(
            block("nginx"), ("listen 443", f"listen 127.0.0.1:{self.port}"), ("8765", str(app.port)),
            ("listen 80", f"listen 127.0.0.1:{self.plain_port}"), (f"{live}/fullchain.pem", "cert.pem"),
            (f"{live}/privkey.pem", "key.pem"), ("/etc/nginx/ledger.users", "users")))
        # The worker is another user, who has to reach the passwords.
        self.folder.chmod(0o755)
        self.start()


class Caddy(Front):
    words = ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]

    def open(self, app):
        hashed = run("caddy", "hash-password", "--plaintext", PASSWORD)
        (self.folder / "article.conf").write_text(
            replace(block("caddy"), ("8765", str(app.port)), ("$2a$14$…", hashed)))
        (self.folder / "Caddyfile").write_text(replace(
            (FOLDER / "Caddyfile").read_text(), ("HTTP_PORT", str(self.plain_port)),
            ("HTTPS_PORT", str(self.port)), ("FOLDER", str(self.folder))))
        self.start()


class Certificate(Front):
    """None: the app encrypts by itself."""

    has_password = False

    def options(self):
        make_certificate(self.folder)
        words = command("tidelock serve app.lua .*--certificate")[3:]
        place = words.index("--port")
        del words[place:place + 2]
        values = {"0.0.0.0": "127.0.0.1", "cert.pem": self.folder / "cert.pem", "key.pem": self.folder / "key.pem"}
        return [str(values.get(each, each)) for each in words]

    def open(self, app):
        self.port = app.port
        self.url = f"https://{NAME}:{self.port}"


fronts = {"nginx": Nginx, "caddy": Caddy, "certificate": Certificate}


def check(stage, front):
    app = stage.serve("reload", *front.options())
    front.open(app)
    token = re.search(r"\?token=\w+$", app.url)[0]
    app.url = front.url + "/" + token
    options = {"http_credentials": {"username": USER, "password": PASSWORD}} if front.has_password else {}
    page = stage.open(app, ignore_https_errors=True, **options)
    field = page.get_by_label("Name")
    field.press_sequentially("before ")
    stage.expect_text(page, ".tide-label", "The first version")
    stage.wait_for(lambda: app.read("models.note.name"), "before ")
    assert page.evaluate("isSecureContext") and "token" not in page.url, page.url
    cookie = page.context.cookies()[0]
    assert cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Strict", cookie

    refuse(front, f"{cookie['name']}={cookie['value']}", token)

    page.wait_for_timeout(SILENCE * 1000)
    assert page.evaluate("isReady") and page.connections == 1, "the connection has not survived silence"
    field.press_sequentially("and after")
    stage.wait_for(lambda: app.read("models.note.name"), "before and after")
    # What keeps connections to the app may find them closed by now.
    page.reconnects = True
    page.reload()
    stage.wait_for(field.input_value, "before and after")
    if front.process:
        front.stop()
        page.locator(".tide-lost").wait_for()
        app.run("models.note.presses = 7")
        front.start()
        page.get_by_text("pressed 7").wait_for()
        page.locator(".tide-lost").wait_for(state="hidden")


def refuse(front, cookie, token):
    """Asks for what nobody may have, beside the like of it that one may."""
    own = {"cookie": cookie}
    if front.has_password:
        assert front.ask()[0] == 401, "the page is given without a password"
        assert front.ask("/" + token)[0] == 401, "a cookie is given without a password"
        login = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        own["authorization"] = f"Basic {login}"
        with socket.create_connection(("127.0.0.1", front.plain_port)) as link:
            link.sendall(f"GET / HTTP/1.1\r\nHost: {NAME}\r\n\r\n".encode())
            assert b"https://" + NAME.encode() in link.recv(4096), "plain HTTP is not redirected"
    assert front.ask(**own)[0] == 200
    assert front.ask(**{**own, "cookie": "none=1"})[0] == 403, "the page is given without the token"
    status, text = front.ask(host="evil.example.com", **own)
    assert status != 200 or "client-" not in text, "the page is given under another name"

    def connect(**changes):
        return front.ask("/ws", connection=True, **{"cookie": cookie, "origin": front.url, **changes})[0]

    assert connect() == 101
    for what, changes, status in [
        ("another origin", {"origin": "https://evil.example.com"}, 403),
        ("its name without encryption", {"origin": front.url.replace("https", "http")}, 403),
        ("no origin", {"origin": ""}, 403),
        ("no cookie", {"cookie": "none=1"}, 403),
    ]:
        assert connect(**changes) == status, f"{what}: {connect(**changes)}"
    assert connect(host="evil.example.com", origin="https://evil.example.com") != 101, "another name"


def play(name, chromium):
    """Gives what went wrong, or nothing."""
    problems = []
    with tempfile.TemporaryDirectory(prefix="tidelock-") as folder:
        stage, front = Stage(chromium, 0), fronts[name](Path(folder))
        for act in [lambda: check(stage, front), stage.close, front.stop]:
            try:
                act()
            except Exception as error:
                problems.append(brief(error))
        return problems + stage.faults


def main():
    names = sys.argv[1:] or list(fronts)
    if unknown := set(names) - set(fronts):
        sys.exit(f"There is no {', '.join(unknown)}, only {', '.join(fronts)}.")
    missing = [each for each in names if each != "certificate" and not shutil.which(each)]
    if missing:
        sys.exit("Install " + ", ".join(missing) + " first: scripts/packages nginx-light caddy")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tidelock-") as folder, sync_playwright() as playwright:
        stages.PROGRAM = Path(shutil.copy(PROGRAM, folder))
        arguments = [f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        for name in names:
            if problems := play(name, chromium):
                failures += 1
                print(f"failed: {name}", *problems, sep="\n    ", flush=True)
    if failures:
        sys.exit(f"{failures} of {len(names)} failed.")


if __name__ == "__main__":
    main()
