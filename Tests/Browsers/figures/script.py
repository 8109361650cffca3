"""The size of the page's script as it is served, compressed by gzip -9, and of its style beside it."""

import gzip
import re

from report import Goal, Section


def client(program, quick):
    section = Section(
        "client", "what a browser fetches once", {"bytes": "bytes", "gzip": "gzip -9"},
        [Goal("script", "gzip", 12 << 10)])
    with program.serve("keys") as server:
        door = server.door
        _, page = door.get("/")
        for name, kind in ("script", "js"), ("style", "css"), ("page", None):
            path = re.search(rb'"(/[\w-]+\.%s)"' % kind.encode(), page)[1].decode() if kind else "/"
            _, content = door.get(path)
            section.add(name, bytes=len(content), gzip=len(gzip.compress(content, 9, mtime=0)))
    return section
