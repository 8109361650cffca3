"""After any inputs a page shows what the app has, and what a page that is opened then shows."""

import random

from stage import scenario

# Texts, values and states in the order of the page.
SHOWN = """() => {
  const lines = [];
  const walk = element => {
    if (!element.checkVisibility()) return;
    const { localName: tag, value, checked, disabled, ariaSelected, ariaInvalid } = element;
    const isControl = /^(input|textarea|select|button)$/.test(tag);
    const own = [...element.childNodes].filter(each => each.nodeType === 3).map(each => each.data).join("");
    if (isControl || own || ariaSelected) {
      lines.push([tag, own, isControl ? String(value) : "", !!checked, !!disabled,
        ariaSelected ?? "", ariaInvalid ?? ""].join("|"));
    }
    // Cells stand in any order; what is seen is where they stand.
    const children = [...element.children];
    if (children.some(each => each.matches(".tide-cell"))) {
      children.sort((one, other) => one.offsetTop - other.offsetTop);
    }
    children.forEach(walk);
  };
  walk(document.getElementById("tide"));
  return lines;
}"""

WORDS = ["a", "Ada", "ä", "two words", "😀", "0", "<b>&amp;</b>", '"\\\\', "漢字"]


def act(random, app, page):
    """Does something that a person might do, or has the line break."""
    kind = random.choice(["type", "type", "type", "click", "click", "key", "drop", "script"])
    if kind == "type":
        fields = page.locator("input:not([type]), input[type=text], textarea").locator("visible=true")
        field = fields.nth(random.randrange(fields.count()))
        field.focus()
        page.keyboard.press(random.choice(["End", "Home", "ArrowLeft"]))
        for character in random.choice(WORDS):
            page.keyboard.insert_text(character)
        if random.random() < 0.3:
            page.keyboard.press("Backspace")
    elif kind == "click":
        # By script, as the element may go while the mouse is on its way.
        page.evaluate("""at => {
          const all = [...document.querySelectorAll("button, input[type=checkbox], input[type=radio]")]
            .filter(each => each.checkVisibility());
          all[Math.floor(at * all.length)].click();
        }""", random.random())
    elif kind == "key":
        page.evaluate("""at => {
          const all = [...document.querySelectorAll("input[type=range], [role=spinbutton], .tide-rows")]
            .filter(each => each.checkVisibility());
          all[Math.floor(at * all.length)]?.focus();
        }""", random.random())
        page.keyboard.press(random.choice(["ArrowUp", "ArrowDown", "Home", "End"]))
    elif kind == "drop":
        app.proxy.drop()
    else:
        app.run(random.choice([
            "models.state.name = models.state.name .. '+'", "models.state.level = 7",
            "models.state.size = 'small'", "models.state.presses = models.state.presses + 1"]))


def law(seed):
    def play(stage):
        chance = random.Random(seed)
        app = stage.serve("law")
        page = stage.open(app, height=1000)
        page.reconnects = True
        for _ in range(25):
            act(chance, app, page)
        stage.settle(page)
        fresh = stage.open(app, height=1000)
        stage.settle(fresh)
        wanted = fresh.evaluate(SHOWN)
        stage.wait_for(lambda: difference(page.evaluate(SHOWN), wanted), [])
        names = ["name", "again", "loud", "note"]
        values = app.read(*[f"views.{name}.text" for name in names], "views.said.text")
        shown = [page.get_by_label(name.capitalize(), exact=True).input_value() for name in names]
        assert shown + [page.locator(".tide-column > .tide-label").last.inner_text()] == values, (shown, values)
    play.__name__ = f"law_of_equal_trees_{seed}"
    return play


def difference(one, other):
    return [pair for pair in zip(one + [""] * len(other), other + [""] * len(one)) if pair[0] != pair[1]]


for seed in range(1, 11):
    scenario(law(seed))
