"""Where each viewer is, and that scripts read and write it of the one who acted last."""

from stage import focused_name, scenario

TOP = "document.querySelector('.tide-scroll').scrollTop / cell().height"


def said(stage, page, wanted):
    stage.wait_for(lambda: page.locator(".tide-label").last.inner_text(), wanted)


def scroll_to(page, line):
    page.evaluate(f"document.querySelector('.tide-scroll').scrollTop = {line} * cell().height")


def lines(page):
    return round(page.evaluate(TOP))


@scenario
def scroll_offsets(stage):
    app = stage.serve("places")
    page = stage.open(app)
    # It begins where the app says, ...
    stage.wait_for(lambda: lines(page), 12)
    said(stage, page, "0 12 wide elsewhere")
    # ... scripts read where a person has scrolled to, ...
    scroll_to(page, 30)
    said(stage, page, "0 30 wide elsewhere")
    page.get_by_role("region", name="Text").hover()
    page.mouse.wheel(0, -10000)
    said(stage, page, "0 0 wide elsewhere")
    # ... and what they write is shown, as far as it can be.
    app.run("views.text.scrollY = 20")
    stage.wait_for(lambda: lines(page), 20)
    app.run("views.text.scrollX, views.text.scrollY = 7, 1000000")
    end = page.evaluate("""() => {
      const { scrollHeight, clientHeight } = document.querySelector(".tide-scroll");
      return Math.round((scrollHeight - clientHeight) / cell().height);
    }""")
    stage.wait_for(lambda: lines(page), end)
    said(stage, page, f"7 {end} wide elsewhere")
    app.run("views.text.scrollY = 0")
    stage.wait_for(lambda: lines(page), 0)
    said(stage, page, "7 0 wide elsewhere")


@scenario
def scroll_offsets_of_two_viewers(stage):
    app = stage.serve("places")
    first = stage.open(app)
    scroll_to(first, 30)
    said(stage, first, "0 30 wide elsewhere")
    second = stage.open(app)
    assert lines(second) == 0
    scroll_to(second, 5)
    said(stage, second, "0 5 wide elsewhere")
    assert lines(first) == 30
    # What scripts write is for the one who acted last.
    app.run("views.text.scrollY = 9")
    stage.wait_for(lambda: lines(second), 9)
    stage.settle(first)
    assert lines(first) == 30
    first.get_by_role("button", name="Go").click()
    said(stage, first, "0 30 wide other")
    app.run("views.text.scrollY = 33")
    stage.wait_for(lambda: lines(first), 33)
    assert lines(second) == 9


@scenario
def rows_that_scripts_show(stage):
    app = stage.serve("places")
    page = stage.open(app)
    row = lambda number: page.get_by_role("option", name=f"name {number}", exact=True)
    seen = lambda number: row(number).count() == 1 and page.evaluate("""name => {
      const list = document.querySelector(".tide-rows").getBoundingClientRect();
      const each = [...document.querySelectorAll(".tide-cell")].find(each => each.innerText === name);
      const box = each.getBoundingClientRect();
      return box.top >= list.top - 1 && box.bottom <= list.bottom + 1;
    }""", f"name {number}")
    row(1).click()
    app.run("views.names:scrollTo(300)")
    stage.wait_for(lambda: seen(300))
    app.run("views.names.selectedIndex = 120")
    stage.wait_for(lambda: seen(120))
    stage.wait_for(lambda: row(120).get_attribute("aria-selected"), "true")
    # The keys go on from what is selected.
    page.get_by_role("listbox", name="Names").press("ArrowDown")
    stage.wait_for(lambda: app.read("views.names.selectedIndex"), 121)
    # A person may have scrolled away from where the app's own picture is.
    page.evaluate("document.querySelector('.tide-rows').scrollTop = 0")
    stage.wait_for(lambda: seen(1))
    app.run("views.names:scrollTo(120)")
    stage.wait_for(lambda: seen(120))


@scenario
def the_focus_of_two_viewers(stage):
    app = stage.serve("places")
    first = stage.open(app)
    stage.wait_for(lambda: focused_name(first), "Name")
    first.keyboard.type("Ada")
    stage.settle(first)
    second = stage.open(app)
    second.get_by_role("listbox", name="Names").focus()
    second.get_by_role("button", name="Go").click()
    stage.wait_for(lambda: focused_name(second), "Other")
    said(stage, second, "0 0 wide other")
    # The one who has done nothing keeps the focus, and types on.
    first.keyboard.type(" L")
    stage.settle(first)
    assert focused_name(first) == "Name" and focused_name(second) == "Other"
    assert app.read("views.name.text", "views.name.focused") == ["Ada L", True]
    app.run("views.other:focus()")
    stage.wait_for(lambda: focused_name(first), "Other")


@scenario
def layouts_follow_the_window_of_the_one_who_acted_last(stage):
    app = stage.serve("places")
    first = stage.open(app)
    said(stage, first, "0 12 wide elsewhere")
    first.set_viewport_size({"width": 400, "height": 600})
    said(stage, first, "0 12 narrow elsewhere")
    second = stage.open(app)
    second.get_by_label("Other").press("x")
    said(stage, second, "0 12 wide other")
    width = app.read("views.all.bounds.width")
    assert abs(width - second.evaluate("innerWidth / cell().width")) < 2
    first.get_by_role("textbox", name="Name").press("y")
    said(stage, first, "0 12 narrow elsewhere")
