"""The mouse and fingers: hovering, clicks with their places, context menus, and rows that are dragged."""

from stage import scenario


def said(stage, page, place, wanted):
    stage.wait_for(lambda: page.locator(".tide-label").last.inner_text().split(" | ")[place], wanted)


SPOT, ROW, CLICKED, MENU, TAPS = range(5)


@scenario
def hovering(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    spot = page.get_by_text("Move over this").bounding_box()
    page.mouse.move(spot["x"] + 2, spot["y"] + 2)
    said(stage, page, SPOT, "in 0 0 ")
    page.keyboard.down("Shift")
    # By cells, as in a terminal.
    width, height = page.evaluate("[cell().width, cell().height]")
    page.mouse.move(spot["x"] + 3.5 * width, spot["y"] + 1.5 * height)
    page.keyboard.up("Shift")
    said(stage, page, SPOT, "in 3 1 S")
    page.mouse.move(790, 590)
    said(stage, page, SPOT, "out -1 -1 ")
    # Of what is inside, the one around it hears, too.
    page.get_by_text("Inside of it").hover()
    page.mouse.move(spot["x"] + 2, spot["y"] + 2)
    stage.settle(page)
    assert app.read("models.seen.spot") == "in 0 0 "
    page.get_by_text("Listens later").hover()
    page.mouse.move(790, 590)
    said(stage, page, SPOT, "left outer")


@scenario
def hovering_over_rows(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    for name in ["Bo", "Ada", "Cy"]:
        page.get_by_text(name, exact=True).hover()
        said(stage, page, ROW, name)
    page.mouse.move(790, 590)
    said(stage, page, ROW, "left")


@scenario
def many_movements_are_few_messages(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    spot = page.get_by_text("Move over this").bounding_box()
    before = page.evaluate("lastNumber")
    for _ in range(5):
        page.mouse.move(spot["x"], spot["y"] + 2)
        page.mouse.move(spot["x"] + spot["width"] - 2, spot["y"] + 2, steps=100)
    stage.settle(page)
    said(stage, page, SPOT, f"in {page.evaluate('Math.floor(158 / cell().width)')} 0 "
         if spot["width"] == 160 else app.read("models.seen.spot"))
    # No more than cells, and while one is on its way the last of those behind it.
    assert page.evaluate("lastNumber") - before <= 5 * 25
    # What nobody listens to costs nothing.
    page.mouse.move(790, 590)
    stage.settle(page)
    before = page.evaluate("lastNumber")
    page.mouse.move(700, 500, steps=20)
    assert page.evaluate("lastNumber") == before


@scenario
def clicks_tell_of_what_was_clicked(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    page.get_by_text("Cy", exact=True).click()
    said(stage, page, CLICKED, "3 Cy")
    page.get_by_text("Inside of it").click()
    said(stage, page, CLICKED, "inner")
    # What is off leaves the mouse to what holds it.
    page.get_by_text("Out of use").click()
    said(stage, page, CLICKED, "outer")
    app.run("on(views.late, 'click', function(_, event) models.seen.clicked = 'late ' .. event.x end)")
    stage.wait_for(lambda: page.evaluate("[...views.values()].some(each => each.properties.clicks && each.properties.text === 'Listens later')"))
    page.get_by_text("Listens later").click(position={"x": 1, "y": 5})
    said(stage, page, CLICKED, "late 0")


@scenario
def a_context_menu_of_a_row(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    # The right button selects the row, and the menu is about it.
    page.get_by_text("Cy", exact=True).click(button="right")
    page.get_by_role("menuitem", name="Greet Cy").click()
    said(stage, page, MENU, "hello Cy")
    page.get_by_role("listbox", name="Names").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Shift+F10")
    page.get_by_role("menuitem", name="Greet Bo").wait_for()
    page.keyboard.press("Enter")
    said(stage, page, MENU, "hello Bo")
    # One that is only made when it is asked for.
    for time in ["Asked 1", "Asked 2"]:
        page.get_by_text("Menu as it comes").click(button="right")
        page.get_by_role("menuitem", name=time).wait_for()
        page.keyboard.press("Escape")
