"""After any inputs a page shows what the app has, and what a page that is opened then shows.

People type and click, the line breaks and is slow, scripts change things and the app is saved."""

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

# Of each view that shows a line: its class, what it shows, whether it is enabled, its error, and
# whether it has the focus; in the page, and as the app has it, which a terminal shows.
OF_PAGE = """() => {
  const lines = [];
  const what = {
    label: view => view.textContent, button: view => view.textContent,
    field: view => inner(view, "input").value, textArea: view => inner(view, "textarea").value,
    checkbox: view => inner(view, "input").checked, slider: view => inner(view, "input").value,
    stepper: view => inner(view, "[role=spinbutton]").textContent,
    radio: view => [...view.querySelectorAll("input")].findIndex(each => each.checked) + 1,
  };
  const inner = (view, selector) => view.matches(selector) ? view : view.querySelector(selector);
  const viewOf = element => element?.closest(".tide-any");
  const walk = view => {
    if (!view.checkVisibility()) return;
    const name = Object.keys(what).find(each => view.classList.contains("tide-" + each));
    const control = inner(view, "input, textarea, [role=spinbutton], [role=radiogroup]") ?? view;
    const message = [...view.querySelectorAll(".tide-error")].find(each => viewOf(each) === view);
    if (name) lines.push([
      name, what[name](view), !(control.disabled || control.ariaDisabled === "true"),
      message?.textContent ?? "", viewOf(document.activeElement) === view].join("|"));
    [...view.querySelectorAll(".tide-any")]
      .filter(each => viewOf(each.parentNode) === view).forEach(walk);
  };
  walk(document.querySelector(".tide-column"));
  return lines;
}"""
OF_APP = """(function()
  local lines = {}
  local what = { label = "text", button = "title", field = "text", textArea = "text",
    checkbox = "isOn", slider = "value", stepper = "value", radio = "selectedIndex" }
  local function walk(each, isOn)
    if each.hidden then return end
    isOn = isOn and each.enabled
    local name = what[each.class]
    if name then
      local value = each[name]
      lines[#lines + 1] = table.concat({ each.class,
        type(value) == "number" and string.format("%g", value) or tostring(value),
        tostring(isOn), each.error or "", tostring(each.focused) }, "|")
    end
    local below = {}
    for _, inner in ipairs(each.subviews) do below[#below + 1] = inner end
    if each.class == "list" then
      table.sort(below, function(one, other) return one.index < other.index end)
    end
    for _, inner in ipairs(below) do walk(inner, isOn) end
  end
  walk(views.all, true)
  return lines
end)()"""

WORDS = ["a", "Ada", "ä", "two words", "😀", "0", "<b>&amp;</b>", '"\\\\', "漢字"]


# What is different in versions of the app, and what is broken in some of them.
CHANGES = [("-- What random", "-- What other"), ('title = "Press"', 'title = "Press me"'),
           ('label = "Note"', 'label = "Note", placeholder = "new"'),
           ('  view.row { spacing = 2,\n', '  view.label { text = "new" },\n  view.row { spacing = 2,\n')]
MISTAKES = ["show((", 'error "It is broken."', "view.label { text = none.at.all }"]


def save(random, app, source):
    """Saves another version of the app, or one that is broken."""
    text = source
    for before, after in CHANGES:
        if random.random() < 0.4:
            text = text.replace(before, after, 1)
    app.write(text + (random.choice(MISTAKES) if random.random() < 0.3 else ""))


def act(random, app, page, source):
    """Does something that a person might do, or has the line break."""
    kind = random.choice(["type", "type", "type", "click", "click", "key", "drop", "script", "save", "slow"])
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
          const one = all[Math.floor(at * all.length)];
          one.focus();
          one.click();
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
    elif kind == "save":
        save(random, app, source)
        if random.random() < 0.5:
            page.keyboard.type("saved", delay=10)
    elif kind == "slow":
        app.proxy.latency = random.choice([0, app.latency, 2 * app.latency, 0.05])
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
        source = app.file.read_text()
        for _ in range(25):
            act(chance, app, page, source)
        app.write(source)
        stage.wait_for(lambda: page.locator(".tide-failed").is_visible(), False)
        stage.settle(page)
        # Whoever types keeps the record of the field until they let go.
        page.evaluate("document.activeElement.blur()")
        stage.settle(page)
        stage.wait_for(lambda: difference(page.evaluate(OF_PAGE), app.read(OF_APP)), [])
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
