"""Records histories of runtimes that share a model while faults are injected, and has them checked.

scripts/histories starts it, and says what it does.
"""

import argparse
import collections
import glob
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import checker

HERE = os.path.dirname(os.path.abspath(__file__))
USUAL = ("partition", "server", "freeze", "runtime", "pause", "cut", "close", "stall", "delay", "noise")
# The server loses what it had.
LOSING = ("empty", "bucket")
OTHER = ("clock",)
BUCKET = "histories"


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


class Namespaces:
    """Gives the server and each runtime a network namespace: a bridge, and a cable to each."""

    def __init__(self, count):
        self.prefix = f"tide{os.getpid()}"
        self.server = f"{self.prefix}s"
        self.address = "10.77.0.1"
        self.names = []
        self.in_server("add", self.server)
        self.ip("link", "set", "lo", "up")
        self.ip("link", "add", "hub", "type", "bridge")
        self.ip("addr", "add", f"{self.address}/24", "dev", "hub")
        self.ip("link", "set", "hub", "up")
        for number in range(1, count + 1):
            name = f"{self.prefix}r{number}"
            self.in_server("add", name)
            self.ip("link", "add", f"to{number}", "type", "veth", "peer", "name", "net", "netns", name)
            self.ip("link", "set", f"to{number}", "master", "hub")
            self.ip("link", "set", f"to{number}", "up")
            for words in (
                ("link", "set", "lo", "up"), ("link", "set", "net", "up"),
                ("addr", "add", f"10.77.0.{number + 10}/24", "dev", "net"),
            ):
                run("ip", "-n", name, *words)

    def in_server(self, *words):
        run("ip", "netns", *words)
        if words[0] == "add":
            self.names.append(words[1])

    def ip(self, *words):
        run("ip", "-n", self.server, *words)

    def within(self, number):
        name = f"{self.prefix}r{number}" if number else self.server
        return ["ip", "netns", "exec", name]

    def partition(self, number, is_cut):
        self.ip("link", "set", f"to{number}", "down" if is_cut else "up")

    def close(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)


class Loopback:
    """All on one address, where there are no namespaces: the proxy alone stands between them."""

    address = "127.0.0.1"

    def within(self, number):
        return []

    def close(self):
        pass


def is_allowed():
    """Whether this machine lets network namespaces be made."""
    name = f"tide{os.getpid()}t"
    made = subprocess.run(["ip", "netns", "add", name], stderr=subprocess.DEVNULL)
    if made.returncode:
        return False
    cable = subprocess.run(
        ["ip", "-n", name, "link", "add", "cable", "type", "veth", "peer", "name", "end"],
        stderr=subprocess.DEVNULL)
    bridge = subprocess.run(
        ["ip", "-n", name, "link", "add", "hub", "type", "bridge"], stderr=subprocess.DEVNULL)
    subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
    return cable.returncode == 0 and bridge.returncode == 0


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Runtime:
    """One that is started again and again; each life has a history of its own."""

    def __init__(self, harness, number, operations):
        self.harness, self.number = harness, number
        self.rest = operations
        self.life = 0
        self.process = None
        self.histories = []
        self.status = None
        self.is_done = False
        self.clock = 0

    def start(self):
        harness, options = self.harness, self.harness.options
        self.life += 1
        name = f"{harness.folder}/history-{self.number}-{self.life}"
        self.histories.append(f"{name}.jsonl")
        address = f"{harness.network.address}:{harness.first_port + self.number}"
        environment = dict(os.environ)
        if self.clock:
            environment |= {"LD_PRELOAD": harness.faketime, "FAKETIME": f"{self.clock:+d}s"}
        with open(f"{name}.jsonl", "wb") as output, open(f"{name}.err", "wb") as errors:
            self.process = subprocess.Popen(
                harness.network.within(self.number) + [
                    harness.program, "run", "--no-watch", "--turn", "60",
                    "--share", f"nats://{address}/{BUCKET}",
                    "--allow", f"net={address}", "--allow", f"read={harness.signals}",
                    f"{HERE}/driver.lua", "--", f"runtime={self.number}", f"life={self.life}",
                    f"seed={options.seed}", f"operations={self.rest}",
                    f"rate={options.operations / options.seconds / options.runtimes:.2f}",
                    f"rows={options.rows}", f"hot={int(options.hot)}", f"folder={harness.signals}"],
                stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment,
                start_new_session=True)
        self.position, self.partial = 0, b""

    def look(self):
        """Reads what its history has come to say."""
        if not self.histories:
            return
        with open(self.histories[-1], "rb") as history:
            history.seek(self.position)
            data = history.read()
        self.position += len(data)
        data = self.partial + data
        end = data.rfind(b"\n") + 1
        data, self.partial = data[:end], data[end:]
        for mark in (b'["operations"', b'["done"', b'["quiet"', b'["busy"', b'["sync"'):
            start = data.rfind(mark)
            if start < 0:
                continue
            item = json.loads(data[start:data.find(b"\n", start)])
            if item[0] == "operations":
                # As a number with a fraction, where the rate is one.
                self.rest = int(float(item[2]))
            elif item[0] == "done":
                self.is_done = True
            elif item[0] == "sync":
                self.sync = item[2:]
            else:
                self.status = (item[0], item[1])

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.look()


class Harness:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.program = options.program
        self.folder = options.keep or tempfile.mkdtemp(prefix="histories-")
        os.makedirs(self.folder, exist_ok=True)
        for old in glob.glob(f"{self.folder}/history-*") + glob.glob(f"{self.folder}/*.log"):
            os.remove(old)
        self.signals = f"{self.folder}/signals"
        self.store = f"{self.folder}/store"
        shutil.rmtree(self.signals, ignore_errors=True)
        shutil.rmtree(self.store, ignore_errors=True)
        os.makedirs(self.signals)
        self.faults = collections.Counter()
        self.problems = []
        self.healing = []  # (time, what)
        self.network = None
        self.server = self.proxy = None
        self.runtimes = []

    # Processes

    def start_server(self):
        with open(f"{self.folder}/server.log", "ab") as output:
            self.server = subprocess.Popen(
                self.network.within(0) + [
                    "nats-server", "-js", "-sd", self.store, "-a", "127.0.0.1", "-p",
                    str(self.server_port)],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)

    def start(self):
        options = self.options
        self.is_networked = not options.loopback and is_allowed()
        self.network = Namespaces(options.runtimes) if self.is_networked else Loopback()
        self.server_port = 4222 if self.is_networked else free_port()
        self.first_port = 4300 if self.is_networked else random.randrange(20_000, 30_000)
        self.start_server()
        self.proxy = subprocess.Popen(
            self.network.within(0) + [
                sys.executable, f"{HERE}/proxy.py", self.network.address, str(self.first_port),
                str(options.runtimes), "127.0.0.1", str(self.server_port)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.proxy.stdout.readline()
        self.tell(seed=options.seed)
        each, more = divmod(options.operations, options.runtimes)
        for number in range(1, options.runtimes + 1):
            runtime = Runtime(self, number, each + (number <= more))
            if "clock" in options.faults:
                runtime.clock = self.random.choice([-86_400, 0, 86_400])
                self.faults["clock"] += runtime.clock != 0
            self.runtimes.append(runtime)
            runtime.start()

    def close(self):
        for runtime in self.runtimes:
            if runtime.process and runtime.process.poll() is None:
                runtime.process.kill()
        for process in (self.server, self.proxy):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        if self.network:
            self.network.close()

    def tell(self, **command):
        self.proxy.stdin.write(json.dumps(command) + "\n")
        self.proxy.stdin.flush()

    # Faults

    def later(self, seconds, what):
        self.healing.append((time.monotonic() + seconds, what))

    def heal(self, is_all=False):
        now = time.monotonic()
        due = [what for at, what in self.healing if is_all or at <= now]
        self.healing = [(at, what) for at, what in self.healing if not is_all and at > now]
        for what in due:
            what()

    def inject(self):
        chance = self.random
        kind = chance.choice([fault for fault in self.options.faults if fault != "clock"])
        some = chance.sample(self.runtimes, chance.randint(1, max(1, len(self.runtimes) - 1)))
        one = some[0]
        duration = min(chance.expovariate(1 / 2), 12) + 0.1
        self.faults[kind] += 1
        numbers = " ".join(str(runtime.number) for runtime in some)
        with open(f"{self.folder}/faults.log", "a") as log:
            print(f"{time.time():.4f} {kind} {duration:.2f} s, {numbers}", file=log)
        if kind in ("server", "empty"):
            if self.server.poll() is not None:
                return
            self.server.kill()
            self.server.wait()
            if kind == "empty":
                shutil.rmtree(self.store)
            self.later(min(duration, 4), self.start_again)
        elif kind == "freeze":
            server = self.server
            server.send_signal(signal.SIGSTOP)
            self.later(duration, lambda: server.send_signal(signal.SIGCONT))
        elif kind == "bucket":
            self.delete_bucket()
        elif kind == "runtime":
            if one.process.poll() is None:
                one.kill()
                self.later(min(duration, 3), one.start)
        elif kind == "pause":
            process = one.process
            process.send_signal(signal.SIGSTOP)
            self.later(duration, lambda: process.send_signal(signal.SIGCONT))
        elif kind == "partition" and self.is_networked:
            for runtime in some:
                self.network.partition(runtime.number, True)

            def join():
                for runtime in some:
                    self.network.partition(runtime.number, False)
            self.later(duration, join)
        elif kind == "cut":
            for runtime in some:
                self.tell(runtime=runtime.number, do="cut")
        elif kind == "close":
            self.tell(runtime=one.number, do="close", to=chance.choice(["client", "server"]))
        else:
            # Also a partition without namespaces.
            details = {
                "partition": {"do": "stall", "to": "both"},
                "stall": {"do": "stall", "to": chance.choice(["client", "server"])},
                "delay": {"do": "delay", "seconds": chance.choice([0.005, 0.05, 0.3])},
                "noise": {"do": "noise", "double": 0.05, "swap": 0.05, "lose": chance.choice([0, 0.02])},
            }[kind]
            cuts = chance.random() < 0.5
            for runtime in some:
                self.tell(runtime=runtime.number, **details)

            def end():
                for runtime in some:
                    if cuts:
                        self.tell(runtime=runtime.number, do="cut")
                    self.tell(runtime=runtime.number, do="heal")
            self.later(duration, end)

    def start_again(self):
        self.start_server()

    def delete_bucket(self):
        """As somebody does who is connected to the server."""
        script = (
            "import socket\n"
            f"s = socket.create_connection(('127.0.0.1', {self.server_port}), 2)\n"
            f"s.sendall(b'CONNECT {{\"verbose\":false}}\\r\\nPUB $JS.API.STREAM.DELETE.KV_{BUCKET} 0\\r\\n\\r\\nPING\\r\\n')\n"
            "s.settimeout(2)\n"
            "text = b''\n"
            "while b'PONG' not in text: text += s.recv(1000)\n")
        subprocess.run(
            self.network.within(0) + [sys.executable, "-c", script], stderr=subprocess.DEVNULL)

    # The run

    def look(self):
        for runtime in self.runtimes:
            runtime.look()
            code = runtime.process.poll()
            if code is not None and code != -signal.SIGKILL:
                self.problems.append(f"runtime {runtime.number} has ended with {code}")
                raise Failed

    def run(self):
        options = self.options
        begun = time.monotonic()
        self.start()
        limit = begun + options.seconds * 4 + 120
        pace = options.pace
        next = begun + 1.5
        while not all(runtime.is_done for runtime in self.runtimes):
            time.sleep(0.05)
            now = time.monotonic()
            self.heal()
            self.look()
            if options.faults and now >= next:
                self.inject()
                next = now + self.random.expovariate(1 / pace)
            if now > limit:
                self.problems.append("the operations take too long")
                break
        self.operation_seconds = time.monotonic() - begun
        self.heal(is_all=True)
        if self.server.poll() is not None:
            self.start_server()
        self.settle()

    def settle(self):
        """Waits until all is confirmed, and has what is shown recorded."""
        begun = time.monotonic()
        self.touch("quiet")
        quiet_since = None
        is_quiet = False
        while time.monotonic() < begun + self.options.settle:
            time.sleep(0.2)
            self.look()
            if all(runtime.status and runtime.status[0] == "quiet" for runtime in self.runtimes):
                quiet_since = quiet_since or time.monotonic()
                # What one has confirmed another may not have heard of.
                if time.monotonic() > quiet_since + 2:
                    is_quiet = True
                    break
            else:
                quiet_since = None
        self.settle_seconds = (quiet_since or time.monotonic()) - begun
        if not is_quiet:
            for runtime in self.runtimes:
                if not runtime.status or runtime.status[0] != "quiet":
                    self.problems.append(
                        f"runtime {runtime.number} is not live with all confirmed after "
                        f"{self.options.settle:g} s: {runtime.status} {getattr(runtime, 'sync', '')}")
        self.touch("finish")
        for runtime in self.runtimes:
            try:
                code = runtime.process.wait(timeout=30)
                if code not in (0, 1):
                    self.problems.append(f"runtime {runtime.number} has ended with {code}")
            except subprocess.TimeoutExpired:
                self.problems.append(f"runtime {runtime.number} does not end")

    def touch(self, name):
        open(f"{self.signals}/{name}", "w").close()

    def errors(self):
        """What the runtimes have listed, each text once."""
        found = collections.Counter()
        for name in glob.glob(f"{self.folder}/history-*.err"):
            with open(name, encoding="utf-8", errors="replace") as file:
                found.update(line.strip()[:200] for line in file if line.strip())
        return found


class Failed(Exception):
    pass


def parse():
    parser = argparse.ArgumentParser(prog="scripts/histories", add_help=False)
    parser.add_argument("--operations", type=int, default=20_000)
    parser.add_argument("--runtimes", type=int, default=5)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--for", dest="seconds", type=float, default=30)
    parser.add_argument("--faults", default="usual")
    parser.add_argument("--pace", type=float, default=1.5)
    parser.add_argument("--rows", type=int, default=60)
    parser.add_argument("--hot", action="store_true")
    parser.add_argument("--settle", type=float, default=60)
    parser.add_argument("--keep")
    parser.add_argument("--loopback", action="store_true")
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    faults = []
    for name in filter(None, options.faults.split(",")):
        if name == "usual":
            faults += USUAL
        elif name == "none":
            continue
        elif name in USUAL + LOSING + OTHER:
            faults.append(name)
        else:
            parser.error(f"there is no fault {name}: {', '.join(USUAL + LOSING + OTHER)}, usual, none")
    options.faults = faults
    return options


def main():
    options = parse()
    harness = Harness(options)
    if "clock" in options.faults:
        found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if not found:
            sys.exit("the fault clock needs the package libfaketime")
        harness.faketime = found[0]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    print(f"seed {options.seed}, histories in {harness.folder}", flush=True)
    try:
        harness.run()
    except Failed:
        pass
    finally:
        harness.close()
    histories = [file for runtime in harness.runtimes for file in runtime.histories]
    faults = ", ".join(f"{name} {count}" for name, count in sorted(harness.faults.items()))
    seconds = getattr(harness, "operation_seconds", 0)
    if seconds:
        print(
            f"{options.operations:,} operations in {seconds:.1f} s, {options.operations / seconds:,.0f} a "
            f"second; all confirmed {getattr(harness, 'settle_seconds', float('nan')):.1f} s after the last fault")
    print(f"{sum(harness.faults.values())} faults: {faults or 'none'}; "
          f"{'namespaces' if harness.is_networked else 'loopback'}", flush=True)
    for text, count in harness.errors().most_common(5):
        print(f"listed {count} times: {text}")
    for problem in harness.problems:
        print(f"PROBLEM {problem}")
    begun = time.monotonic()
    judge = checker.Checker(allow_loss=any(fault in LOSING for fault in options.faults))
    for file in histories:
        judge.read(file)
    judge.check()
    is_fine = judge.report() and not harness.problems
    print(f"checked in {time.monotonic() - begun:.1f} s")
    if is_fine and not options.keep:
        shutil.rmtree(harness.folder)
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
