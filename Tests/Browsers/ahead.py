"""Who goes on before the app has answered."""

from stage import caret, scenario


@scenario
def keys_after_a_command_go_where_it_has_put_the_focus(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    page.get_by_label("Name").focus()
    page.keyboard.press("F2")
    page.keyboard.type("two words")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.keyboard.type("me")
    stage.settle(page)
    stage.wait_for(lambda: app.read("models.desk.note", "models.desk.name"), ["two word", "me"])


@scenario
def keys_after_a_press_go_where_it_has_put_the_focus(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    page.get_by_role("button", name="Open").click()
    page.keyboard.type("abc")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    stage.settle(page)
    stage.wait_for(lambda: app.read("models.desk.note"), "abc")
    page.get_by_role("dialog").wait_for(state="hidden")


@scenario
def keys_after_a_command_that_leaves_the_focus_stay_where_the_caret_is(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    name = page.get_by_label("Name")
    name.press_sequentially("bc")
    page.keyboard.press("Home")
    page.keyboard.press("F3")
    page.keyboard.type("a")
    page.keyboard.press("Delete")
    page.keyboard.press("F3")
    page.keyboard.type("!")
    stage.settle(page)
    stage.wait_for(lambda: (app.read("models.desk.saved"), name.input_value()), (2, "a!c"))
    assert caret(page) == [2, 2]


@scenario
def all_input_after_a_command_goes_where_it_has_put_the_focus(stage):
    app = stage.serve("ahead")
    page = stage.open(app, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('pasted')")
    app.run("models.desk.note = 'a former note'")
    page.get_by_label("Name").press_sequentially("old")
    page.keyboard.press("F2")
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+v")
    page.keyboard.insert_text(" 日本")
    page.keyboard.press("Control+Home")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.type("P")
    page.keyboard.press("End")
    page.keyboard.press("Control+Backspace")
    page.keyboard.type("!")
    stage.settle(page)
    stage.wait_for(lambda: app.read("models.desk.note", "models.desk.name"), ["Pasted !", "old"])


@scenario
def a_paste_behind_a_cut_has_what_was_cut(stage):
    app = stage.serve("ahead")
    page = stage.open(app, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('former')")
    app.run("models.desk.note = 'a note'")
    page.get_by_label("Name").focus()
    page.keyboard.press("F2")
    page.keyboard.press("Control+a")
    page.keyboard.press("Control+x")
    page.keyboard.type("b ")
    page.keyboard.press("Control+v")
    page.keyboard.press("Control+v")
    stage.settle(page)
    stage.wait_for(lambda: app.read("models.desk.note"), "b a notea note")


@scenario
def arrows_behind_a_command_move_a_slider_and_a_radio(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    page.get_by_label("Name").focus()
    page.keyboard.press("F4")
    for key in ["ArrowRight", "ArrowRight", "ArrowLeft"]:
        page.keyboard.press(key)
    page.keyboard.press("F7")
    page.keyboard.press("ArrowDown")
    stage.settle(page)
    stage.wait_for(lambda: app.read("models.desk.level", "models.desk.size"), [6, "m"])
    page.get_by_label("Level").focus()
    page.keyboard.press("ArrowRight")
    stage.wait_for(lambda: app.read("models.desk.level"), 7)


@scenario
def a_text_composed_after_a_command_goes_where_it_has_put_the_focus(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    name = page.get_by_label("Name")
    name.press_sequentially("old")
    devtools = page.context.new_cdp_session(page)
    page.keyboard.press("F2")
    for text in ["k", "か"]:
        devtools.send("Input.imeSetComposition", {
            "text": text, "selectionStart": len(text), "selectionEnd": len(text)})
    devtools.send("Input.insertText", {"text": "可"})
    page.keyboard.type("!")
    stage.settle(page)
    stage.wait_for(lambda: (app.read("models.desk.note")[-1:], name.input_value()), ("!", "old"))
    assert app.read("models.desk.note") in ("可!", "か!"), app.read("models.desk.note")


@scenario(latencies=[1000])
def a_press_elsewhere_drops_what_was_typed_ahead_and_says_so(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    page.get_by_label("Name").focus()
    page.keyboard.press("F3")
    page.keyboard.type("ab c")
    page.mouse.click(400, 500)
    page.get_by_text("in no record: ab c").wait_for()
    stage.settle(page)
    assert app.read("models.desk.name") == ""


@scenario
def a_button_is_busy_while_its_handler_waits(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    button = page.get_by_role("button", name="Slow")
    button.dblclick()
    page.locator("button[aria-busy=true]").wait_for()
    stage.wait_for(lambda: app.read("models.desk.ended"), 1)
    assert app.read("models.desk.started") == 1
    stage.wait_for(lambda: button.get_attribute("aria-busy"), None)


@scenario(latencies=[0])
def a_page_shows_that_it_waits(stage):
    app = stage.serve("ahead")
    page = stage.open(app)
    app.proxy.is_deaf = True
    page.get_by_role("button", name="Open").click()
    page.locator("body[aria-busy=true]").wait_for()
    page.reconnects = True
    app.proxy.is_deaf = False
    app.proxy.drop()
    stage.wait_for(lambda: page.evaluate("document.body.ariaBusy"), None)
