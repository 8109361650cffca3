"""Stands between runtimes and a NATS server, and does to their connections what networks do.

Commands come on standard input, JSON, one a line:

  {"runtime": 1, "do": "cut"}                        ends its connections
  {"runtime": 1, "do": "close", "to": "server"}      closes one half of them: server or client
  {"runtime": 1, "do": "stall", "to": "client"}      lets nothing through in one direction, or both
  {"runtime": 1, "do": "delay", "seconds": 0.1}      delays what passes, by up to twice as much
  {"runtime": 1, "do": "noise", "double": 0.05, "lose": 0.01, "swap": 0.05}
                                                     with these probabilities, messages
  {"runtime": 1, "do": "heal"}
"""

import asyncio
import json
import random
import socket
import struct
import sys


class Line:
    """What is done to all connections of a runtime."""

    def __init__(self):
        self.connections = set()
        self.flows = {"server": asyncio.Event(), "client": asyncio.Event()}
        self.heal()

    def heal(self):
        self.delay = 0
        self.noise = None
        for flow in self.flows.values():
            flow.set()

    def do(self, command):
        what = command["do"]
        if what == "heal":
            self.heal()
        elif what == "cut":
            for connection in list(self.connections):
                connection.abort()
        elif what == "close":
            for connection in list(self.connections):
                connection.close(command["to"])
        elif what == "stall":
            for to in ("server", "client"):
                if command["to"] in (to, "both"):
                    self.flows[to].clear()
        elif what == "delay":
            self.delay = command["seconds"]
        elif what == "noise":
            self.noise = command


class Frames:
    """Splits what a client or a server of NATS says into its lines and messages."""

    MESSAGES = (b"PUB", b"HPUB", b"MSG", b"HMSG")

    def __init__(self):
        self.rest = b""

    def split(self, data):
        data = self.rest + data
        frames = []
        start = 0
        while True:
            end = data.find(b"\r\n", start)
            if end < 0:
                break
            words = data[start:end].split()
            stop = end + 2
            is_message = bool(words) and words[0] in self.MESSAGES
            if is_message:
                stop += int(words[-1]) + 2
                if len(data) < stop:
                    break
            frames.append((is_message, data[start:stop]))
            start = stop
        self.rest = data[start:]
        return frames


class Connection:
    def __init__(self, line, client, server):
        self.line = line
        self.ends = {"client": client, "server": server}
        self.tasks = []

    async def run(self):
        self.line.connections.add(self)
        self.tasks = [
            asyncio.ensure_future(task) for to, other in (("server", "client"), ("client", "server"))
            for task in self.pipe(other, to)]
        try:
            await asyncio.gather(*self.tasks)
        except (OSError, asyncio.CancelledError, ConnectionError):
            pass
        self.abort()

    def abort(self):
        self.line.connections.discard(self)
        for task in self.tasks:
            task.cancel()
        for _, writer in self.ends.values():
            raw = writer.get_extra_info("socket")
            if raw is not None and raw.fileno() >= 0:
                # With a reset, as when a machine has gone.
                try:
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                except OSError:
                    pass
            writer.transport.abort()

    def close(self, to):
        try:
            self.ends[to][1].write_eof()
        except (OSError, RuntimeError):
            pass

    def pipe(self, source, to):
        queue = asyncio.Queue(10_000)
        return self.read(source, queue), self.write(to, queue)

    async def read(self, source, queue):
        reader = self.ends[source][0]
        frames = Frames()
        now = asyncio.get_event_loop().time
        last = 0
        while True:
            data = await reader.read(1 << 18)
            if not data:
                await queue.put((last, None))
                return
            pieces = frames.split(data)
            if not pieces:
                continue
            noise = self.line.noise
            if noise:
                data = b"".join(disturb(pieces, noise))
            else:
                data = b"".join(frame for _, frame in pieces)
            delay = self.line.delay
            last = max(last, now() + (random.random() * 2 * delay if delay else 0))
            await queue.put((last, data))

    async def write(self, to, queue):
        writer = self.ends[to][1]
        flow = self.line.flows[to]
        now = asyncio.get_event_loop().time
        while True:
            due, data = await queue.get()
            wait = due - now()
            if wait > 0:
                await asyncio.sleep(wait)
            await flow.wait()
            if data is None:
                # Whoever has gone has gone for both.
                self.abort()
                return
            try:
                writer.write(data)
            except RuntimeError:
                # One half is closed.
                continue
            await writer.drain()


def disturb(frames, noise):
    """Messages that come twice, at once or behind others, not at all, or in another order."""
    result = []
    later = []
    for is_message, frame in frames:
        if not is_message:
            result.append(frame)
            continue
        chance = random.random()
        if chance < noise["lose"]:
            continue
        chance -= noise["lose"]
        if chance < noise["double"]:
            result.append(frame)
            (result if random.random() < 0.5 else later).append(frame)
            continue
        chance -= noise["double"]
        if chance < noise["swap"] and result:
            result.insert(len(result) - 1, frame)
            continue
        result.append(frame)
    return result + later


async def serve(address, first_port, count, server):
    lines = {}

    def listen(number):
        async def accept(reader, writer):
            try:
                ends = await asyncio.open_connection(*server)
            except OSError:
                writer.transport.abort()
                return
            await Connection(lines[number], (reader, writer), ends).run()
        return accept

    for number in range(1, count + 1):
        lines[number] = Line()
        await asyncio.start_server(listen(number), address, first_port + number, limit=1 << 20)
    print("ready", flush=True)
    commands = asyncio.StreamReader()
    await asyncio.get_event_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(commands), sys.stdin)
    while True:
        text = await commands.readline()
        if not text:
            return
        command = json.loads(text)
        if "seed" in command:
            random.seed(command["seed"])
        else:
            lines[command["runtime"]].do(command)


if __name__ == "__main__":
    address, first_port, count, host, port = sys.argv[1:6]
    asyncio.run(serve(address, int(first_port), int(count), (host, int(port))))
