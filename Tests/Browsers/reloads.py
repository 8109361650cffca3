"""The app is saved while somebody uses it."""

from stage import caret, scenario

HEADING = "document.querySelector('.tide-column > .tide-label').innerText"


def heading(page):
    return page.evaluate(HEADING)


@scenario
def hot_reload_while_typing(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_label("Name").press_sequentially("before ")
    page.evaluate("""() => {
      document.querySelector(".tide-scroll").scrollTop = 200;
      window.former = [...document.querySelectorAll("input, button, .tide-scroll")];
    }""")
    app.save("The first version", "The second version")
    page.keyboard.type("and while it is saved, ", delay=15)
    stage.wait_for(lambda: heading(page), "The second version")
    page.keyboard.type("and after")
    page.keyboard.press("Home")
    page.keyboard.type("Typed ")
    wanted = "Typed before and while it is saved, and after"
    stage.settle(page)
    assert page.get_by_label("Name").input_value() == wanted, page.get_by_label("Name").input_value()
    assert app.read("models.note.name") == wanted
    assert caret(page) == [6, 6], caret(page)
    assert page.evaluate("document.querySelector('.tide-scroll').scrollTop") == 200
    # Elements are the same ones.
    assert page.evaluate("""() => {
      const now = [...document.querySelectorAll("input, button, .tide-scroll")];
      return now.length === former.length && now.every((each, index) => each === former[index]);
    }"""), "other elements stand there"
    assert page.evaluate("document.activeElement.labels.length > 0 || document.activeElement.ariaLabel === 'Name'")


@scenario
def a_draft_outlives_a_reload(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_label("Later").press_sequentially("a draft")
    page.keyboard.press("ArrowLeft")
    stage.settle(page)
    app.save("The first version", "The second version")
    stage.wait_for(lambda: heading(page), "The second version")
    stage.settle(page)
    assert page.get_by_label("Later").input_value() == "a draft"
    assert caret(page) == [6, 6], caret(page)
    assert app.read("models.note.later") == ""
    page.keyboard.press("Tab")
    stage.wait_for(lambda: app.read("models.note.later"), "a draft")


@scenario
def a_wrong_entry_outlives_a_reload(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    field = page.get_by_label("Number")
    field.fill("many")
    page.keyboard.press("Tab")
    stage.wait_for(lambda: field.get_attribute("aria-invalid"), "true")
    app.save("The first version", "The second version")
    stage.wait_for(lambda: heading(page), "The second version")
    stage.settle(page)
    assert field.input_value() == "many", field.input_value()


@scenario
def what_was_not_changed_is_the_same_element(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    page.evaluate("window.former = [...document.querySelectorAll('.tide-any')]")
    app.save('title = "Press"', 'title = "Press me"')
    page.get_by_role("button", name="Press me").wait_for()
    stage.settle(page)
    changed = page.evaluate("""() => [...document.querySelectorAll(".tide-any")]
      .filter((each, index) => each !== former[index]).map(each => each.className)""")
    assert changed == [], changed
    page.get_by_text("pressed 1").wait_for()


@scenario
def a_new_view_comes_and_goes(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_label("Name").press_sequentially("Ada")
    page.evaluate("window.former = document.activeElement")
    line = '  view.label { id = "echo"'
    app.save(line, '  view.field { id = "extra", label = "Extra" },\n' + line)
    page.get_by_label("Extra").wait_for()
    page.keyboard.type(" Lovelace")
    app.save('  view.field { id = "extra", label = "Extra" },\n', "")
    page.get_by_label("Extra").wait_for(state="detached")
    page.keyboard.type("!")
    stage.settle(page)
    assert page.evaluate("former === document.activeElement")
    assert app.read("models.note.name") == "Ada Lovelace!"


@scenario
def a_broken_save_and_its_repair(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_label("Name").press_sequentially("Ada")
    app.save("show(view.window", "show((view.window")
    panel = page.locator(".tide-failed")
    panel.wait_for()
    assert "reload.lua:" in panel.inner_text() and "error" in panel.inner_text(), panel.inner_text()
    page.keyboard.type(" Lovelace")
    app.save("show((view.window", "show(view.window")
    panel.wait_for(state="hidden")
    stage.settle(page)
    assert app.read("models.note.name") == "Ada Lovelace"
    assert page.get_by_label("Name").input_value() == "Ada Lovelace"


@scenario
def a_broken_save_before_a_page_opens(stage):
    app = stage.serve("reload")
    first = stage.open(app)
    app.save("show(view.window", "show((view.window")
    first.locator(".tide-failed").wait_for()
    second = stage.open(app)
    second.locator(".tide-failed").wait_for()
    app.save("show((view.window", "show(view.window")
    second.locator(".tide-failed").wait_for(state="hidden")


@scenario
def a_repair_while_the_connection_is_cut(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.reconnects = True
    app.save("show(view.window", "show((view.window")
    page.locator(".tide-failed").wait_for()
    app.proxy.cut()
    app.save("show((view.window", "show(view.window")
    app.save("The first version", "The second version")
    stage.wait_for(lambda: app.read("views.heading.text"), "The second version")
    app.proxy.restore()
    stage.wait_for(lambda: heading(page), "The second version")
    page.locator(".tide-failed").wait_for(state="hidden")


@scenario
def an_error_while_it_runs(stage):
    app = stage.serve("reload")
    page = stage.open(app)
    page.get_by_role("button", name="Fail").click()
    stage.wait_for(lambda: "It failed." in page.locator(".tide-errors").inner_text())
    assert "reload.lua:" in page.locator(".tide-errors").inner_text()
    app.save('error "It failed."', "")
    page.locator(".tide-report").wait_for()
    stage.wait_for(lambda: page.locator(".tide-errors").is_visible(), False)


@scenario
def without_watching(stage):
    app = stage.serve("reload", "--no-watch")
    page = stage.open(app)
    app.save("The first version", "The second version")
    page.get_by_role("button", name="Fail").click()
    stage.wait_for(lambda: app.read("#errors()"), 1)
    page.get_by_role("button", name="Press").click()
    page.get_by_text("pressed 1").wait_for()
    assert heading(page) == "The first version"
    notices = page.locator(".tide-notice").locator("visible=true").all_inner_texts()
    assert notices == [], notices
