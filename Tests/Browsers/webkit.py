"""Uses apps in WebKit: in WebKitGTK's small browser, which its driver moves, on a screen that nobody sees.

    python Tests/Browsers/webkit.py [SCENARIO]…

Quiet unless something fails. Needs Debian's webkit2gtk-driver and xvfb, and selenium from PyPI beside what
`scripts/browsers` installs. These scenarios are those in which browsers differ; the others are Chromium's.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import axe_playwright_python
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import ActionChains, Keys, WebKitGTK, WebKitGTKOptions
from selenium.webdriver.webkitgtk.service import Service

import stage as stages
from fields import PANGRAM
from rows import is_contiguous, rows_in_sight
from stage import PATIENCE, PROGRAM, ROOT, brief, caret, focused_name, labels, text_of

AXE = Path(axe_playwright_python.__file__).parent / "axe.min.js"
EXAMPLES = [
    "board", "converter", "desk", "feed", "fruit", "gallery", "ledger", "logs", "people", "todo"]
LATENCY = 100  # milliseconds of a round trip

scenarios = {}


def scenario(function):
    scenarios[function.__name__] = function
    return function


class Page:
    """What the helpers of the other scenarios ask of a page, by WebDriver."""

    def __init__(self, driver):
        self.driver = driver
        self.reconnects = False

    @property
    def connections(self):
        return self.evaluate("pageConnections")

    @property
    def faults(self):
        return self.evaluate("pageFaults")

    def evaluate(self, script, *arguments):
        """What an expression gives, or the function that it is."""
        return self.driver.execute_script(
            f"const value = ({script}); return typeof value === 'function' ? value(...arguments) : value",
            *arguments)

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)

    def listen(self):
        """Notes errors, and connections beyond the first."""
        self.driver.execute_script("""
          Object.assign(window, { pageFaults: [], pageConnections: 1 });
          addEventListener("error", ({ message, lineno }) => pageFaults.push(`${message} in line ${lineno}`));
          console.error = (...parts) => pageFaults.push(parts.join(" "));
          WebSocket = class extends WebSocket {
            constructor(...parts) {
              super(...parts);
              pageConnections++;
            }
          };""")

    def all(self, selector):
        """Those that show."""
        return self.evaluate(
            "selector => [...document.querySelectorAll(selector)].filter(each => each.checkVisibility())", selector)

    def find(self, selector, name):
        """The element that shows and that a screen reader calls by a name."""
        end = time.monotonic() + PATIENCE
        while True:
            names = []
            with suppress(StaleElementReferenceException):  # as the page changes meanwhile
                for each in self.all(selector):
                    names.append(each.accessible_name)
                    if names[-1] == name:
                        return each
            if time.monotonic() > end:
                raise AssertionError(f"no {selector} is called {name}, only {names}")
            time.sleep(0.05)

    def field(self, name):
        return self.find("input, textarea", name)

    def button(self, name):
        return self.find("button", name)

    def label(self, text):
        return next(each for each in self.all(".tide-label") if each.get_property("textContent") == text)

    def focus(self, element):
        self.evaluate("each => each.focus()", element)

    def press(self, *keys):
        """Presses keys one after the other, and types what is text."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def press_with(self, modifier, key):
        ActionChains(self.driver, duration=0).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def menu(self):
        return [each.accessible_name for each in self.all("[role=menu] [role=menuitem]")]

    def violations(self):
        """What axe finds wrong."""
        self.driver.execute_script(AXE.read_text())
        return self.driver.execute_async_script("""
          const done = arguments[0];
          axe.run().then(({ violations }) => done(violations.map(({ id, nodes }) =>
            `${id}: ${nodes[0].html.slice(0, 160)} ${nodes[0].failureSummary.replace(/\\s+/g, " ").slice(0, 200)}`)),
            (error) => done([String(error)]))""")


class Stage(stages.Stage):
    """A stage whose pages are windows of browsers of their own."""

    def __init__(self):
        super().__init__(None, LATENCY)
        self.drivers = []

    def open(self, app, theme="Adwaita"):
        options = WebKitGTKOptions()
        options.binary_location = str(mini_browser())
        options.add_argument("--automation")
        os.environ["GTK_THEME"] = theme
        driver = WebKitGTK(options=options, service=Service(shutil.which("WebKitWebDriver")))
        self.drivers.append(driver)
        page = Page(driver)
        app.proxy.latency = 0
        driver.get(app.url)
        self.pages.append(page)
        self.wait_for(lambda: page.evaluate("!!document.querySelector('.tide-window')"))
        app.proxy.latency = app.latency
        page.listen()
        return page

    def close(self):
        try:
            for page in self.pages:
                self.faults += page.faults
        finally:
            try:
                super().close()
            finally:
                for driver in self.drivers:
                    driver.quit()


def mini_browser():
    found = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    if not found or not shutil.which("WebKitWebDriver") or not shutil.which("Xvfb"):
        sys.exit("WebKit's browser is missing: scripts/packages webkit2gtk-driver xvfb")
    return found[-1]


def said(page):
    """The words of the last line of `controls`."""
    lines = [line for line in labels(page) if line.endswith(("0", "1")) and "[" in line]
    return dict(zip(
        "presses loud checked level copies color size picked answer clicks keys sent".split(), lines[-1].split(" ")))


def expect(stage, page, **wanted):
    stage.wait_for(lambda: {name: said(page)[name] for name in wanted}, wanted)


# MARK: Showing


@scenario
def a_page_shows(stage):
    page = stage.open(stage.serve("fields"))
    assert page.driver.title == "Fields", page.driver.title
    names = [(each.aria_role, each.accessible_name) for each in page.all("input, textarea, .tide-button")]
    wanted = ["Name", "Name again", "Loud", "Capitals", "Shouted", "Dashed", "Note", "Later", "Written", "Short", "Secret"]
    assert [name for _, name in names] == wanted + ["Write"], names
    assert {role for role, name in names if name not in ("Write", "Secret")} == {"textbox"}, names
    assert text_of(page, ".tide-form .tide-label") == "Hello "


@scenario
def roles_and_names(stage):
    page = stage.open(stage.serve("controls"))
    for selector, role, name in [
        (".tide-checkbox input", "checkbox", "Checked"), (".tide-toggle input", "switch", "Loud"),
        ("[type=range]", "slider", "Level"), ("[role=spinbutton]", "spinbutton", "Copies"),
        ("fieldset", "radiogroup", "Size"), ("[role=tab]", "tab", "Form"),
        (".tide-button", "button", "Press"), ("[role=menubar] button", "menuitem", "File"),
    ]:
        found = page.find(selector, name).aria_role
        assert found == role, f"{name} is a {found}, not a {role}"


@scenario
def light_and_dark(stage):
    app = stage.serve("controls")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = stage.open(app)
    dark = stage.open(app, theme="Adwaita:dark")
    assert light.evaluate(ground) == "rgb(251, 251, 249)", light.evaluate(ground)
    assert dark.evaluate(ground) == "rgb(21, 24, 29)", dark.evaluate(ground)
    for page in [light, dark]:
        assert page.violations() == [], page.violations()


@scenario
def every_example_by_axe(stage):
    problems = []
    for name in EXAMPLES:
        app = stage.serve(ROOT / "examples" / name / "app.lua", "--no-watch")
        page = stage.open(app)
        stage.settle(page)
        problems += [f"{name}: {each}" for each in page.violations()]
    assert not problems, "\n    ".join(problems)


# MARK: Typing


@scenario
def typing_reaches_the_model(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.field("Name").send_keys(PANGRAM)
    stage.expect_text(page, ".tide-form .tide-label", f"Hello {PANGRAM}")
    stage.settle(page)
    read = app.read("models.person.name", "models.person.edits")
    assert read == [PANGRAM, len(PANGRAM)], read
    assert page.field("Name").get_property("value") == PANGRAM
    assert page.field("Name again").get_property("value") == PANGRAM
    page.field("Note").send_keys("one", Keys.ENTER, "two", Keys.ENTER, Keys.ENTER, "three")
    stage.settle(page)
    note = app.read("models.person.note")
    assert note == "one\ntwo\n\nthree", note


@scenario
def typing_in_a_field_that_becomes_capitals(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.field("Loud")
    field.send_keys(PANGRAM)
    stage.wait_for(lambda: field.get_property("value"), PANGRAM.upper())
    page.press(Keys.HOME, Keys.RIGHT, Keys.RIGHT, Keys.RIGHT, "se")
    wanted = "THESE" + PANGRAM[3:].upper()
    stage.wait_for(lambda: field.get_property("value"), wanted)
    stage.settle(page)
    assert app.read("models.person.loud") == wanted
    assert caret(page) == [5, 5], caret(page)


@scenario
def copying_pasting_and_undoing(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.field("Name").send_keys("copied")
    page.press_with(Keys.CONTROL, "a")
    page.press_with(Keys.CONTROL, "c")
    field = page.field("Loud")
    field.send_keys("<>", Keys.LEFT)
    page.press_with(Keys.CONTROL, "v")
    stage.wait_for(lambda: field.get_property("value"), "<COPIED>")
    assert caret(page) == [7, 7], caret(page)
    field = page.field("Name")
    field.click()
    page.press(Keys.END, " twice")
    stage.settle(page)
    # Its keys are the program's around WebKit, which the driver passes by.
    page.evaluate("document.execCommand('undo')")
    stage.wait_for(lambda: len(field.get_property("value")) < len("copied twice"))
    stage.settle(page)
    assert app.read("models.person.name") == field.get_property("value")


# MARK: Controls


@scenario
def focus_order_by_tab(stage):
    page = stage.open(stage.serve("controls"))
    page.focus(page.find("[role=tab]", "Controls"))
    wanted = ["Press", "Checked", "Loud", "Level", "Copies", "Color", "medium", "Ask", "About", "All off", "Name"]
    order = []
    for _ in wanted:
        page.press(Keys.TAB)
        order.append(focused_name(page).strip())
    assert order == wanted, order
    for name in reversed(wanted[:-1]):
        page.press_with(Keys.SHIFT, Keys.TAB)
        assert focused_name(page).strip() == name, focused_name(page)


@scenario
def a_checkbox_and_a_toggle(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    box, toggle = page.find("[type=checkbox]", "Checked"), page.find("[role=switch]", "Loud")
    box.click()
    expect(stage, page, checked="false")
    page.focus(box)
    page.press(Keys.SPACE, Keys.ENTER, Keys.SPACE)
    expect(stage, page, checked="true")
    for _ in range(3):
        toggle.click()
    expect(stage, page, loud="true")
    stage.settle(page)
    assert (box.is_selected(), toggle.is_selected()) == (True, True)
    app.run("models.choice.loud = false")
    stage.wait_for(toggle.is_selected, False)


@scenario
def numbers_and_choices_by_key(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.focus(page.find("[type=range]", "Level"))
    page.press(*[Keys.RIGHT] * 5)
    expect(stage, page, level="9")
    page.press(Keys.HOME)
    expect(stage, page, level="0")
    page.press(Keys.END, Keys.LEFT)
    expect(stage, page, level="9")
    page.focus(page.find("[role=spinbutton]", "Copies"))
    page.press(Keys.UP, Keys.UP, Keys.DOWN, Keys.UP)
    expect(stage, page, copies="4")
    page.find("[type=radio]", "small").click()
    page.press(Keys.DOWN, Keys.DOWN)
    expect(stage, page, size="large")
    page.evaluate("""() => {
      const picker = document.querySelector("select");
      picker.selectedIndex = 3;
      picker.dispatchEvent(new Event("change"));
    }""")
    expect(stage, page, color="blue")


@scenario
def a_date(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.find("[role=tab]", "Form").click()
    page.field("Born").send_keys("03/14/2026")
    stage.wait_for(lambda: app.read("models.choice.born"), 1773446400)
    page.button("Calendar").click()
    stage.settle(page)


# MARK: Rows


@scenario
def choosing_rows(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    stage.wait_for(lambda: rows_in_sight(page)[:2], ["row 1", "row 2"])
    page.all("[role=gridcell]")[4].click()
    stage.expect_text(page, ".tide-label", "row 3 of 100000, selected 3")
    page.press(*[Keys.DOWN] * 37)
    stage.expect_text(page, ".tide-label", "row 40 of 100000, selected 40")
    stage.wait_for(lambda: "row 40" in rows_in_sight(page))
    page.press(Keys.END)
    stage.expect_text(page, ".tide-label", "row 100000 of 100000, selected 100000")
    stage.wait_for(lambda: rows_in_sight(page)[-1:], ["row 100000"])
    selected = page.evaluate("document.querySelector('[aria-selected=true] [role=gridcell]').textContent")
    assert selected == "row 100000", selected


@scenario
def scrolling_to_row_1000(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    stage.wait_for(lambda: rows_in_sight(page)[:2], ["row 1", "row 2"])
    scroll = lambda to: page.evaluate("to => { document.querySelector('.tide-rows').scrollTop = to; }", to)
    step = page.evaluate(
        "parseFloat(document.querySelector('.tide-rows').style.getPropertyValue('--tide-row'))")
    # As by a wheel, whose events the driver sends to the corner of the page.
    for row in range(0, 999, 15):
        scroll(row * step)
    scroll(999 * step)
    # The first in sight may stand below the headings.
    stage.wait_for(lambda: "row 1000" in rows_in_sight(page)[:2])
    assert is_contiguous(rows_in_sight(page)), rows_in_sight(page)
    scroll(1e9)
    stage.wait_for(lambda: rows_in_sight(page)[-1:], ["row 100000"])


@scenario
def a_row_that_moves_while_somebody_types(stage):
    app = stage.serve("rows")
    page = stage.open(app)
    page.find("[role=tab]", "List").click()
    stage.wait_for(lambda: len(page.all(".tide-cell input:not([type])")) > 3)
    page.all(".tide-cell input:not([type])")[3].click()
    page.press(Keys.END, "!")
    stage.settle(page)
    app.run("models.shop.few:move(12, 1)")
    page.press("?")
    stage.settle(page)
    # Its own row, and that of the field which somebody types in.
    app.run("models.shop.few:move(5, 2)")
    stage.settle(page)
    page.press("!")
    stage.settle(page)
    assert app.read("models.shop.few[2].name") == "fruit 4!?!", app.read("models.shop.few[2].name")


# MARK: Dialogs and menus


@scenario
def a_modal_dialog_and_its_focus(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    about = page.button("About")
    page.focus(about)
    page.press(Keys.ENTER)
    stage.wait_for(lambda: page.evaluate("document.querySelectorAll('dialog:modal').length"), 1)
    stage.wait_for(lambda: page.evaluate("!!document.activeElement.closest('dialog')"))
    page.field("Inner").send_keys("text")
    for _ in range(6):
        page.press(Keys.TAB)
        place = page.evaluate("document.activeElement.closest('dialog, body').localName")
        assert page.evaluate("document.activeElement === document.body") or place == "dialog", place
    page.press(Keys.ESCAPE)
    stage.wait_for(lambda: page.evaluate("document.querySelectorAll('dialog:modal').length"), 0)
    stage.settle(page)
    assert app.read("views.inner.text", "views.about.hidden") == ["text", True]
    stage.wait_for(lambda: focused_name(page), "About")
    # It opens again, as WebKit's own closing has not put it out of step.
    page.press(Keys.ENTER)
    stage.wait_for(lambda: page.evaluate("document.querySelectorAll('dialog:modal').length"), 1)


@scenario
def a_question(stage):
    page = stage.open(stage.serve("controls"))
    page.button("Ask").click()
    page.button("Yes").click()
    expect(stage, page, answer="Yes")
    stage.wait_for(lambda: len(page.all("dialog")), 0)
    page.button("Ask").click()
    page.button("Yes")
    page.press(Keys.ESCAPE)
    expect(stage, page, answer="dismissed")
    stage.wait_for(lambda: len(page.all("dialog")), 0)
    page.button("Press").click()
    expect(stage, page, presses="1")


@scenario
def menus(stage):
    page = stage.open(stage.serve("controls"))
    page.find("[role=menubar] button", "File").click()
    assert len(page.menu()) == 3, page.menu()
    page.press(Keys.DOWN, Keys.ENTER, Keys.ENTER)
    expect(stage, page, picked="deep")
    page.press(Keys.F10)
    page.press(Keys.RIGHT, Keys.ENTER, Keys.ENTER)
    expect(stage, page, picked="paste")
    page.press_with(Keys.ALT, "n")
    expect(stage, page, picked="new")
    ActionChains(page.driver).context_click(page.label("Right here")).perform()
    assert len(page.menu()) == 3, page.menu()
    page.press(Keys.ENTER)
    expect(stage, page, picked="cut")
    page.find("[role=menubar] button", "File").click()
    page.press(Keys.ESCAPE)
    assert page.menu() == []


# MARK: Going on


@scenario
def a_draft_outlives_a_reload(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.field("Later").send_keys("a draft", Keys.LEFT)
    page.evaluate("() => { document.querySelector('.tide-scroll').scrollTop = 200; }")
    stage.settle(page)
    app.save("The first version", "The second version")
    stage.expect_text(page, ".tide-column > .tide-label", "The second version")
    stage.settle(page)
    assert page.field("Later").get_property("value") == "a draft"
    assert caret(page) == [6, 6], caret(page)
    assert page.evaluate("document.querySelector('.tide-scroll').scrollTop") == 200
    assert app.read("models.note.later") == ""
    page.press(Keys.TAB)
    stage.wait_for(lambda: app.read("models.note.later"), "a draft")
    app.save("show(view.window", "show((view.window")
    stage.wait_for(lambda: "reload.lua:" in (text_of(page, ".tide-failed:not([hidden])") or ""))


@scenario
def a_draft_outlives_a_cut_connection(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    field = page.field("Later")
    field.send_keys("one ")
    app.proxy.cut()
    page.press("two ")
    stage.wait_for(lambda: bool(text_of(page, ".tide-lost:not([hidden])")))
    page.press("three ")
    app.proxy.restore()
    page.press("four")
    stage.settle(page)
    stage.wait_for(lambda: text_of(page, ".tide-lost:not([hidden])"), None)
    assert field.get_property("value") == "one two three four"
    assert (focused_name(page), caret(page)) == ("Later", [18, 18])
    page.press(Keys.TAB)
    stage.wait_for(lambda: app.read("models.note.later"), "one two three four")
    page.button("Press").click()
    stage.wait_for(lambda: app.read("models.note.presses"), 1)


@scenario
def leaving_the_page_and_coming_back(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True  # where the browser keeps the page, and when it makes a new one
    page.field("Name").send_keys("Ada")
    stage.settle(page)
    page.driver.get("about:blank")
    page.driver.back()
    stage.wait_for(lambda: page.evaluate("!!document.querySelector('.tide-window')"))
    page.listen()
    page.button("Press").click()
    stage.wait_for(lambda: "pressed 1" in labels(page))
    assert page.field("Name").get_property("value") == "Ada"


def start_screen():
    reading, writing = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
        pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with open(reading) as answer:
        os.environ["DISPLAY"] = ":" + answer.readline().strip()
    return screen


def play(name):
    """Plays a scenario; gives what went wrong, or nothing."""
    stage = Stage()
    problems = []
    for act in [lambda: scenarios[name](stage), stage.close]:
        try:
            act()
        except Exception as error:
            problems.append(brief(error))
    return problems + stage.faults


def main():
    names = [name for name in scenarios
             if not sys.argv[1:] or any(each in name for each in sys.argv[1:])]
    if not names:
        sys.exit("There is no such scenario; there are: " + ", ".join(scenarios))
    mini_browser()
    os.environ["NO_AT_BRIDGE"] = "1"  # there is nobody to whom it could read aloud
    failures = 0
    with tempfile.TemporaryDirectory(prefix="tidelock-") as folder:
        stages.PROGRAM = Path(shutil.copy(PROGRAM, folder))
        screen = start_screen()
        try:
            for name in names:
                if problems := play(name):
                    failures += 1
                    print(f"failed: {name}", *problems, sep="\n    ", flush=True)
        finally:
            screen.terminate()
            screen.wait()
    if failures:
        sys.exit(f"{failures} of {len(names)} scenarios failed.")


if __name__ == "__main__":
    main()
