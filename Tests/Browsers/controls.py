"""Every control by mouse and by keyboard; what it did is read in the page and in the app."""

from stage import focused_name, scenario


def said(stage, page, place, wanted):
    """Waits until the last line of the app says something, as the word at a place."""
    line = lambda: labels_line(page).split(" ")[place]
    stage.wait_for(line, wanted)


def labels_line(page):
    return page.evaluate(
        "[...document.querySelectorAll('.tide-column > .tide-label')].map(each => each.innerText).at(-1)")


PRESSES, LOUD, CHECKED, LEVEL, COPIES, COLOR, SIZE, PICKED, ANSWER, CLICKS, KEYS, SENT = range(12)


@scenario
def a_button(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    button = page.get_by_role("button", name="Press")
    for _ in range(5):
        button.click()
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    said(stage, page, PRESSES, "7")
    assert page.get_by_role("button", name="Off", exact=True).is_disabled()
    page.get_by_role("button", name="Off", exact=True).dispatch_event("click")
    stage.settle(page)
    assert app.read("models.choice.presses") == 7


@scenario
def a_checkbox(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    box = page.get_by_role("checkbox", name="Checked")
    assert box.is_checked()
    box.click()
    assert not box.is_checked()
    said(stage, page, CHECKED, "false")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    said(stage, page, CHECKED, "true")
    stage.settle(page)
    assert box.is_checked() and app.read("models.choice.checked")


@scenario
def a_toggle(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    toggle = page.get_by_role("switch", name="Loud")
    for _ in range(3):
        toggle.click()
    said(stage, page, LOUD, "true")
    stage.settle(page)
    assert toggle.is_checked() and app.read("models.choice.loud")
    app.run("models.choice.loud = false")
    stage.wait_for(toggle.is_checked, False)


@scenario
def a_slider(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    slider = page.get_by_role("slider", name="Level")
    assert slider.input_value() == "4"
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert slider.input_value() == "9"
    said(stage, page, LEVEL, "9")
    page.keyboard.press("Home")
    said(stage, page, LEVEL, "0")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2, steps=20)
    page.mouse.up()
    said(stage, page, LEVEL, "10")
    stage.settle(page)
    assert slider.input_value() == "10"


@scenario
def a_chart_of_very_many_values(stage):
    app = stage.serve("more")
    page = stage.open(app)
    app.run("""local values = {} for i = 1, 200000 do values[i] = i == 150000 and -7 or i % 100 end
      values[70001] = 250
      views.spark.values, views.chart.values = values, { { title = "a", values = values } }""")
    stage.wait_for(lambda: page.locator(".tide-chart").last.get_attribute("aria-label"),
                   "Load: values 0, from -7 to 250")
    assert page.locator(".tide-chart path").count() == 2
    stage.settle(page)


@scenario
def a_stepper(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    stepper = page.get_by_role("spinbutton", name="Copies")
    stepper.focus()
    for key in ["ArrowUp", "ArrowUp", "ArrowDown", "ArrowUp"]:
        page.keyboard.press(key)
    said(stage, page, COPIES, "4")
    page.locator(".tide-stepper button").last.click()
    said(stage, page, COPIES, "5")
    stepper.focus()
    page.keyboard.press("End")
    page.keyboard.press("ArrowUp")
    said(stage, page, COPIES, "10")
    assert stepper.get_attribute("aria-valuenow") == "10"


@scenario
def a_picker(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    picker = page.get_by_role("combobox", name="Color")
    assert picker.evaluate("each => each.selectedOptions[0].text") == "green"
    picker.select_option("blue")
    said(stage, page, COLOR, "blue")
    picker.focus()
    page.keyboard.press("r")
    said(stage, page, COLOR, "red")
    stage.settle(page)
    assert picker.evaluate("each => each.selectedOptions[0].text") == "red"


@scenario
def a_radio(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    group = page.get_by_role("radiogroup", name="Size")
    group.get_by_label("small").click()
    said(stage, page, SIZE, "small")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    said(stage, page, SIZE, "large")
    stage.settle(page)
    assert group.get_by_label("large").is_checked()
    assert not group.get_by_label("medium").is_checked()


@scenario
def tabs(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("tab", name="Empty").click()
    assert page.get_by_text("Nothing here.").is_visible()
    page.keyboard.press("ArrowLeft")
    stage.wait_for(page.get_by_label("Nick").is_visible)
    assert focused_name(page) == "Form"
    stage.settle(page)
    assert app.read("models.choice.tab") == 2
    app.run("models.choice.tab = 1")
    stage.wait_for(page.get_by_role("button", name="Press").is_visible)
    assert page.get_by_role("tab", selected=True).inner_text() == "Controls"


@scenario
def a_menu(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("menuitem", name="File").click()
    page.get_by_role("menu").get_by_role("menuitem", name="More").click()
    page.get_by_role("menuitem", name="Deep").click()
    said(stage, page, PICKED, "deep")
    assert page.get_by_role("menu").count() == 0
    page.keyboard.press("F10")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    said(stage, page, PICKED, "paste")
    page.keyboard.press("Alt+n")
    said(stage, page, PICKED, "new")
    page.get_by_role("menuitem", name="File").click()
    page.get_by_role("menuitem", name="Never").dispatch_event("click")
    page.keyboard.press("Escape")
    assert page.get_by_role("menu").count() == 0
    stage.settle(page)
    assert app.read("models.choice.picked") == "new"


@scenario
def a_context_menu(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    target = page.get_by_text("Right here")
    target.click()
    said(stage, page, CLICKS, "1")
    target.click(button="right")
    page.get_by_role("menuitem", name="Copy").click()
    said(stage, page, PICKED, "copy")
    target.click(button="right")
    page.keyboard.press("Enter")
    said(stage, page, PICKED, "cut")
    assert app.read("models.choice.clicks") == 1


@scenario
def a_question(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("button", name="Ask").click()
    dialog = page.get_by_role("dialog", name="Question")
    dialog.get_by_text("Really?").wait_for()
    dialog.get_by_role("button", name="Yes").click()
    said(stage, page, ANSWER, "Yes")
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Ask").click()
    dialog.get_by_text("Really?").wait_for()
    page.keyboard.press("Escape")
    said(stage, page, ANSWER, "dismissed")
    dialog.wait_for(state="detached")
    page.get_by_role("button", name="Press").click()
    said(stage, page, PRESSES, "1")


@scenario
def a_modal_dialog(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("button", name="About").click()
    dialog = page.get_by_role("dialog", name="About")
    inner = dialog.get_by_label("Inner")
    inner.press_sequentially("text")
    # What is typed before the app has answered waits.
    stage.wait_for(lambda: inner.input_value(), "text")
    # Nothing behind it can be reached.
    page.evaluate("document.querySelector('.tide-button').focus()")
    assert page.evaluate("document.activeElement.closest('dialog, body').tagName") in ("DIALOG", "BODY")
    dialog.get_by_role("button", name="Good").click()
    dialog.wait_for(state="hidden")
    stage.settle(page)
    assert app.read("views.inner.text", "views.about.hidden") == ["text", True]


@scenario
def a_form_with_errors(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("tab", name="Form").click()
    page.get_by_role("button", name="Send").click()
    nick = page.get_by_label("Nick")
    stage.wait_for(lambda: page.get_by_role("alert").first.inner_text(), "Enter a nick")
    assert nick.get_attribute("aria-invalid") == "true"
    stage.wait_for(lambda: focused_name(page), "Nick")
    nick.press_sequentially("Ad")
    page.get_by_label("Born").fill("2026-03-14")
    page.keyboard.press("Enter")
    said(stage, page, SENT, "1")
    stage.wait_for(lambda: nick.get_attribute("aria-invalid"), None)
    stage.wait_for(lambda: page.get_by_role("alert").locator("visible=true").count(), 0)


@scenario
def a_number_field(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("tab", name="Form").click()
    field = page.get_by_label("Number")
    field.focus()
    for key in ["ArrowUp", "ArrowUp", "ArrowDown"]:
        page.keyboard.press(key)
    stage.wait_for(field.input_value, "6")
    page.keyboard.press("PageUp")
    stage.wait_for(field.input_value, "16")
    field.fill("99")
    page.keyboard.press("Tab")
    stage.wait_for(lambda: field.get_attribute("aria-invalid"), "true")
    assert field.input_value() == "99"
    field.fill("12")
    stage.wait_for(lambda: field.get_attribute("aria-invalid"), None)
    stage.settle(page)
    assert app.read("models.choice.number") == 12
    page.locator(".tide-numberField button").last.click()
    stage.wait_for(field.input_value, "13")


@scenario
def a_date_picker(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("tab", name="Form").click()
    field = page.get_by_label("Born")
    field.press_sequentially("03/14/2026")
    stage.wait_for(lambda: app.read("models.choice.born"), 1773446400)
    # The browser's own calendar.
    page.evaluate("""() => {
      const date = document.querySelector(".tide-date");
      date.value = "2026-04-01";
      date.dispatchEvent(new Event("change"));
    }""")
    stage.wait_for(lambda: app.read("models.choice.born"), 1775001600)
    field.focus()
    page.keyboard.press("Tab")
    stage.wait_for(field.input_value, "04/01/2026")


@scenario
def keys_that_views_take(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    for key in ["F2", "Control+b", "x", "F2"]:
        page.keyboard.press(key)
    said(stage, page, KEYS, "[2Bx2]")
    # Letters are typed while a field has the focus, and other keys are the view's above.
    page.get_by_label("Name").press("End")
    page.keyboard.type("x")
    page.keyboard.press("F2")
    said(stage, page, KEYS, "[2Bx22]")
    stage.settle(page)
    assert app.read("models.choice.name") == "Adax"
    page.get_by_role("button", name="F2 Two").click()
    said(stage, page, KEYS, "[2Bx222]")


@scenario
def what_is_off(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("checkbox", name="All off").click()
    stage.wait_for(page.get_by_label("Name").is_disabled)
    stage.wait_for(page.get_by_role("button", name="Below").is_disabled)
    page.get_by_role("checkbox", name="All off").click()
    stage.wait_for(page.get_by_label("Name").is_enabled)
    page.get_by_role("button", name="Below").click()
    said(stage, page, PICKED, "below")


@scenario
def focus_order_by_tab(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_role("tab", name="Controls").focus()
    order = []
    for _ in range(11):
        page.keyboard.press("Tab")
        order.append(focused_name(page))
    wanted = ["Press", "Checked", "Loud", "Level", "Copies", "Color", "medium", "Ask", "About",
              "All off", "Name"]
    assert order == wanted, order
    for name in reversed(wanted[:-1]):
        page.keyboard.press("Shift+Tab")
        assert focused_name(page) == name, focused_name(page)
    stage.settle(page)
    assert app.read("views.press.focused")
    app.run("views.name:focus()")
    stage.wait_for(lambda: focused_name(page), "Name")


@scenario
def menus_in_menus(stage):
    app = stage.serve("more")
    page = stage.open(app)
    picked = lambda: app.read("models.state.picked")
    page.get_by_role("menuitem", name="File").click()
    page.get_by_role("menuitem", name="Export").click()
    page.get_by_role("menuitem", name="Image").click()
    assert page.get_by_role("menu").count() == 3
    page.get_by_role("menuitem", name="SVG").click()
    stage.wait_for(picked, "svg")
    assert page.get_by_role("menu").count() == 0
    # By keys, into and out of them.
    page.keyboard.press("F10")
    for key in ["Enter", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowDown", "Enter"]:
        page.keyboard.press(key)
    stage.wait_for(picked, "text")
    page.keyboard.press("F10")
    for key in ["ArrowDown", "ArrowRight", "Escape", "ArrowDown", "Enter"]:
        page.keyboard.press(key)
    stage.wait_for(picked, "close")
    page.keyboard.press("F10")
    for key in ["Enter", "ArrowLeft", "Enter"]:
        page.keyboard.press(key)
    stage.wait_for(picked, "paste")
    page.get_by_role("menuitem", name="File").click()
    page.get_by_role("menuitem", name="Export").click()
    page.get_by_text("nothing", exact=False).or_(page.get_by_text("paste", exact=False)).first.click()
    assert page.get_by_role("menu").count() == 0
    page.keyboard.press("Alt+x")
    stage.wait_for(picked, "text")


@scenario
def tabs_by_keys_from_inside(stage):
    app = stage.serve("controls")
    page = stage.open(app)
    page.get_by_label("Name").focus()
    page.keyboard.press("Control+PageDown")
    page.get_by_label("Nick").wait_for()
    page.get_by_label("Nick").focus()
    page.keyboard.press("Control+PageUp")
    page.get_by_label("Name").wait_for()
    stage.settle(page)
    assert app.read("models.choice.tab") == 1


@scenario
def a_day_of_the_calendar(stage):
    app = stage.serve("more")
    page = stage.open(app)
    field = page.get_by_label("Day")
    field.focus()
    page.evaluate("""() => {
      const date = document.querySelector(".tide-date");
      date.value = "2026-04-01";
      date.dispatchEvent(new Event("change"));
    }""")
    stage.wait_for(field.input_value, "04/01/2026")
    stage.wait_for(lambda: app.read("models.state.day"), 1775001600)
    stage.wait_for(lambda: app.read("views.day.focused"))
    assert page.evaluate("document.querySelector('.tide-date').value") == "2026-04-01"


def choose_day(page, label, day):
    """What a browser's calendar does when a day is taken."""
    page.get_by_label(label, exact=True).evaluate("""(field, day) => {
      const date = field.parentNode.querySelector(".tide-date");
      date.value = day;
      date.dispatchEvent(new Event("change"));
    }""", day)


@scenario
def days_are_those_of_the_server(stage):
    # Where it is almost a day later, or earlier, than where the browser is.
    for zone, browser in [("Pacific/Kiritimati", "America/Los_Angeles"), ("America/Los_Angeles", "Asia/Tokyo")]:
        app = stage.serve("dates", zone=zone)
        page = stage.open(app, timezone_id=browser)
        day = lambda label: page.get_by_label(label, exact=True).evaluate(
            "field => field.parentNode.querySelector('.tide-date').value")
        shown = lambda label: page.get_by_label(label, exact=True).input_value()
        for label in ["here", "utc", "time", "own"]:
            text = shown(label)
            month, date = (text[:2], text[3:5]) if label != "own" else (text[3:5], text[:2])
            stage.wait_for(lambda: day(label)[:10], f"2026-{month}-{date}")
        for label, wanted in [("here", "10/03/2026"), ("own", "03.10.26")]:
            choose_day(page, label, "2026-10-03")
            stage.wait_for(lambda: shown(label), wanted)
        choose_day(page, "time", "2026-10-03T21:45")
        stage.wait_for(lambda: shown("time"), "10/03/2026 21:45")
        choose_day(page, "utc", "2026-09-20")
        stage.wait_for(lambda: shown("utc"), "09/20/2026")
        stage.wait_for(lambda: app.read("models.at.utc // 86400"), 1789862400 // 86400)
        # The time of day stays.
        assert app.read("models.at.utc % 86400") == 1790000000 % 86400
        assert app.read("os.date('%Y-%m-%d', models.at.here)") == "2026-10-03"
        # What is beyond the last day is not taken, by the browser or else by the app.
        choose_day(page, "utc", "2027-01-01")
        stage.settle(page)
        stage.wait_for(lambda: day("utc"), "2026-09-20")
        assert shown("utc") == "09/20/2026"


@scenario
def an_order_for_tab(stage):
    app = stage.serve("tabs")
    page = stage.open(app)
    wanted = ["first", "second", "third", "fourth", "fifth", "sixth"]
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Tab")
    for name in wanted:
        assert focused_name(page) == name, (focused_name(page), name)
        stage.wait_for(lambda: app.read(f"views.{name}.focused"))
        page.keyboard.press("Tab")
    page.get_by_role("listbox", name="sixth").focus()
    for name in reversed(wanted[:-1]):
        page.keyboard.press("Shift+Tab")
        assert focused_name(page) == name, (focused_name(page), name)
    # It may change, also of tabs, where the chosen one alone is in it.
    page.get_by_role("tab", name="other").click()
    app.run("views.third.order = -2; views.first.order = nil")
    stage.wait_for(lambda: page.get_by_label("third").get_attribute("tabindex"), "1")
    stage.wait_for(lambda: page.get_by_role("button", name="first").get_attribute("tabindex"), "0")
    page.get_by_label("third").focus()
    page.keyboard.press("Tab")
    assert focused_name(page) == "other"
    page.keyboard.press("Tab")
    assert focused_name(page) == "first"


@scenario(latencies=[0])
def dividers(stage):
    app = stage.serve("more")
    page = stage.open(app, height=900)
    page.get_by_role("tab", name="Heights").click()
    grip = page.get_by_role("separator").first
    box = grip.bounding_box()
    page.mouse.move(box["x"] + 4, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 60, box["y"] + 20, steps=5)
    page.mouse.up()
    stage.settle(page)
    before = app.read("views.split.position")
    grip.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    stage.wait_for(lambda: app.read("views.split.position"), before + 2)
    assert page.get_by_role("separator").count() == 2


@scenario(latencies=[0])
def charts(stage):
    app = stage.serve("more")
    page = stage.open(app)
    page.get_by_role("tab", name="Pictures").click()
    chart = page.get_by_role("figure", name="Sales: a 2, b 5, from 1 to 5")
    assert chart.locator("path").count() == 2
    assert page.get_by_role("figure", name="Load").locator("path").count() == 1
    assert page.evaluate("document.querySelector('.tide-chart path:nth-child(2)').getTotalLength() > 0")


@scenario(latencies=[0])
def sizes_in_cells(stage):
    app = stage.serve("sizes")
    page = stage.open(app, width=1600, height=900)
    cell = page.evaluate("document.querySelector('.tide-probe').getBoundingClientRect().toJSON()")

    def box(name):
        return page.get_by_label(name, exact=True).bounding_box()

    for name, columns in ("Name", 10), ("Currency", 6):
        assert abs(box(name)["width"] - columns * cell["width"]) < 1, f"{name}: {box(name)}"
    assert box("Note")["width"] <= 80 * cell["width"], box("Note")
    # What is one cell high has room for its border, and none touches the next.
    one, two = box("One"), box("Two")
    assert one["y"] + one["height"] < two["y"], f"{one} {two}"
    # Four lines hold the heading and three rows.
    table = page.locator(".tide-rows")
    assert abs(table.bounding_box()["height"] - 4 * cell["height"]) < 1, table.bounding_box()
    assert table.evaluate("each => each.scrollHeight <= each.clientHeight")
    page.get_by_role("menuitem", name="File").click()
    assert page.get_by_role("separator").bounding_box()["width"] > 4 * cell["width"]
