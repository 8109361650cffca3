"""From a key press to the painted result, on one machine.

A field, and a label that shows in capitals what is typed. The page notes the moment of each key press
(`event.timeStamp`), and that of the first animation frame after its result stands in the label. The
static page does it by itself, so that most of its time is that of the browser and of the display's
beat; the others ask a server. It does it twice: at once, so that its result is painted with the letter
itself, and in a task of its own, as anything that is not done at once, which the frame of the letter
does not wait for. Streamlit tells its server of a text by Enter: that is the key there.

All subjects take turns in one browser. Pauses between the keys are random, so that they do not line up
with frames. Without the beat means that the browser paints as often as it can.
"""

import random
from contextlib import ExitStack
from dataclasses import dataclass

from browser import chromium
from report import Goal, Section, percentile
from server import HERE, PATIENCE, Peer

AT_ONCE = "a page by itself, at once"
LATER = "a page by itself, in a task"
PRESSES = 25  # of a subject in its turn

# Notes how long each key took; results that are overtaken by later ones are not painted, and count as
# those.
OBSERVE = """({ field, label, isByEnter }) => {
  window.figures = [];
  const waiting = [];
  let pressed;
  const expect = () => waiting.push({ pressed, text: document.querySelector(field).value.toUpperCase() });
  addEventListener("keydown", (event) => {
    pressed = event.timeStamp;
    if (isByEnter && event.key === "Enter") expect();
  }, true);
  if (!isByEnter) addEventListener("input", expect, true);
  new MutationObserver(() => {
    const text = document.querySelector(label)?.textContent;
    const index = waiting.findIndex((each) => each.text === text);
    const done = waiting.splice(0, index + 1);
    if (done.length) requestAnimationFrame(() => {
      for (const { pressed } of done) window.figures.push(performance.now() - pressed);
    });
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@dataclass
class Subject:
    name: str
    url: str
    label: str  # its selector
    field: str = "input"
    is_by_enter: bool = False


def with_beat(program, quick):
    return measure(program, quick, "key", "from a key press to the painted result, ms", [], [
        Goal("Tidelock", measure, limit, other=page)
        for page in (LATER, AT_ONCE) for measure, limit in (("p50", 2), ("p99", 4))])


def without_beat(program, quick):
    return measure(
        program, quick, "key-free", "the same without the display's beat, ms",
        ["--disable-gpu-vsync", "--disable-frame-rate-limit"],
        [Goal("Tidelock", "p50", 4), Goal("Tidelock", "p99", 10)])


def measure(program, quick, id, title, arguments, goals):
    section = Section(id, title, {"p50": "p50", "p99": "p99"}, goals)
    rounds = 6 if quick else 24
    with ExitStack() as stack:
        server = stack.enter_context(program.serve("keys"))
        nicegui = stack.enter_context(Peer("NiceGUI"))
        streamlit = stack.enter_context(Peer("Streamlit"))
        browser = stack.enter_context(chromium(*arguments))
        subjects = [
            Subject("Tidelock", server.url, ".tide-label"),
            Subject(LATER, (HERE / "apps/keys.html").as_uri() + "?task", "p"),
            Subject(AT_ONCE, (HERE / "apps/keys.html").as_uri(), "p"),
            Subject("NiceGUI", nicegui.url + "?what=key", ".result"),
            Subject("Streamlit", streamlit.url + "?what=key", "[data-testid=stText]", is_by_enter=True),
        ]
        pages = {subject.name: open_page(browser, subject) for subject in subjects}
        generator = random.Random(1)
        for _ in range(rounds):
            for subject in subjects:
                type_letters(pages[subject.name], subject, generator)
        for subject in subjects:
            times = pages[subject.name].evaluate("window.figures")
            if len(times) < rounds * PRESSES:
                raise AssertionError(f"{subject.name} has answered {len(times)} of {rounds * PRESSES} keys")
            section.add(subject.name, p50=percentile(times, 0.5), p99=percentile(times, 0.99))
    return section


def open_page(browser, subject):
    page = browser.new_page()
    page.goto(subject.url)
    page.locator(subject.field).first.wait_for()
    page.wait_for_timeout(1000)
    page.evaluate(OBSERVE, {
        "field": subject.field, "label": subject.label, "isByEnter": subject.is_by_enter})
    return page


def type_letters(page, subject, generator):
    """Types letters in place of what is there: each key has a result of its own."""
    page.bring_to_front()
    page.locator(subject.field).first.focus()
    page.keyboard.press("Control+A")
    count = page.evaluate("window.figures.length")
    for index in range(PRESSES):
        page.keyboard.press(chr(ord("a") + index))
        if subject.is_by_enter:
            page.keyboard.press("Enter")
        page.wait_for_timeout(generator.uniform(20, 60))
    page.wait_for_function(
        "count => window.figures.length >= count", arg=count + PRESSES, timeout=PATIENCE * 1000)
