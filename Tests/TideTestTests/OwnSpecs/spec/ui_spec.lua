local log

local function note(name) return function() log[#log + 1] = name end end

before_each(function() log = {} end)

describe("tapping", function()
  it("presses buttons, switches and rows", function()
    ui.mount(view.column {
      view.button { id = "b", title = "B", on = { touchUpInside = note "pressed" } },
      view.checkbox { id = "c", title = "C", on = { valueChanged = note "changed" } },
      view.list { id = "l", items = list { "x", "y" }, on = { didSelect = note "selected" } },
    })
    ui.tap "b"
    ui.tap(views.c)
    assert.is_true(views.c.isOn)
    ui.tap(views.l.subviews[2])
    assert.equal("y", views.l.selectedObject)
    assert.same({ "pressed", "changed", "selected" }, log)
  end)

  it("scrolls to what is out of sight", function()
    local labels = {}
    for number = 1, 60 do labels[number] = view.label { text = "line " .. number } end
    labels[61] = view.button { id = "last", title = "Last", on = { touchUpInside = note "last" } }
    ui.mount(view.scroll { view.column(labels) }, "20x5")
    assert.no_match("Last", ui.snapshot())
    ui.tap "last"
    assert.same({ "last" }, log)
    assert.matches("Last", ui.snapshot())
  end)

  it("says why it cannot", function()
    local function refused(pattern, id)
      assert.error_matches(function() ui.tap(id) end, pattern)
    end
    ui.mount(view.column {
      view.button { id = "hidden", hidden = true },
      view.column { id = "box", enabled = false, view.button { id = "inner" } },
      view.button { id = "none", width = 0, title = "" },
      view.tabs { view.label { id = "first", text = "a" }, view.button { id = "second" } },
    })
    refused('the button "hidden" is hidden', "hidden")
    refused('the button "inner" is in the column "box", which is disabled', "inner")
    refused('the button "second" .*does not show', "second")
    refused('no shown view has the id or title "hiden"; did you mean "hidden"', "hiden")
    refused("the label is not shown", view.label {})
    refused("takes a view or its id", 4)
    assert.has_error(function() ui.tap "hidden" end, 'the button "hidden" is hidden')
    assert.error_matches(function() return ui.tpye end, 'ui has no word "tpye"')
  end)

  it("is kept out by a dialog", function()
    ui.mount(view.column {
      view.button { id = "below", title = "Below", on = { touchUpInside = note "below" } },
      view.dialog { id = "d", modal = true, view.button { id = "yes", title = "Yes",
        on = { touchUpInside = function() views.d.hidden = true end } } },
    })
    assert.error_matches(function() ui.tap "below" end, 'is behind the dialog "d"')
    ui.tap "yes"
    ui.tap "below"
    assert.same({ "below" }, log)
  end)
end)

describe("typing", function()
  it("types at the end of a text area, as in a field", function()
    ui.mount(view.column {
      view.field { id = "short", text = "abc" }, view.textArea { id = "long", text = "abc" } })
    ui.type("short", "d")
    ui.type("long", "d")
    assert.equal("abcd", views.short.text)
    assert.equal("abcd", views.long.text)
  end)

  it("goes to the focused field, with all its events", function()
    ui.mount(view.column {
      view.field { id = "f", on = { editingDidBegin = note "begin", editingChanged = note "changed",
        editingDidEndOnExit = note "exit", editingDidEnd = note "end" } },
      view.field { id = "g" },
    })
    ui.type("f", "é 漢\n")
    assert.equal("é 漢", views.f.text)
    assert.same({ "begin", "changed", "changed", "changed", "exit", "end" }, log)
    ui.type("g", "a\tb")
    assert.equal("a", views.g.text)
    assert.equal("é 漢b", views.f.text)
  end)

  it("needs a view that takes text", function()
    ui.mount(view.column {
      view.label { id = "l", text = "label" }, view.button { id = "b", title = "B" },
      view.field { id = "f", editable = false },
    })
    assert.error_matches(function() ui.type("l", "x") end, 'the label "l" is not focusable')
    assert.error_matches(function() ui.type("b", "x") end, 'the button "b" takes no text')
    assert.error_matches(function() ui.type("f", "x") end, 'the field "f" is not editable')
  end)
end)

describe("keys", function()
  it("go by the names of run --keys", function()
    ui.mount(view.column { keys = { ["Ctrl-S"] = note "saved" }, view.field { id = "f" } })
    assert.is_true(ui.press "Tab a Space b Left Backspace Ctrl-S")
    assert.equal("ab", views.f.text)
    assert.same({ "saved" }, log)
    assert.is_false(ui.press "F9")
    assert.error_matches(function() ui.press "Entr" end, 'did you mean "Enter"')
    assert.error_matches(function() ui.press "ctrl-s" end, 'did you mean "Ctrl%-S"')
    assert.is_true(ui.press("Tab", "c d"))
    assert.is_false(ui.press("F9", "e"))
    assert.equal("acdeb", views.f.text)
    ui.type("f", 12)
    assert.equal("acde12b", views.f.text)
  end)
end)

describe("focus and selection", function()
  it("are where they were put", function()
    ui.mount(view.column {
      view.field { id = "f", on = { focus = note "focus" } },
      view.picker { id = "p", items = { "red", "green" }, on = { valueChanged = note "picked" } },
      view.table { id = "t", items = list { { n = 1 }, { n = 2 } }, columns = { { path = "n" } },
        on = { didSelect = note "selected" } },
      view.label { id = "l" },
    })
    ui.focus "f"
    assert.is_true(views.f.focused)
    ui.select("p", 2)
    assert.equal("green", views.p.selectedObject)
    ui.select("t", 2)
    assert.equal(2, views.t.selectedIndex)
    assert.same({ "focus", "picked", "selected" }, log)
    assert.error_matches(function() ui.select("t", 3) end, "has no number 3: there are 1 to 2")
    assert.error_matches(function() ui.select("l", 1) end, "has nothing to select")
    assert.error_matches(function() ui.focus "l" end, "is not focusable")
  end)
end)

describe("a menu", function()
  it("is gone through by numbers", function()
    ui.mount(view.menu { id = "m", items = {
      { title = "File", items = { { title = "Save", command = note "save" }, "-",
        { title = "Close", enabled = false } } },
      { title = "Help", command = note "help" },
    } })
    ui.select("m", 2)
    ui.select("m", 1)
    assert.matches("Save", ui.snapshot())
    assert.error_matches(function() ui.select("m", 2) end, "number 2 of the menu \"m\" is disabled")
    assert.error_matches(function() ui.select("m", 3) end, "is disabled")
    assert.error_matches(function() ui.select("m", 4) end, "has no number 4")
    ui.select("m", 1)
    assert.same({ "help", "save" }, log)
    assert.no_match("Save", ui.snapshot())
  end)
end)

describe("snapshots of the screen", function()
  it("have the size that was asked for", function()
    ui.mount(view.row { view.label { text = "left" }, view.spacer {}, view.label { text = "right" } })
    assert.equal(80, #ui.snapshot())
    assert.equal(20, #ui.snapshot "20x1")
    assert.equal(20, #ui.snapshot { "20x1" })
    assert.equal(80, #ui.snapshot())
    assert.equal("by itself", ui.snapshot(view.label { text = "by itself" }))
    assert.error_matches(function() ui.snapshot "0x3" end, "columns x rows")
    assert.equal(30, #ui.snapshot { size = "30x1" })
    assert.error_matches(function() ui.snapshot { sise = "30x1" } end, 'did you mean "size"')
    assert.error_matches(function() ui.mount(view.label {}, { args = {} }) end, 'did you mean "arg"')
    assert.error_matches(function() ui.mount(view.label {}, { arg = 3 }) end, "arg is a list")
    ui.mount(view.column { view.label { id = "name", text = "Ada" }, view.label { text = "more" } })
    assert.equal("Ada", ui.snapshot "name")
    assert.equal("A…", ui.snapshot("name", "2x1"))
    assert.error_matches(function() ui.snapshot "nmae" end, 'did you mean "name"')
  end)

  it("follow the clock", function()
    local shown = object { text = "before" }
    ui.mount(view.label { text = function() return shown.text end })
    after(5, function() shown.text = "after" end)
    clock.advance(5)
    assert.equal("after", ui.snapshot())
  end)
end)

describe("two views of one id", function()
  it("are told of without a line of the runner's", function()
    ui.mount(view.column { view.label { id = "twin" }, view.label { id = "twin" } })
    assert.error_matches(function() assert.no_errors() end, "\n  two shown views have the id \"twin\"")
  end)
end)

describe("the mouse", function()
  it("clicks labels, once and twice, with keys held", function()
    ui.mount(view.column { view.label { id = "l", text = "here", on = {
      click = function(_, event) log[#log + 1] = event.ctrl and "ctrl" or "click" end,
      doubleClick = note "double",
    } } })
    ui.tap "l"
    ui.tap("l", "Ctrl-Shift")
    ui.doubleClick "l"
    assert.same({ "click", "ctrl", "click", "click", "double" }, log)
    assert.error_matches(function() ui.tap("l", "Contrl") end, 'ui.tap takes the keys that are held')
  end)

  it("moves over views and away", function()
    ui.mount(view.column { view.label { id = "l", text = "here", on = {
      hover = function(_, event) log[#log + 1] = tostring(event.inside) end } } })
    ui.hover "l"
    ui.hover()
    assert.same({ "true", "false" }, log)
  end)

  it("opens context menus", function()
    ui.mount(view.column { id = "c", contextMenu = {
      { title = "Delete", command = note "deleted" }, { title = "Never", enabled = false },
    }, view.label { id = "l", text = "here" } })
    ui.contextMenu "l"
    assert.matches("Delete", ui.snapshot())
    ui.press "Escape"
    ui.contextMenu("l", "Delete")
    assert.same({ "deleted" }, log)
    assert.error_matches(function() ui.contextMenu("l", "Delte") end, 'did you mean "Delete"')
    assert.error_matches(function() ui.contextMenu("l", "Never") end, "is disabled")
    views.c.contextMenu = nil
    assert.error_matches(function() ui.contextMenu "l" end, 'the label "l" has no context menu')
  end)

  it("selects rows with keys held", function()
    ui.mount(view.list { id = "rows", items = list { "a", "b", "c", "d" }, selectionMode = "many" })
    ui.select("rows", 2)
    ui.select("rows", 4, "Shift")
    ui.select("rows", 3, "Ctrl")
    assert.same({ 2, 4 }, { table.unpack(views.rows.selectedIndexes) })
    views.rows.selectionMode = "none"
    assert.error_matches(function() ui.select("rows", 1) end, "lets nothing be selected")
  end)
end)

describe("the mouse", function()
  it("drags by cells, and over another view", function()
    local seen = {}
    ui.mount(view.column {
      view.slider { id = "volume", maximum = 10, value = 0, width = 22 },
      view.label { id = "below", text = "below" },
    })
    ui.drag("volume", 30)
    assert.equal(10, views.volume.value)
    ui.drag("volume", -40, 0)
    assert.equal(0, views.volume.value)
    ui.drag(views.volume, "below")
    assert.error_matches(function() ui.drag("volume", {}) end, "ui.drag takes a view or its id, not")
    assert.error_matches(function() ui.drag("volume", "nowhere") end, 'the id or title "nowhere"')
  end)

  it("turns its wheel", function()
    local rows = {}
    for i = 1, 50 do rows[i] = "row " .. i end
    ui.mount(view.list { id = "rows", items = list(rows), height = 5 })
    assert.is_true(ui.wheel("rows", 3))
    assert.matches("^row 4 ", ui.snapshot())
    assert.is_true(ui.wheel(views.rows, -3))
    assert.matches("^row 1 ", ui.snapshot())
  end)
end)

describe("a paste", function()
  it("is one act, in which a field makes spaces of line ends", function()
    ui.mount(view.column { view.field { id = "name" }, view.textArea { id = "notes" }, view.label { id = "l", text = "x" } })
    ui.type("name", "a")
    ui.paste("name", "b\nc")
    assert.equal("ab c", views.name.text)
    ui.paste(views.notes, "b\r\nc\rd")
    assert.equal("b\nc\nd", views.notes.text)
    assert.error_matches(function() ui.paste("l", "x") end, 'the label "l" is not focusable')
  end)
end)

describe("a title", function()
  it("stands for a view that has no such id", function()
    local saved = 0
    local function save() saved = saved + 1 end
    ui.mount(view.column {
      view.button { title = "Save", on = { touchUpInside = save } },
      view.button { title = "Save", hidden = true },
      view.button { id = "Other", title = "Close" },
      view.button { id = "Close", title = "Other" },
    })
    ui.tap "Save"
    assert.equal(1, saved)
    ui.focus "Close"
    assert.is_true(views.Close.focused)
  end)

  it("must be of one view alone", function()
    ui.mount(view.column {
      view.column { id = "left", view.button { title = "Save" } },
      view.column { view.button { id = "below", title = "Save" } },
    })
    local isGood, raised = pcall(ui.tap, "Save")
    assert.is_false(isGood)
    assert.matches('2 shown views have the title "Save"; give an id to the one that you mean:', raised, 1, true)
    assert.matches('\n  the button in the column "left"', raised, 1, true)
    assert.matches('\n  the button "below"', raised, 1, true)
    isGood, raised = pcall(ui.tap, "Sav")
    assert.matches('has the id or title "Sav"; did you mean "Save"', raised, 1, true)
  end)
end)

describe("ui.mount of another view", function()
  it("enters what was typed, and tells the views that they go", function()
    local m, told = model "leaving" { text = "a", late = "b" }, {}
    local function tell(name) return function() told[#told + 1] = name end end
    ui.mount(view.column {
      view.field { id = "late", bindTo = { text = { path = "<> leaving.late", delay = 1 } } },
      view.field { id = "f", bindTo = { text = { path = "<> leaving.text", continuous = false } },
        on = { editingDidEnd = tell "end", blur = tell "blur", didDisappear = tell "gone" } },
    })
    ui.type("late", "Y")
    ui.type("f", "X")
    ui.mount(view.label { text = "bye" })
    assert.equal("aX bY", m.text .. " " .. m.late)
    assert.same({ "end", "blur", "gone" }, told)
  end)

  it("writes the delayed edit of a cell that is collected meanwhile", function()
    for round = 1, 40 do
      local rows = list { object { name = "apple" } }
      local path = { path = "<> dataObject.name", delay = 1 }
      ui.mount(view.column { view.list { id = "rows", items = rows, cell = function()
        return view.cell { view.field { bindTo = { text = path } } }
      end } })
      ui.select("rows", 1)
      ui.press "Tab"
      ui.press "End"
      ui.press "Z"
      for _ = 1, round * 50 do local _ = {} end
      ui.mount(view.label { text = "bye" })
      clock.advance(2)
      assert.equal("appleZ", rows[1].name)
    end
  end)
end)
