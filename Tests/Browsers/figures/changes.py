"""Bytes on the wire for a small change of a large page, WebSocket frames included.

Tidelock's are the frames that a viewer without a browser is sent; it has said which rows are in sight,
as a page does. Those of others are counted by a relay between Chromium and their server, so that they
are compressed where that is what they do. An app changes by itself, at a steady pace, to texts that have
nothing in common; the median of several changes is taken.

Peers are written as their users do: NiceGUI sets the label's text and updates its table of Quasar;
Streamlit has the part that changes in a fragment of its own, which runs again.
"""

from browser import chromium
from relay import Relay
from report import Goal, Section
from server import Peer
from viewer import Viewer

PEERS = ["NiceGUI", "Streamlit"]
GAP = 0.3  # seconds; peers change each second
ROWS_IN_SIGHT = 60


def label(program, quick):
    counts = [10_000, 100]
    section = Section(
        "label", "one changed label of 8 characters, bytes on the wire", {"bytes": "bytes"},
        [Goal(f"Tidelock, among {count:,}", "bytes", 40) for count in counts])
    for count in counts:
        with program.serve("label", str(count)) as server, Viewer(server.door) as viewer:
            viewer.frame()
            for _ in range(5 if quick else 20):
                section.add(f"Tidelock, among {count:,}", bytes=len(viewer.frame()))
    # A page of 10,000 takes them long to make.
    pages = {f"among {count:,}": f"what=label&count={count}" for count in counts if count == 100 or not quick}
    add_peers(section, pages, "bytes", 3 if quick else 8)
    return section


def table(program, quick):
    steps = ["cell", "insert", "move"]
    section = Section(
        "table", "a table of 1000 rows and two columns, bytes on the wire",
        {"cell": "changed cell", "insert": "inserted row", "move": "moved row"},
        [Goal("Tidelock", step, 60) for step in steps])
    for step in steps:
        with program.serve("table", step) as server, Viewer(server.door) as viewer:
            viewer.send("rows", viewer.first("table"), 0, ROWS_IN_SIGHT)
            while ["ack", 1] not in viewer.operations(viewer.frame()):
                pass
            for _ in range(5 if quick else 20):
                section.add("Tidelock", **{step: len(viewer.frame())})
    for step in steps:
        add_peers(section, {"": f"what=table&step={step}"}, step, 3 if quick else 8)
    return section


def add_peers(section, pages, figure, changes):
    """Adds what peers send, by the names of pages."""
    with chromium() as browser:
        for name in PEERS:
            with Peer(name) as peer:
                for title, query in pages.items():
                    with Relay(peer.port) as relay:
                        page = browser.new_page()
                        page.goto(f"http://127.0.0.1:{relay.port}/?{query}")
                        page.get_by_text("All is there.").wait_for(timeout=300_000)
                        relay.forget()
                        while len(relay.bursts(GAP)) < changes + 3:
                            page.wait_for_timeout(200)
                        # The first ones may belong to the page itself, and the last may lack its end.
                        for size in relay.bursts(GAP)[2:-1]:
                            section.add(", ".join(filter(None, [name, title])), **{figure: size})
                        page.close()
