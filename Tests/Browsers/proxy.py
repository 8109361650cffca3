"""A TCP proxy that makes a connection slow, deaf or dead, as lines of the real world are.

    browser ──▶ Proxy ──latency / 2──▶ tidelock serve
            ◀──latency / 2──

It runs on a thread of its own. What names its port in a request names the server's when it arrives,
so that Host and Origin are the server's own.
"""

import asyncio
import socket
import threading


class Proxy:
    def __init__(self, server_port):
        self.server_port = server_port
        self.latency = 0  # of a round trip, in seconds
        self.is_cut = False
        self.is_deaf = False  # what the server says gets lost
        # What is called otherwise on the other side, beside the port; names are as long as their others.
        self.renames = {}
        self.answer_renames = {}
        self._writers = set()
        self._dead = set()
        self._loop = asyncio.new_event_loop()
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self._loop.create_task(asyncio.start_server(self._connected, sock=listener))
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def cut(self):
        """Ends all connections, and takes no new ones."""
        self.is_cut = True
        self._call(self._close_all)

    def restore(self):
        self.is_cut = self.is_deaf = False

    def drop(self):
        """Ends all connections; new ones are taken."""
        self._call(self._close_all)

    def kill(self):
        """Lets all connections be, on which nothing arrives any more; new ones are taken."""
        self._call(lambda: self._dead.update(self._writers))

    def stop(self):
        self.cut()
        asyncio.run_coroutine_threadsafe(self._cancel(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _cancel(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _call(self, function):
        done = threading.Event()
        self._loop.call_soon_threadsafe(lambda: (function(), done.set()))
        done.wait()

    def _close_all(self):
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _connected(self, reader, writer):
        if self.is_cut:
            return writer.transport.abort()
        try:
            server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self.server_port)
        except OSError:
            return writer.transport.abort()
        if self.is_cut:
            server_writer.transport.abort()
            return writer.transport.abort()
        self._writers |= {writer, server_writer}
        try:
            await asyncio.gather(
                self._carry(reader, server_writer, is_request=True),
                self._carry(server_reader, writer, is_request=False))
        except asyncio.CancelledError:
            pass  # the proxy stops
        self._writers -= {writer, server_writer}

    async def _carry(self, reader, writer, is_request):
        late = asyncio.Queue()
        sending = asyncio.create_task(self._deliver(late, writer, is_request))
        own, servers = (b"127.0.0.1:%d" % port for port in (self.port, self.server_port))
        try:
            while data := await reader.read(65536):
                renames = {own: servers, **self.renames} if is_request else self.answer_renames
                for name, other in renames.items():
                    data = data.replace(name, other)
                late.put_nowait((self._loop.time() + self.latency / 2, data))
        except OSError:
            pass
        late.put_nowait((self._loop.time() + self.latency / 2, None))
        await sending

    async def _deliver(self, late, writer, is_request):
        while True:
            due, data = await late.get()
            await asyncio.sleep(max(0, due - self._loop.time()))
            if writer in self._dead:
                continue
            if data is None:
                return writer.close()
            if not writer.is_closing() and (is_request or not self.is_deaf):
                writer.write(data)
