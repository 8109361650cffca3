"""Carries connections to a server, and notes what comes back on WebSockets: when, and how many bytes.

    browser ──▶ Relay ──▶ server
            ◀──noted──
"""

import asyncio
import re
import socket
import threading
import time


class Relay:
    def __init__(self, port):
        self._server_port = port
        self._noted = []  # moments and bytes
        self._loop = asyncio.new_event_loop()
        listener = socket.create_server(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        self._loop.create_task(asyncio.start_server(self._connected, sock=listener))
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        asyncio.run_coroutine_threadsafe(self._cancel(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def bursts(self, gap):
        """The bytes of what came together: with less than some seconds from one part to the next."""
        sizes, last = [], None
        for moment, size in list(self._noted):
            if last is not None and moment - last < gap:
                sizes[-1] += size
            else:
                sizes.append(size)
            last = moment
        return sizes

    def forget(self):
        self._noted.clear()

    async def _cancel(self):
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connected(self, reader, writer):
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", self._server_port)
        head = await reader.read(1 << 16)
        is_socket = re.search(rb"(?i)upgrade: websocket", head) is not None
        server_writer.write(head)
        try:
            await asyncio.gather(
                self._carry(reader, server_writer, False), self._carry(server_reader, writer, is_socket))
        except asyncio.CancelledError:
            pass  # the relay stops

    async def _carry(self, reader, writer, is_noted):
        try:
            while data := await reader.read(1 << 16):
                if is_noted:
                    self._noted.append((time.monotonic(), len(data)))
                writer.write(data)
        except OSError:
            pass  # a browser that closes
        writer.close()
