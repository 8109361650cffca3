"""The connection is lost, and comes back: nothing is lost, nothing is done twice."""

import http.server
import re
import resource
import socket
import threading
from pathlib import Path

from stage import caret, scenario


@scenario
def a_cut_while_typing(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    field = page.get_by_label("Name")
    field.press_sequentially("one ")
    page.evaluate("window.former = document.activeElement")
    app.proxy.cut()
    page.keyboard.type("two ", delay=10)
    page.locator(".tide-lost").wait_for()
    page.keyboard.type("three ")
    app.proxy.restore()
    page.keyboard.type("four")
    stage.settle(page)
    page.locator(".tide-lost").wait_for(state="hidden")
    wanted = "one two three four"
    assert (field.input_value(), app.read("models.note.name")) == (wanted, wanted)
    assert page.evaluate("former === document.activeElement") and caret(page) == [18, 18]


@scenario
def many_cuts_while_typing(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.reconnects = True
    text = "The line is cut after each of these words, and still all of them arrive."
    page.get_by_label("Name", exact=True).focus()
    for word in text.split(" "):
        page.keyboard.type(word + " ")
        app.proxy.drop()
    stage.settle(page)
    assert app.read("models.person.name") == text + " "
    assert page.get_by_label("Name", exact=True).input_value() == text + " "


@scenario
def nothing_is_done_twice(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    button = page.get_by_role("button", name="Press")
    button.click()
    stage.settle(page)
    # The app does it, but the page does not hear of it.
    app.proxy.is_deaf = True
    button.click()
    button.click()
    stage.wait_for(lambda: app.read("models.note.presses"), 3)
    app.proxy.cut()
    button.click()
    app.proxy.restore()
    stage.settle(page)
    page.get_by_text("pressed 4").wait_for()
    assert app.read("models.note.presses") == 4


@scenario
def what_changed_meanwhile(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.evaluate("document.querySelector('.tide-scroll').scrollTop = 200")
    page.get_by_label("Later").press_sequentially("mine")
    stage.settle(page)
    page.evaluate("window.former = [...document.querySelectorAll('.tide-any')]")
    app.proxy.cut()
    app.run("models.note.name = 'meanwhile'")
    app.save("The first version", "The second version")
    stage.wait_for(lambda: app.read("views.heading.text"), "The second version")
    app.proxy.restore()
    page.get_by_text("The second version").wait_for()
    assert page.get_by_label("Name").input_value() == "meanwhile"
    assert page.get_by_label("Later").input_value() == "mine"
    assert page.evaluate("document.querySelector('.tide-scroll').scrollTop") == 200
    assert page.evaluate("""[...document.querySelectorAll('.tide-any')]
      .every((each, index) => each === former[index])""")


@scenario
def a_short_cut_is_not_told_of(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.evaluate("""() => {
      window.wasLost = false;
      new MutationObserver(() => (wasLost ||= !!document.querySelector(".tide-lost:not([hidden])")))
        .observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    app.proxy.latency = 0
    app.proxy.drop()
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    assert not page.evaluate("wasLost")


@scenario
def the_server_is_started_again(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_label("Name").press_sequentially("former")
    stage.settle(page)
    app.end()
    app.start()
    # Its address is the same, and so is the browser's cookie.
    other = stage.open(app, context=page.context)
    other.get_by_label("Name").press_sequentially("new")
    stage.settle(other)
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "new")
    page.get_by_role("button", name="Press").click()
    other.get_by_text("pressed 1").wait_for()
    page.get_by_text("pressed 1").wait_for()


@scenario
def the_server_is_started_again_and_nobody_knows_its_address(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.evaluate("window.former = document.body")
    app.end()
    app.forget_token()
    app.start()
    page.get_by_text("The app was started again. To go on, open the address").wait_for()
    # It says so until it is let in, and does not come again and again.
    before = page.connections
    page.wait_for_timeout(6000)
    assert page.connections - before <= 4, page.connections - before
    assert page.locator(".tide-lost").inner_text().startswith("The app was started again.")
    page.goto(app.url)
    page.get_by_text("The first version").wait_for()
    page.locator(".tide-lost").wait_for(state="hidden")


@scenario
def what_was_typed_is_not_lost_silently(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_label("Name").press_sequentially("arrived")
    stage.settle(page)
    app.end()
    page.get_by_label("Later").press_sequentially("written meanwhile")
    app.start()
    stage.open(app, context=page.context)
    notice = page.locator(".tide-draft")
    notice.get_by_text("written meanwhile").wait_for()
    assert "arrived" not in notice.inner_text()
    stage.wait_for(lambda: page.get_by_label("Later").input_value(), "")
    notice.get_by_role("button", name="Hide").click()
    notice.wait_for(state="hidden")

@scenario
def typing_goes_on_while_the_server_is_started_again(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_label("Name").press_sequentially("arrived")
    stage.settle(page)
    app.end()
    app.start()
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "")
    page.keyboard.type("Go on")
    notice = page.locator(".tide-stray")
    notice.get_by_text("Go on").wait_for()
    assert app.read("models.note.name") == ""
    # Whoever goes into the field types there again.
    page.get_by_label("Name").press_sequentially("new")
    stage.settle(page)
    assert app.read("models.note.name") == "new"
    assert "new" not in notice.inner_text()
    notice.get_by_role("button", name="Hide").click()
    notice.wait_for(state="hidden")


@scenario
def what_was_pressed_is_not_lost_silently(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    stage.settle(page)
    app.end()
    page.get_by_role("button", name="Press").click()
    app.start()
    stage.open(app, context=page.context)
    notice = page.locator(".tide-undone")
    notice.get_by_text("Press").wait_for()
    assert app.read("models.note.presses") == 0
    notice.get_by_role("button", name="Hide").click()
    notice.wait_for(state="hidden")


def present_name(stage, app):
    """Of the script that the server gives, without its ending."""
    page = stage.open(app)
    page.reconnects = True
    return re.search(r"client-\w+(?=\.js)", page.content())[0].encode()


def open_old_page(stage, app):
    """A page of another version, as far as addresses say; then the server is of the present one."""
    name = present_name(stage, app)
    old = b"client-".ljust(len(name), b"0")
    app.proxy.renames, app.proxy.answer_renames = {old: name}, {name: old}
    page = stage.open(app)
    page.reconnects = True
    assert "client-00000000" in page.evaluate("script")
    app.proxy.renames, app.proxy.answer_renames = {}, {}
    return page


@scenario
def another_version_of_the_page(stage):
    app = stage.serve("reload")
    page = open_old_page(stage, app)
    page.get_by_label("Name").press_sequentially("kept")
    stage.settle(page)
    with page.expect_event("load"):  # it loads itself again
        app.proxy.drop()
    page.get_by_text("The first version").wait_for()
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "kept")
    assert "client-00000000" not in page.evaluate("script")


@scenario
def another_version_of_the_page_while_somebody_types(stage):
    app = stage.serve("reload")
    page = open_old_page(stage, app)
    app.proxy.cut()
    field = page.get_by_label("Name")
    field.press_sequentially("not there yet")
    app.proxy.restore()
    page.get_by_text("Copy what you have typed last").wait_for()
    assert "client-00000000" in page.evaluate("script")
    assert field.input_value() == "not there yet" and app.read("models.note.name") == ""
    page.reload()
    page.get_by_text("The first version").wait_for()
    assert "client-00000000" not in page.evaluate("script")


@scenario(latencies=[0])
def an_old_page_that_is_given_for_ever(stage):
    app = stage.serve("reload")
    page = open_old_page(stage, app)
    old = re.search(r"client-\w+", page.evaluate("script"))[0].encode()
    name = present_name(stage, app)
    # As by a cache on the way, which knows nothing of connections.
    app.proxy.renames, app.proxy.answer_renames = {b"GET /" + old: b"GET /" + name}, {name: old}
    loads = []
    page.on("load", lambda _: loads.append(1))
    app.proxy.drop()
    page.get_by_text("The app runs in another version").wait_for()
    page.wait_for_timeout(3000)
    assert len(loads) == 1, f"it has loaded itself {len(loads)} times"


@scenario
def a_page_that_was_asleep(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_label("Name").press_sequentially("awake")
    stage.settle(page)
    page.clock.install()
    for _ in range(3):
        known = page.evaluate("lastNumber")
        page.clock.fast_forward("01:00:00")
        page.clock.run_for(2000)
        stage.wait_for(lambda: page.evaluate("lastNumber") > known, True)
        stage.settle(page)
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    assert page.connections == 1, "its connection was still there"
    # Now it is gone, and nothing says so.
    page.reconnects = True
    app.proxy.kill()
    app.run("models.note.name = 'meanwhile'")
    page.clock.fast_forward("01:00:00")
    page.clock.run_for(15000)
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "meanwhile")
    assert page.connections == 2, page.connections


@scenario(latencies=[0])
def a_line_that_dies_while_nobody_types(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_label("Name").press_sequentially("awake")
    stage.settle(page)
    page.clock.install()
    page.clock.run_for(60000)
    assert page.connections == 1, "it has nothing to say, and is there"
    page.reconnects = True
    app.proxy.kill()
    app.run("models.note.name = 'meanwhile'")
    page.clock.run_for(35000)
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "meanwhile")
    assert page.connections == 2, page.connections


@scenario(latencies=[0])
def an_idle_page_on_a_slow_line(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.clock.install()
    page.clock.fast_forward("00:15")
    app.proxy.latency = 4
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    assert page.connections == 1, "an answer that is on its way is waited for"


@scenario
def an_app_of_its_own_that_was_forgotten(stage):
    app = stage.serve("reload", "--sessions", "private", "--limit", "idle=1")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_label("Name").press_sequentially("Ada")
    stage.settle(page)
    app.proxy.cut()
    page.wait_for_timeout(3000)
    app.proxy.restore()
    page.locator(".tide-lost").wait_for(state="hidden")
    stage.wait_for(lambda: page.get_by_label("Name").input_value(), "Ada")
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()


@scenario
def an_app_of_its_own_in_all_pages_of_a_browser(stage):
    app = stage.serve("reload", "--sessions", "private")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_label("Name").press_sequentially("Ada")
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    stage.settle(page)
    page.reload()
    page.get_by_text("pressed 1").wait_for()
    assert page.get_by_label("Name").input_value() == "Ada"
    page.goto("about:blank")
    page.go_back()
    page.get_by_text("pressed 1").wait_for()
    second = stage.open(app, context=page.context)
    second.get_by_text("pressed 1").wait_for()
    second.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 2").wait_for()


@scenario
def the_app_ends(stage):
    app = stage.serve("reload")
    app.may_end = True
    page = stage.open(app)
    page.get_by_role("button", name="End").click()
    page.locator(".tide-end").wait_for()
    app.process.wait()
    app.start()
    page.wait_for_timeout(1500)  # in which it would come again
    assert page.connections == 1


@scenario(latencies=[0])
def a_page_of_another_origin(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    connect = """port => new Promise(done => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`);
      socket.onopen = () => done(true);
      socket.onclose = () => done(false);
    })"""
    page.reconnects = True  # by what is tried here
    assert page.evaluate(connect, app.proxy.port), "a page of its own can"
    with ForeignSite() as port:
        # Ports make no other site, so this page's requests have the cookie; the other's have none.
        for name in ["127.0.0.1", "localhost"]:
            foreign = page.context.new_page()
            foreign.goto(f"http://{name}:{port}/")
            assert not foreign.evaluate(connect, app.proxy.port), name
            assert not foreign.evaluate(
                "port => fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false)",
                app.proxy.port)
    # Under another name the server gives nothing at all.
    other = page.context.new_page()
    answer = other.goto(app.url.replace("127.0.0.1", "localhost"))
    assert answer.status == 421, answer.status


@scenario(latencies=[0])
def a_browser_without_the_token(stage):
    app = stage.serve("reload")
    stage.open(app)
    stranger = stage.browser.new_context()
    stage.contexts.append(stranger)
    page = stranger.new_page()
    address = f"http://127.0.0.1:{app.proxy.port}/"
    assert page.goto(address).status == 403
    assert page.goto(address + "?token=0123456789abcdef0123456789abcdef").status == 403
    assert page.goto(app.url).status == 200
    assert "token" not in page.url


class ForeignSite:
    """Somebody's web site."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Foreign</title>")

        def log_message(self, *_):
            pass

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.server.server_address[1]

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


@scenario(latencies=[0])
def ten_thousand_connections(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    least = 10_100
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(limit, min(least, most)), most))
    count = min(10_000, most - 100)
    connections = []
    try:
        for number in range(count):
            connection = socket.create_connection(("127.0.0.1", app.port))
            connections.append(connection)
            if number % 2:
                connection.sendall(b"GET /ws?session= HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        page.get_by_role("button", name="Press").click()
        page.get_by_text("pressed 1").wait_for()
        assert len(connections) == count, len(connections)
        held = len(list(Path(f"/proc/{app.process.pid}/fd").iterdir()))
        assert held < 1000, held
    finally:
        for connection in connections:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 2").wait_for()
    assert page.connections == 1
