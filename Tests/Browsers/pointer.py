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
    last = page.evaluate("width => Math.floor((width - 2) / cell().width)", spot["width"])
    said(stage, page, SPOT, f"in {last} 0 ")
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
    page.get_by_role("button", name="Listen").click()
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


@scenario
def rows_are_moved_by_the_mouse(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    box = lambda name: page.get_by_role("option", name=name, exact=True).bounding_box()
    from_, to = box("Ada"), box("Cy")
    page.mouse.move(from_["x"] + 20, from_["y"] + 5)
    page.mouse.down()
    page.mouse.move(to["x"] + 20, to["y"] + 5, steps=8)
    page.mouse.up()
    stage.wait_for(lambda: app.read("views.rows.items[1]", "views.rows.items[3]"), ["Bo", "Ada"])
    stage.wait_for(lambda: page.get_by_role("option").first.inner_text(), "Bo")
    # Nothing is marked as text meanwhile, and a click is no move.
    assert page.evaluate("String(getSelection())") == ""
    page.get_by_text("Di", exact=True).click()
    stage.settle(page)
    assert app.read("views.rows.items[4]") == "Di"


@scenario
def a_dragged_row_is_the_one_that_was_pressed(stage):
    app = stage.serve("pointer")
    page = stage.open(app)
    row = lambda name: page.get_by_role("option", name=name, exact=True)
    box = row("Di").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 5)
    page.mouse.down()
    box = row("Bo").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 5, steps=8)
    # The page shows where the row would go.
    assert page.locator("[data-drop='-1']").inner_text() == "Bo"
    # Meanwhile the rows move, and their cells show others.
    app.run("views.rows.items:insert(1, 'Al')")
    row("Al").wait_for()
    box = row("Bo").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 6, steps=2)
    page.mouse.up()
    names = [f"views.rows.items[{index}]" for index in range(1, 6)]
    stage.wait_for(lambda: app.read(*names), ["Al", "Ada", "Di", "Bo", "Cy"])
    assert page.locator("[data-drop]").count() == 0
    # A row that is dropped on itself stays.
    box = row("Cy").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 8, steps=4)
    page.mouse.up()
    stage.settle(page)
    assert app.read("views.rows.items[5]") == "Cy"


def open_on_a_phone(stage, app):
    return stage.open(app, width=360, height=740, has_touch=True, is_mobile=True, device_scale_factor=2)


def touch(fingers, kind, *place):
    points = [dict(zip("xy", place))] if place else []
    fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@scenario
def fingers_scroll_lists_and_ask_for_menus(stage):
    app = stage.serve("pointer")
    page = open_on_a_phone(stage, app)
    fingers = page.context.new_cdp_session(page)
    box = page.get_by_role("listbox", name="Names").bounding_box()
    x, y = box["x"] + 60, box["y"] + box["height"] - 20
    touch(fingers, "touchStart", x, y)
    for step in range(1, 15):
        touch(fingers, "touchMove", x, y - 8 * step)
        page.wait_for_timeout(16)
    touch(fingers, "touchEnd")
    stage.wait_for(lambda: page.evaluate("document.querySelector('.tide-rows').scrollTop > 50"))
    row = page.evaluate("""() => {
      const list = document.querySelector(".tide-rows").getBoundingClientRect();
      return [...document.querySelectorAll(".tide-cell")].find(each =>
        each.getBoundingClientRect().top >= list.top + 20).innerText;
    }""")
    # Scrolling has chosen nothing, and hovers over nothing.
    stage.settle(page)
    assert app.read("models.seen.row", "views.rows.selectedIndex or 0") == ["none", 0]
    box = page.get_by_role("option", name=row, exact=True).bounding_box()
    touch(fingers, "touchStart", box["x"] + 40, box["y"] + 10)
    page.get_by_role("menuitem", name=f"Greet {row}").wait_for()
    touch(fingers, "touchEnd")
    page.wait_for_timeout(100)
    page.get_by_role("menuitem", name=f"Greet {row}").tap()
    said(stage, page, MENU, f"hello {row}")
    assert page.get_by_role("menu").count() == 0
    # A short touch chooses.
    page.get_by_text("Inside of it").tap()
    said(stage, page, CLICKED, "inner")


@scenario
def a_finger_drags_a_slider_and_asks_for_no_menu(stage):
    app = stage.serve("pointer")
    page = open_on_a_phone(stage, app)
    fingers = page.context.new_cdp_session(page)
    slider = page.get_by_role("slider", name="Level")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2
    touch(fingers, "touchStart", x, y)
    for step in range(1, 11):
        touch(fingers, "touchMove", x + step * box["width"] / 20, y)
        page.wait_for_timeout(90)
    assert page.get_by_role("menu").count() == 0
    touch(fingers, "touchEnd")
    page.wait_for_timeout(700)
    assert page.get_by_role("menu").count() == 0
    assert float(slider.input_value()) > 50
    # A finger that stays asks for it.
    touch(fingers, "touchStart", x, y)
    page.get_by_role("menuitem", name="Whole").wait_for()
    touch(fingers, "touchEnd")


SMALL = """() => [...document.querySelectorAll("button, input, select, textarea, a, [tabindex='0'], .tide-twist")]
  .filter(each => each.checkVisibility() && !each.matches(".tide-date"))
  .map(each => [each, (each.closest("label") ?? each).getBoundingClientRect()])
  .filter(([each, box]) => Math.min(box.width, box.height) < 24)
  .map(([each, box]) => `${each.className || each.type} ${box.width}x${box.height} ${each.innerText}`)"""


@scenario(latencies=[0])
def no_control_is_too_small_for_a_finger(stage):
    for name, tabs in [("controls", ["Form", "Controls"]), ("more", ["Heights", "Rows"]), ("tabs", []),
                       ("dates", [])]:
        page = open_on_a_phone(stage, stage.serve(name))
        for tab in [None, *tabs]:
            if tab:
                page.get_by_role("tab", name=tab).tap()
                stage.settle(page)
            assert page.evaluate(SMALL) == [], (name, tab, page.evaluate(SMALL))
