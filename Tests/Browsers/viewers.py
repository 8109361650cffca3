"""Several viewers of one app."""

from stage import focused_name, scenario


@scenario
def a_second_viewer_sees_what_the_first_does(stage):
    app = stage.serve("controls")
    first, second = stage.open(app), stage.open(app)
    first.get_by_role("button", name="Press").click()
    first.get_by_role("switch", name="Loud").click()
    first.get_by_role("checkbox", name="Checked").click()
    first.get_by_role("combobox", name="Color").select_option("blue")
    first.get_by_role("radiogroup", name="Size").get_by_label("large").click()
    first.get_by_role("slider", name="Level").press("ArrowRight")
    first.get_by_label("Name").press_sequentially(" and Bo")
    second.get_by_text("1 true false 5 2 blue large").wait_for()
    assert second.get_by_role("switch", name="Loud").is_checked()
    assert not second.get_by_role("checkbox", name="Checked").is_checked()
    assert second.get_by_role("slider", name="Level").input_value() == "5"
    assert second.get_by_role("radiogroup", name="Size").get_by_label("large").is_checked()
    stage.wait_for(
        lambda: second.get_by_label("Name").input_value(), first.get_by_label("Name").input_value())
    first.get_by_role("tab", name="Form").click()
    second.get_by_label("Nick").wait_for()
    second.get_by_label("Nick").press_sequentially("Ada")
    stage.wait_for(lambda: first.get_by_label("Nick").input_value(), "Ada")


@scenario
def a_dialog_of_two_viewers(stage):
    app = stage.serve("controls")
    first, second = stage.open(app), stage.open(app)
    first.get_by_role("button", name="Ask").click()
    answer = first.get_by_role("dialog").get_by_role("button", name="Yes")
    answer.wait_for()
    # The question is for who has asked for it.
    stage.settle(second)
    assert not second.get_by_role("dialog").is_visible()
    answer.click()
    first.get_by_role("dialog").wait_for(state="hidden")
    first.get_by_text("nothing Yes").wait_for()
    second.get_by_text("nothing Yes").wait_for()


@scenario
def each_viewer_types_in_a_field_of_its_own(stage):
    app = stage.serve("fields")
    first, second = stage.open(app), stage.open(app)
    one = first.get_by_label("Name", exact=True)
    other = second.get_by_label("Note")
    one.focus()
    other.focus()
    for letter in "abcdefghij":
        first.keyboard.type(letter)
        second.keyboard.type(letter.upper())
    stage.settle(first)
    stage.settle(second)
    assert app.read("models.person.name", "models.person.note") == ["abcdefghij", "ABCDEFGHIJ"]
    assert focused_name(first) == "Name" and focused_name(second) == "Note"


@scenario
def each_viewer_scrolls_by_itself(stage):
    app = stage.serve("rows")
    first, second = stage.open(app), stage.open(app)
    second.get_by_text("row 1", exact=True).wait_for()
    first.evaluate("document.querySelector('.tide-rows').scrollTop = 1e9")
    first.get_by_text("row 100000", exact=True).wait_for()
    stage.settle(first)
    stage.settle(second)
    assert second.evaluate("document.querySelector('.tide-rows').scrollTop") == 0
    assert second.get_by_text("row 1", exact=True).is_visible()
    first.get_by_text("row 99999", exact=True).click()
    second.get_by_text("row 99999 of 100000").wait_for()
    assert second.get_by_text("row 1", exact=True).is_visible()


@scenario
def a_viewer_leaves(stage):
    app = stage.serve("rows")
    first, second = stage.open(app), stage.open(app)
    second.evaluate("document.querySelector('.tide-rows').scrollTop = 1e9")
    second.get_by_text("row 100000", exact=True).wait_for()
    second.close()
    first.get_by_role("button", name="Above").click()
    first.get_by_text("new 100000", exact=True).wait_for()


@scenario
def text_that_is_not_entered_goes_on_in_the_page_loaded_again(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.reconnects = True
    page.get_by_label("Later").press_sequentially("two ")
    stage.settle(page)
    page.reload()
    stage.wait_for(lambda: page.evaluate("document.activeElement.value"), "two ")
    page.keyboard.type("words")
    stage.settle(page)
    assert app.read("models.person.later") == ""
    page.keyboard.press("Tab")
    stage.wait_for(lambda: app.read("models.person.later"), "two words")


@scenario(latencies=[0, 200])
def a_browser_that_opens_too_many_tabs(stage):
    app = stage.serve("reload")
    greedy = [stage.open(app)]
    greedy += [stage.open(app, context=greedy[0].context) for _ in range(7)]
    late = greedy[0].context.new_page()
    late.goto(app.url)
    late.get_by_text("has its share of the app's places").wait_for()
    other = stage.open(app)
    other.get_by_role("button", name="Press").click()
    greedy[0].get_by_text("pressed 1").wait_for()
    greedy[7].close()
    late.get_by_text("pressed 1").wait_for()
    assert not late.locator(".tide-lost").is_visible()


@scenario(latencies=[0, 200])
def more_tabs_than_may_come_in(stage):
    app = stage.serve("reload", "--limit", "viewers=3")
    inside = [stage.open(app)]
    inside += [stage.open(app, context=inside[0].context) for _ in range(2)]
    waiting = [inside[0].context.new_page() for _ in range(3)]
    for page in waiting:
        page.goto(app.url)
        page.get_by_text("As many browsers show this app as may at once.").wait_for()
    inside[0].get_by_role("button", name="Press").click()
    inside[1].get_by_text("pressed 1").wait_for()
    for each in inside[1:]:
        each.close()
    is_in = lambda page: page.locator(".tide-window").count() == 1
    stage.wait_for(lambda: sum(map(is_in, waiting)), 2)
    page = next(filter(is_in, waiting))
    page.get_by_text("pressed 1").wait_for()
    assert not page.locator(".tide-lost").is_visible()


@scenario
def typing_goes_on_in_a_field_whose_tab_another_leaves(stage):
    app = stage.serve("hiding")
    first, second = stage.open(app), stage.open(app)
    first.get_by_label("Note").press_sequentially("abc")
    stage.settle(first)
    second.get_by_role("tab", name="Second").click()
    first.keyboard.type("de")
    second.get_by_text("the second tab").wait_for()
    stage.settle(first)
    first.keyboard.type("fg")
    stage.settle(first)
    assert focused_name(first) == "Note"
    assert app.read("models.desk.note") == "abcdefg"
    assert not first.get_by_text("This is in no record").is_visible()
    # Who leaves the field sees what the others see, and a press at that moment counts.
    first.get_by_role("button", name="Press").click()
    first.get_by_text("the second tab").wait_for()
    assert not first.get_by_label("Note").is_visible()
    stage.settle(first)
    assert app.read("models.desk.presses") == 1
    second.get_by_role("tab", name="First").click()
    stage.wait_for(lambda: second.get_by_label("Note").input_value(), "abcdefg")


@scenario
def typing_goes_on_in_a_box_that_another_hides(stage):
    app = stage.serve("hiding")
    first, second = stage.open(app), stage.open(app)
    first.get_by_label("Inner").press_sequentially("abc")
    stage.settle(first)
    second.get_by_role("button", name="Hide").click()
    stage.settle(second)
    stage.settle(first)
    first.keyboard.type("de")
    stage.settle(first)
    assert app.read("models.desk.inner") == "abcde"
    first.get_by_label("Note").click()
    first.locator(".tide-box").wait_for(state="hidden")


@scenario
def another_goes_into_a_field_while_somebody_types_there(stage):
    app = stage.serve("hiding")
    first, second = stage.open(app), stage.open(app)
    for name, wanted in (("Trimmed", "ab cd"), ("Later", "")):
        second.get_by_label("Other").click()
        stage.settle(second)
        first.get_by_label(name).press_sequentially("ab ")
        stage.settle(first)
        second.get_by_label(name).click()
        stage.settle(second)
        second.get_by_label("Other").click()
        stage.settle(second)
        first.keyboard.type("cd")
        stage.settle(first)
        assert first.get_by_label(name).input_value() == "ab cd"
        assert app.read(f"models.desk.{name.lower()}") == wanted
    first.get_by_label("Note").click()
    stage.settle(first)
    assert app.read("models.desk.later") == "ab cd"


@scenario
def letters_behind_a_field_that_has_gone_press_nothing(stage):
    app = stage.serve("gone")
    page = stage.open(app)
    page.get_by_label("Name").focus()
    page.keyboard.type("abcd e f", delay=50)
    stage.settle(page)
    assert app.read("models.desk.presses") == 0
    # Letters that the field has taken before the answer are in its record.
    page.locator(".tide-stray").get_by_text("f").wait_for()
    page.get_by_role("button", name="Press").click()
    stage.settle(page)
    assert app.read("models.desk.presses") == 1


@scenario(latencies=[200])
def a_secret_that_was_typed_ahead_is_not_shown(stage):
    app = stage.serve("gone")
    page = stage.open(app)
    page.get_by_role("button", name="Press").click()
    page.keyboard.type("geheim")
    page.get_by_label("Password").click()
    page.get_by_text("••••••").wait_for()
    assert "geheim" not in page.locator("body").inner_text()
