"""A viewer without a browser: what a page does on the wire, and no more."""

import json

UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\n"
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")


def open_socket(door):
    """A WebSocket; gives the connection and what has come after the answer to the upgrade."""
    connection = door.connect()
    connection.sendall(UPGRADE.format(host=door.host, cookie=door.another().cookie).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        more = connection.recv(1 << 16)
        if not more:
            break
        answer += more
    if not answer.startswith(b"HTTP/1.1 101"):
        raise AssertionError(f"no WebSocket: {answer[:200]}")
    return connection, answer.partition(b"\r\n\r\n")[2]


def frame_length(data):
    """How long the first frame in some bytes is, its head included; None where that is not known yet."""
    if len(data) < 2:
        return None
    length = data[1]
    if length < 126:
        return 2 + length
    count = 2 if length == 126 else 8
    if len(data) < 2 + count:
        return None
    return 2 + count + int.from_bytes(data[2:2 + count], "big")


class Viewer:
    """Reads frame by frame."""

    def __init__(self, door):
        self.connection, self.received = open_socket(door)
        self.last_number = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def frame(self):
        """The bytes of the next frame, its head included."""
        while True:
            length = frame_length(self.received)
            if length is not None and length <= len(self.received):
                frame, self.received = self.received[:length], self.received[length:]
                return frame
            more = self.connection.recv(1 << 20)
            if not more:
                raise AssertionError("the server has closed the connection")
            self.received += more

    @staticmethod
    def operations(frame):
        """What a frame says."""
        return json.loads(frame[frame.index(b"["):])

    def first(self, class_name):
        """The number of the first view of a class, by the first frame, which has the whole tree."""
        rest = [each[1] for each in self.operations(self.frame()) if each[0] == "tree"]
        while rest:
            node = rest.pop()
            if isinstance(node, str):
                continue  # a label
            number, name, *others = node
            if name == class_name:
                return number
            # Of views of rows, whose cells are of no interest, there are more.
            if len(others) == 2:
                rest += reversed(others[1])
        raise AssertionError(f"there is no {class_name}")

    def send(self, kind, view, *rest):
        """Tells what a person does, as the page does: masked, here by zeros."""
        self.last_number += 1
        payload = json.dumps([self.last_number, kind, view, *rest]).encode()
        self.connection.sendall(bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
