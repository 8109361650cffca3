"""Typing: nothing is lost, nothing stands in another order, and the caret stays where it was."""

from stage import caret, scenario

PANGRAM = "The quick brown fox jumps over 13 lazy dogs, and away."


@scenario
def typing_fast_with_a_two_way_binding(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.get_by_label("Name", exact=True).press_sequentially(PANGRAM)
    stage.expect_text(page, ".tide-form .tide-label", f"Hello {PANGRAM}")
    stage.settle(page)
    assert page.get_by_label("Name", exact=True).input_value() == PANGRAM
    assert page.get_by_label("Name again").input_value() == PANGRAM
    assert app.read("models.person.name", "models.person.edits") == [PANGRAM, len(PANGRAM)]


@scenario
def pasting_more_than_the_app_takes(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    note = page.get_by_label("Note")
    note.press_sequentially("before, ")
    paste(page, note, "x" * (3 << 19))
    page.get_by_text("a text has some").wait_for()
    assert note.input_value() == "before, "
    assert caret(page) == [8, 8], caret(page)
    note.press_sequentially("after")
    page.get_by_label("Name", exact=True).press_sequentially("Ada")
    page.get_by_role("button", name="Write").click()
    stage.wait_for(lambda: page.get_by_label("Name", exact=True).input_value(), "by the script")
    stage.settle(page)
    assert app.read("models.person.note") == "before, after"
    # The page has not connected again; the stage sees to that.


@scenario
def pasting_as_much_as_the_app_takes(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    note = page.get_by_label("Note")
    for text in ["ä" * 500_000, "\\" * 500_000, "x" * 1_048_000]:
        paste(page, note, text)
        stage.settle(page)
        assert app.read("#models.person.note") == len(text.encode()), len(text)
        note.fill("")
    stage.settle(page)


@scenario(latencies=[0])
def a_text_that_would_become_too_long_is_refused_before_it_is_sent(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    note = page.get_by_label("Note")
    # One line has 100 characters. The second text is longer than a page may make it.
    for count in [10_485, 12_000]:
        app.run(f"models.person.note = (('x'):rep(99) .. '\\n'):rep({count})")
        stage.wait_for(lambda: len(note.input_value()), count * 100)
        paste(page, note, "y" * 77)
        page.get_by_text("a text has some").wait_for()
        assert "y" not in note.input_value()
        page.evaluate("document.querySelector('.tide-report').hidden = true")
        assert page.evaluate("unacknowledged.every(([, , kind]) => kind !== 'edit')")
        assert app.read("#models.person.note") == count * 100


def paste(page, field, text):
    """Puts a text at the caret, as pasting does."""
    field.focus()
    page.evaluate("text => document.execCommand('insertText', false, text)", text)


@scenario
def typing_fast_with_a_transformer(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Capitals")
    field.press_sequentially(PANGRAM)
    stage.settle(page)
    # It means what the model holds, so it stands as it was typed.
    assert (field.input_value(), app.read("models.person.capitals")) == (PANGRAM, PANGRAM.upper())
    stage.wait_for(page.get_by_label("Shouted").input_value, PANGRAM.upper())


@scenario
def typing_fast_in_a_field_that_becomes_capitals(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Loud")
    field.press_sequentially(PANGRAM)
    stage.wait_for(field.input_value, PANGRAM.upper())
    stage.settle(page)
    assert app.read("models.person.loud") == PANGRAM.upper()
    assert field.input_value() == PANGRAM.upper()


@scenario
def typing_between_letters_that_become_others(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Loud")
    field.press_sequentially("ad")
    stage.wait_for(field.input_value, "AD")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("bc")
    stage.wait_for(field.input_value, "ABCD")
    assert caret(page) == [3, 3], caret(page)


@scenario
def typing_while_the_script_writes_elsewhere(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.get_by_label("Name", exact=True).press_sequentially(PANGRAM, delay=10)
    stage.settle(page)
    assert app.read("models.person.name") == PANGRAM
    before = page.get_by_label("Written").input_value()
    stage.wait_for(lambda: page.get_by_label("Written").input_value() != before)


@scenario
def typing_in_a_field_that_the_script_mends(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Dashed")
    field.press_sequentially(PANGRAM)
    wanted = PANGRAM.replace(" ", "-")
    stage.wait_for(field.input_value, wanted)
    stage.settle(page)
    assert (field.input_value(), app.read("models.person.dashed")) == (wanted, wanted)


@scenario
def typing_in_a_field_that_the_script_overwrites(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Name", exact=True)
    field.press_sequentially("some words")
    page.evaluate("document.querySelector('button').click()")  # which keeps the focus where it is
    field.press_sequentially(" and more", delay=20)
    stage.settle(page)
    stage.wait_for(field.input_value, app.read("models.person.name"))
    assert page.get_by_label("Name again").input_value() == field.input_value()


@scenario
def typing_in_a_text_area(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    area = page.get_by_label("Note")
    area.press_sequentially("one\ntwo\n\nthree")
    stage.settle(page)
    assert app.read("models.person.note") == "one\ntwo\n\nthree"
    page.keyboard.press("Control+Home")
    page.keyboard.type("zero\n")
    stage.settle(page)
    assert app.read("models.person.note") == "zero\none\ntwo\n\nthree"


@scenario
def typing_characters_beyond_ascii(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    text = "Ünïcode 漢字 😀 👩‍👩‍👧 e\u0301 שלום"
    field = page.get_by_label("Loud")
    field.focus()
    for character in text:
        page.keyboard.insert_text(character)
    stage.settle(page)
    stage.wait_for(field.input_value, app.read("models.person.loud"))
    field = page.get_by_label("Name", exact=True)
    field.focus()
    for character in text:
        page.keyboard.insert_text(character)
    stage.settle(page)
    assert (field.input_value(), app.read("models.person.name")) == (text, text)


@scenario
def two_pages_typing_in_one_field(stage):
    app = stage.serve("fields")
    pages = [stage.open(app), stage.open(app)]
    for page in pages:
        page.get_by_label("Name", exact=True).focus()
    for letter in "abcdefghijklmnop":
        for page in pages:
            page.keyboard.type(letter)
    for page in pages:
        stage.settle(page)
    name = app.read("models.person.name")
    for page in pages:
        stage.wait_for(lambda: page.get_by_label("Name", exact=True).input_value(), name)
        stage.wait_for(lambda: page.get_by_label("Name again").input_value(), name)
    # A field that was overwritten takes part again.
    pages[0].keyboard.press("End")
    pages[0].keyboard.type("!")
    stage.wait_for(lambda: pages[1].get_by_label("Name", exact=True).input_value()[-1:], "!")


@scenario
def composing_by_an_input_method(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Loud")
    field.press_sequentially("a")
    stage.wait_for(field.input_value, "A")
    stage.settle(page)
    devtools = page.context.new_cdp_session(page)
    for text in ["k", "か", "かn", "かん"]:
        devtools.send("Input.imeSetComposition", {
            "text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    app.run("models.person.loud = 'late'")
    ticks = app.read("models.clock.ticks")
    stage.wait_for(lambda: page.evaluate(
        "ticks => Number(/tick (\\d+)/.exec(document.body.innerText)?.[1]) > ticks", ticks))
    assert field.input_value() == "Aかん", field.input_value()
    devtools.send("Input.insertText", {"text": "漢"})
    stage.settle(page)
    # What was composed comes where it was typed in the text that has changed meanwhile.
    stage.wait_for(field.input_value, "LATE漢")
    assert app.read("models.person.loud") == "LATE漢"


@scenario
def pasting(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.get_by_label("Name", exact=True).press_sequentially("copied")
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+c")
    field = page.get_by_label("Loud")
    field.press_sequentially("<>")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Control+v")
    stage.wait_for(field.input_value, "<COPIED>")
    stage.settle(page)
    assert app.read("models.person.loud") == "<COPIED>"
    assert caret(page) == [7, 7], caret(page)


@scenario
def undo_in_a_field(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Name", exact=True)
    field.press_sequentially("one")
    stage.settle(page)
    page.keyboard.insert_text(" two")
    stage.settle(page)
    page.keyboard.press("Control+z")
    assert field.input_value() in ("one", ""), field.input_value()
    stage.settle(page)
    assert app.read("models.person.name") == field.input_value()
    while field.input_value():
        page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    assert field.input_value() != ""
    stage.settle(page)
    assert app.read("models.person.name") == field.input_value()


@scenario
def replacing_what_is_selected(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    field = page.get_by_label("Loud")
    field.press_sequentially("first")
    page.keyboard.press("Control+a")
    page.keyboard.type("second")
    stage.wait_for(field.input_value, "SECOND")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    stage.settle(page)
    assert (field.input_value(), app.read("models.person.loud")) == ("", "")


@scenario
def a_draft_is_written_when_it_is_done(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.get_by_label("Later").press_sequentially("draft")
    stage.settle(page)
    assert app.read("models.person.later") == ""
    page.keyboard.press("Tab")
    stage.wait_for(lambda: app.read("models.person.later"), "draft")
    assert page.get_by_label("Later").input_value() == "draft"


@scenario
def limits_and_secrets_of_a_field(stage):
    app = stage.serve("fields")
    page = stage.open(app)
    page.get_by_label("Short").press_sequentially("abcdefgh")
    page.get_by_label("Secret").press_sequentially("hidden")
    stage.settle(page)
    assert page.get_by_label("Short").input_value() == "abcde"
    assert app.read("views.short.text", "views.secret.text") == ["abcde", "hidden"]
    assert page.get_by_label("Secret").get_attribute("type") == "password"


@scenario(latencies=[0])
def texts_that_nobody_can_change_look_so(stage):
    app = stage.serve("narrow")
    page = stage.open(app)
    look = """each => [getComputedStyle(each).borderTopColor, getComputedStyle(each).backgroundColor]"""
    nothing = ["rgba(0, 0, 0, 0)"] * 2
    for name in ["Fixed", "Count", "Day", "Terms"]:
        field = page.get_by_label(name, exact=True)
        assert field.get_attribute("aria-readonly") == "true", name
        assert field.evaluate(look) == nothing, name
        # No button beside it would change it either.
        holder = page.locator(".tide-holder", has=field)
        assert holder.get_by_role("button").count() == 0, name
    free = page.get_by_label("Free", exact=True)
    assert free.get_attribute("aria-readonly") is None
    assert nothing[0] not in free.evaluate(look)
    # It can be copied from all the same.
    field = page.get_by_label("Fixed", exact=True)
    field.focus()
    page.keyboard.type("x")
    stage.settle(page)
    assert field.input_value() == "as it is"
