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
def a_form_that_is_wrapped_while_two_type(stage):
    app = stage.serve("reload")
    page, other = stage.open(app), stage.open(app)
    page.get_by_label("Name").click()
    other.get_by_label("Later").click()
    page.keyboard.type("page: ", delay=15)
    other.keyboard.type("other: ", delay=15)
    app.write(app.file.read_text().replace("view.column { id = \"all\",", "view.box { title = \"Box\", view.column {")
              .replace('id = "name", ', "").replace('id = "later", ', "").replace("} })", "} } })"))
    for letter in "abcdefghijklmnop":
        page.keyboard.type(letter)
        other.keyboard.type(letter.upper())
        page.wait_for_timeout(30)
    page.get_by_role("group", name="Box").wait_for()
    page.keyboard.type("qrst", delay=15)
    stage.settle(page)
    assert page.get_by_label("Name").input_value() == "page: abcdefghijklmnopqrst", page.get_by_label("Name").input_value()
    assert app.read("models.note.name") == "page: abcdefghijklmnopqrst"
    assert other.get_by_label("Later").input_value() == "other: ABCDEFGHIJKLMNOP", other.get_by_label("Later").input_value()
    for each in (page, other):
        assert caret(each) == [each.evaluate("document.activeElement.value.length")] * 2, caret(each)


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
    assert 'touchUpInside = function() error "It failed."' in page.locator(".tide-errors").inner_text()
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
    assert notices == ["That failed; the log lists it as error 1."], notices


# All that a page shows and that a person has left there.
STATE = """() => {
  const all = [...document.querySelectorAll("#tide *")];
  window.former ??= all;
  return {
    html: document.getElementById("tide").innerHTML,
    same: all.length === former.length && all.every((each, index) => each === former[index]),
    values: all.map(each => each.value ?? null),
    checked: all.map(each => each.checked ?? null),
    scrolls: all.map(each => [each.scrollLeft, each.scrollTop]),
    modal: all.map(each => each.matches("dialog:modal")),
    focus: all.indexOf(document.activeElement),
    caret: [document.activeElement.selectionStart, document.activeElement.selectionEnd],
    selected: String(getSelection()),
    window: [scrollX, scrollY],
  };
}"""


def unseen(prepare):
    """Makes scenarios of it: what a person has left in a page is there after a comment was saved, where
    all share an app and where each has one of their own."""
    def play_with(sessions):
        def play(stage):
            app = stage.serve("kept", "--sessions", sessions)
            page = stage.open(app, height=900)
            after = prepare(stage, page)
            stage.settle(page)
            before = page.evaluate(STATE)
            for number in range(2):
                app.write(app.file.read_text() + f"-- comment {number}\n")
                page.locator(".tide-report").filter(has_text="reloaded").wait_for()
                stage.settle(page)
                now = page.evaluate(STATE)
                wrong = {name: (before[name], now[name]) for name in before if now[name] != before[name]}
                assert not wrong, wrong
                page.evaluate("notice('report')")
            if after:
                after()
        play.__name__ = f"{prepare.__name__}_with_{sessions}_sessions"
        return scenario(play)
    for sessions in ["shared", "private"]:
        play_with(sessions)


def tab(page, name):
    page.get_by_role("tab", name=name).click()


@unseen
def a_comment_leaves_a_draft_with_its_caret(stage, page):
    page.get_by_label("Later").press_sequentially("a draft")
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Shift+ArrowRight")

    def after():
        page.keyboard.press("End")
        page.keyboard.type("!")
        assert page.get_by_label("Later").input_value() == "a draft!"
    return after


@unseen
def a_comment_leaves_an_error(stage, page):
    field = page.get_by_label("Number")
    field.fill("many")
    page.keyboard.press("Tab")
    stage.wait_for(lambda: field.get_attribute("aria-invalid"), "true")
    page.get_by_label("Name").focus()


@unseen
def a_comment_leaves_a_selected_row_in_sight(stage, page):
    rows = page.get_by_role("grid")
    rows.evaluate("element => element.scrollTop = 900")
    stage.settle(page)
    row = rows.get_by_text("row 50", exact=True)
    row.wait_for()
    rows.evaluate("(element, row) => row.scrollIntoView()", row.element_handle())
    row.click()
    rows.get_by_role("columnheader").get_by_role("button").click()
    stage.settle(page)

    def after():
        selected = page.locator("[role=row][aria-selected=true]")
        stage.wait_for(lambda: selected.count() <= 1)
    return after


@unseen
def a_comment_leaves_several_selected_rows(stage, page):
    tab(page, "Many")
    rows = page.get_by_label("Many", exact=True).and_(page.locator(".tide-rows"))
    rows.get_by_text("row 2", exact=True).click()
    rows.get_by_text("row 4", exact=True).click(modifiers=["Control"])
    rows.get_by_text("row 6", exact=True).click(modifiers=["Shift"])
    stage.wait_for(lambda: rows.locator("[aria-selected=true]").count(), 3)

    def after():
        page.keyboard.press("Shift+ArrowDown")
        stage.wait_for(lambda: rows.locator("[aria-selected=true]").count(), 4)
    return after


@unseen
def a_comment_leaves_open_branches(stage, page):
    tab(page, "Tree")
    tree = page.get_by_role("tree")
    for name in ["src", "lib"]:
        tree.get_by_text(name, exact=True).click()
        page.keyboard.press("ArrowRight")
        stage.settle(page)
    tree.get_by_text("main", exact=True).wait_for()


@unseen
def a_comment_leaves_an_open_menu(stage, page):
    page.get_by_role("menuitem", name="File").click()
    page.get_by_role("menuitem", name="More").click()
    page.get_by_role("menuitem", name="Deep").wait_for()

    def after():
        page.get_by_role("menuitem", name="Deep").click()
        page.get_by_text("picked deep").wait_for()
    return after


@unseen
def a_comment_leaves_a_context_menu(stage, page):
    page.get_by_text("picked nothing").click(button="right")
    page.get_by_role("menuitem", name="Cut").wait_for()

    def after():
        page.get_by_role("menuitem", name="Cut").click()
        page.get_by_text("picked cut").wait_for()
    return after


@unseen
def a_comment_leaves_a_dialog(stage, page):
    page.get_by_role("button", name="About").click()
    page.get_by_label("Inner").press_sequentially("inside")
    page.keyboard.press("ArrowLeft")

    def after():
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="hidden")
        stage.wait_for(lambda: page.evaluate("document.activeElement.innerText"), "About")
    return after


@unseen
def a_comment_leaves_steps_to_undo(stage, page):
    name = page.get_by_label("Name", exact=True)
    name.press_sequentially("Ada")
    page.get_by_role("button", name="Rename").click()
    stage.wait_for(lambda: name.input_value(), "renamed")

    def after():
        page.get_by_role("button", name="Undo").click()
        stage.wait_for(lambda: name.input_value(), "Ada")
    return after


@unseen
def a_comment_leaves_what_the_browser_undoes(stage, page):
    tab(page, "Text")
    text = page.get_by_role("textbox", name="Text")
    text.press_sequentially("one")
    text.press("Enter")
    text.press_sequentially("two")

    def after():
        page.keyboard.press("Control+z")
        stage.wait_for(lambda: text.input_value() != "one\ntwo")
        stage.settle(page)
    return after


@unseen
def a_comment_leaves_selected_text_and_the_window(stage, page):
    page.set_viewport_size({"width": 800, "height": 300})
    page.evaluate("""() => {
      scrollTo(0, 60);
      getSelection().selectAllChildren([...document.querySelectorAll(".tide-label")].at(-1));
    }""")
