import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideWeb

/// Acts that say what they were made on: late ones, and such as no page sends.
@Suite struct ActTests {
  private static let app = """
    desk = model "desk" { name = "one", loud = "", isOn = false, level = 3, rows = list { "a", "b", "c" },
      chosen = "", deleted = "" }
    one, two = object { name = "one", isOn = false }, object { name = "two", isOn = false }
    current = model "current" { item = property { nullable = true } }
    current.item = one
    show(view.column {
      view.field { label = "plain", bindTo = { text = "<> desk.name" } },
      view.field { label = "nested", bindTo = { text = "<> current.item.name" } },
      view.field { label = "loud", bindTo = { text = "<> desk.loud" }, on = {
        editingChanged = function() desk.loud = desk.loud:upper() end } },
      view.checkbox { title = "on", bindTo = { isOn = "<> current.item.isOn" } },
      view.list { items = desk.rows, height = 5, on = {
        didSelect = function(sender) desk.chosen = tostring(sender.selectedObject) end,
        delete = function(sender)
          desk.deleted = desk.deleted .. tostring(sender.selectedObject) end } },
    })
    """

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("tostring(\(expression))", as: String.self)
  }

  private func run(_ stage: LawStage, _ script: String) throws {
    _ = try stage.runtime.evaluate(script, as: Value.self)
    try stage.turn()
  }

  private func stage(_ people: Int = 1) throws -> LawStage {
    let stage = try LawStage(Self.app)
    for _ in 0..<people { try stage.open() }
    try stage.settle()
    return stage
  }

  @Test func `letters that a page replaces before it knows the app's answer are gone`() throws {
    let stage = try stage(2)
    defer { stage.close() }
    let page = stage.pages[0]
    let field = try page.mirror.node("field", "loud")
    for text in ["f", "fi", "fir", "s", "se", "sec"] {
      page.type(text, in: field)
      try page.line?.deliver()
      try stage.turn()
    }
    try stage.settle()
    #expect(try read(stage, "desk.loud") == "SEC")
    for page in stage.pages { #expect(page.text(of: field) == "SEC") }
  }

  @Test(arguments: ["4,0,\"x\"", "0,4,\"x\"", "9007199254740991,0,\"x\"", "2,2,\"\""])
  func `no edit is of more than the text has`(edit: String) throws {
    let stage = try stage()
    defer { stage.close() }
    let page = stage.pages[0]
    page.line?.send("[100,\"edit\",\(try page.mirror.node("field", "plain")),\(edit)]")
    try stage.settle()
    #expect(try read(stage, "desk.name") == "one")
    #expect(page.notices.count == 1)
  }

  @Test func `an edit that makes a text too long is refused with the limit as the reason`() throws {
    let stage = try stage()
    defer { stage.close() }
    try run(stage, "desk.name = ('x'):rep(\(PageLimits.message))")
    try stage.settle()
    let page = stage.pages[0]
    page.act("edit", try page.mirror.node("field", "plain"), ",0,0,\"y\"")
    try stage.settle()
    #expect(try read(stage, "#desk.name") == "\(PageLimits.message)")
    let notice = try #require(page.notices.first)
    #expect(notice.contains("A text has some 1,048,576 characters at most."), "\(notice)")
    #expect(notice.hasSuffix(": y"), "\(notice)")
  }

  @Test
  func `a press that moves the focus keeps it there, though the page tells of the button after it`()
    throws
  {
    let stage = try LawStage(
      """
      local field = view.field { label = "first" }
      show(view.column { field, view.button { title = "go", on = { touchUpInside = function()
        field:focus() end } } })
      """)
    defer { stage.close() }
    try stage.open()
    try stage.settle()
    let page = stage.pages[0]
    let (field, button) = (try page.mirror.node("field", "first"), try page.mirror.node("button"))
    page.act("press", button, focuses: false)
    page.focus(button)
    try stage.settle()
    #expect(page.focus == field)
    // Who goes to the button by themselves is there.
    page.focus(button)
    try stage.settle()
    #expect(page.focus == button)
  }

  @Test func `a press that gives the focus back to the field that had it leaves it there`() throws {
    let stage = try LawStage(
      """
      local field = view.field { label = "first" }
      show(view.column { field, view.button { title = "go", on = { touchUpInside = function()
        field:focus() end } } })
      """)
    defer { stage.close() }
    try stage.open()
    try stage.settle()
    let page = stage.pages[0]
    let (field, button) = (try page.mirror.node("field", "first"), try page.mirror.node("button"))
    page.focus(field)
    try stage.settle()
    page.act("press", button, focuses: false)
    page.focus(button)
    try stage.settle()
    #expect(page.focus == field)
  }

  @Test func `keys that wait for the answer to a press have the focus with it`() throws {
    let stage = try LawStage(
      """
      local field = view.field { label = "first" }
      show(view.column { field, view.button { title = "go", on = { touchUpInside = function()
        field:focus() end } } })
      """)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let field = try page.mirror.node("field", "first")
    page.act("press", try page.mirror.node("button"))
    try page.line?.deliver()
    try stage.turn()
    let messages = try page.line?.arrive() ?? []
    let answers = messages.filter { $0.contains("[\"ack\",") }
    #expect(answers.count == 1)
    #expect(answers.first?.contains("[\"focus\",\(field)]") == true)
  }

  @Test func `what a control could not do to a record it does not do once it shows another`() throws
  {
    let stage = try LawStage(
      """
      ann, bob = object { name = "ann", free = false, level = 3, on = false },
        object { name = "bob", free = true, level = 3, on = false }
      current = model "current" { item = ann }
      show(view.column {
        view.field { label = "name", maxLength = 5,
          bindTo = { text = "<> current.item.name", editable = "current.item.free" } },
        view.slider { label = "level", minimum = 0, maximum = 10, step = 1,
          bindTo = { value = "<> current.item.level" } },
      })
      """)
    defer { stage.close() }
    try stage.open()
    try stage.settle()
    let page = stage.pages[0]
    let (field, slider) = (try page.mirror.node("field"), try page.mirror.node("slider"))
    try run(stage, "current.item = bob")
    // The page has not heard of it.
    page.line?.send("[101,1,\"edit\",\(field),0,0,\"x\"]")
    page.line?.send("[102,1,\"value\",\(slider),1e308]")
    try stage.settle()
    #expect(try read(stage, "ann.name") == "ann")
    #expect(try read(stage, "ann.level") == "10")
    try run(stage, "ann.free, ann.level, current.item = true, 3, ann")
    try stage.settle()
    try run(stage, "current.item = bob")
    page.line?.send("[103,\(page.heard),\"edit\",\(field),0,0,\"too long\"]")
    page.line?.send("[104,0,\"edit\",\(field),0,0,\"y\"]")
    try stage.settle()
    #expect(try read(stage, "ann.name .. bob.name") == "annbob")
  }

  @Test func `who sends nothing else is sent away`() throws {
    let stage = try stage()
    defer { stage.close() }
    let page = stage.pages[0]
    let field = try page.mirror.node("field", "plain")
    for number in 1...PageLimits.refusals + 1 {
      page.line?.send("[\(number),\"edit\",\(field),500,0,\"x\"]")
    }
    try page.line?.deliver()
    try stage.turn()
    // What it sends now is not looked at.
    page.line?.send("[500,\"edit\",\(field),0,0,\"x\"]")
    try page.line?.deliver()
    try stage.turn()
    #expect(try read(stage, "desk.name") == "one")
  }

  @Test func `what was made on what nobody was sent is told, and not done`() throws {
    let stage = try stage()
    defer { stage.close() }
    let page = stage.pages[0]
    let field = try page.mirror.node("field", "plain")
    page.line?.send("[100,99999,\"edit\",\(field),0,0,\"x\"]")
    try stage.settle()
    #expect(try read(stage, "desk.name") == "one")
    #expect(page.notices.last?.hasSuffix("x") == true)
    // It goes on where it is.
    page.line?.send("[102,\"edit\",\(field),3,0,\"!\"]")
    try stage.settle()
    #expect(try read(stage, "desk.name") == "one!")
  }

  @Test func `a row is known by its cell, and one that is not there is none`() throws {
    let stage = try stage()
    defer { stage.close() }
    let page = stage.pages[0]
    let list = try page.mirror.node("list")
    let last = try #require(page.mirror.row(2, of: list))
    try run(stage, "desk.rows:remove(1)")
    page.line?.send("[100,1,\"select\",\(list),2,\"\",\(last)]")
    try stage.settle()
    #expect(try read(stage, "desk.chosen") == "c")
    for (number, cell) in [99_999, try page.mirror.node("field", "plain")].enumerated() {
      page.line?.send("[\(101 + number),1,\"select\",\(list),0,\"\",\(cell)]")
    }
    try stage.settle()
    #expect(try read(stage, "desk.chosen") == "c")
    #expect(page.notices.filter { $0 == PageNotice.other.rawValue }.count == 2)
  }

  @Test func `what is deleted is what its person saw selected`() throws {
    let stage = try stage(2)
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let list = try ann.mirror.node("list")
    let cells = (0..<3).compactMap { ann.mirror.row($0, of: list) }
    ann.act("select", list, ",0,\"\",\(cells[0])")
    try stage.settle()
    bob.act("select", list, ",2,\"\",\(cells[2])")
    try bob.line?.deliver()
    try stage.turn()
    // Ann's page still shows the first as selected.
    ann.press("Delete")
    try stage.settle()
    #expect(try read(stage, "desk.deleted") == "")
    // Now it shows the last one.
    ann.press("Delete")
    try stage.settle()
    #expect(try read(stage, "desk.deleted") == "c")
    // Nobody waits for the answer to an own selection.
    ann.act("select", list, ",1,\"\",\(cells[1])")
    ann.press("Delete")
    try stage.settle()
    #expect(try read(stage, "desk.deleted") == "cb")
  }

  private static let selecting = """
    desk = model "desk" { done = "", presses = 0, rows = list {
      object { name = "ann" }, object { name = "bob" }, object { name = "cid" } } }
    chosen = controller.list { name = "chosen", content = desk.rows }
    current = object { name = computed(function() return chosen.selectedObject.name end) }
    local function button(title, fn)
      return view.button { title = title, on = { touchUpInside = function()
        desk.presses = desk.presses + 1
        fn()
      end } }
    end
    local function note(name) desk.done = desk.done .. name .. " " end
    show(view.column {
      view.list { height = 5, bindTo = {
        items = "chosen.arrangedObjects", selectedIndex = "<> chosen.selectionIndex" } },
      button("object", function() note(chosen.selectedObject.name) end),
      button("proxy", function() note(chosen.selection.name) end),
      button("computed", function() note(current.name) end),
      button("list", function() for _, row in ipairs(chosen.selectedObjects) do note(row.name) end end),
      button("rename", function() chosen.selection.name = "dan" end),
      button("remove", function() chosen:remove() end),
      button("caught", function() pcall(function() note(chosen.selectedObject.name) end) end),
      button("other", function() note "other" end),
      button("next", function() chosen:selectNext() end),
      button("last", function() chosen.selectionIndex = 3 end),
    })
    """

  @Test(arguments: ["object", "proxy", "computed", "list", "rename", "remove", "caught"])
  func `a press that asks for the selection is not done to what another has selected`(
    title: String
  ) throws {
    let stage = try LawStage(Self.selecting)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let list = try ann.mirror.node("list")
    let button = try ann.mirror.node("button", title)
    let second = try #require(bob.mirror.row(1, of: list))
    bob.act("select", list, ",1,\"\",\(second)")
    try bob.line?.deliver()
    try stage.turn()
    // Ann's page still shows the first row as selected.
    ann.act("press", button)
    try stage.settle()
    let names = "desk.rows[1].name .. #desk.rows .. chosen.selectedObject.name"
    #expect(try read(stage, names) == "ann3bob")
    #expect(try read(stage, "desk.done .. desk.presses") == "0")
    #expect(ann.notices == ["\(SelectionNotice.undone.rawValue) bob"])
    #expect(bob.notices.isEmpty)
    #expect(stage.runtime.errors.isEmpty)
    // Now it has seen that.
    ann.act("press", button)
    try stage.settle()
    #expect(try read(stage, "desk.presses") == "1")
    #expect(ann.notices.count == 1)
  }

  @Test func `a press that asks for no selection is done, whoever has selected meanwhile`() throws {
    let stage = try LawStage(Self.selecting)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let list = try ann.mirror.node("list")
    let second = try #require(bob.mirror.row(1, of: list))
    bob.act("select", list, ",1,\"\",\(second)")
    try bob.line?.deliver()
    try stage.turn()
    ann.act("press", try ann.mirror.node("button", "other"))
    ann.act("press", try ann.mirror.node("button", "last"))
    // What it has selected by itself it has seen.
    ann.act("press", try ann.mirror.node("button", "object"))
    try stage.settle()
    #expect(try read(stage, "desk.done") == "other cid ")
    #expect(ann.notices.isEmpty)
    // The same is selected again.
    bob.act("select", list, ",1,\"\",\(second)")
    bob.act("press", try bob.mirror.node("button", "next"))
    try bob.line?.deliver()
    try stage.turn()
    ann.act("press", try ann.mirror.node("button", "object"))
    try stage.settle()
    #expect(try read(stage, "desk.done") == "other cid cid ")
    #expect(ann.notices.isEmpty)
  }

  @Test func `a press is not done to what the program has selected meanwhile`() throws {
    let stage = try LawStage(Self.selecting)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    try run(stage, "desk.rows:remove(1)")
    page.act("press", try page.mirror.node("button", "remove"))
    try stage.settle()
    #expect(try read(stage, "#desk.rows") == "2")
    #expect(page.notices == ["\(SelectionNotice.undone.rawValue) bob"])
    // Its own presses come one after another, as at a terminal.
    page.act("press", try page.mirror.node("button", "remove"))
    page.act("press", try page.mirror.node("button", "remove"))
    try stage.settle()
    #expect(try read(stage, "#desk.rows") == "0")
    #expect(page.notices.count == 1)
  }

  @Test func `a letter and a press go to the record that was shown`() throws {
    let stage = try stage(2)
    defer { stage.close() }
    let page = stage.pages[0]
    let field = try page.mirror.node("field", "nested")
    page.type("one!", in: field)
    page.act("press", try page.mirror.node("checkbox"))
    try run(stage, "current.item = two")
    try stage.settle()
    #expect(try read(stage, "one.name .. two.name") == "one!two")
    #expect(try read(stage, "one.isOn") == "true")
    #expect(try read(stage, "two.isOn") == "false")
    for other in stage.pages { #expect(other.text(of: field) == "two") }
  }

  @Test func `a number that is typed late is that of the record that was shown`() throws {
    let stage = try LawStage(
      """
      one, two = object { count = 1 }, object { count = 2 }
      current = model "current" { item = property { nullable = true } }
      current.item = one
      show(view.numberField { bindTo = { value = "<> current.item.count" } })
      """)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let field = try page.mirror.node("numberField")
    page.type("15", in: field)
    page.type("15-", in: field)
    page.type("153", in: field)
    try run(stage, "current.item = two")
    try stage.settle()
    #expect(try read(stage, "one.count .. ' ' .. two.count") == "153 2")
    #expect(page.text(of: field) == "2")
    // What was no number on the way is one by now.
    #expect(page.notices.isEmpty)
  }

  @Test func `two people in one field lose nothing`() throws {
    let stage = try stage(2)
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let field = try ann.mirror.node("field", "plain")
    for letter in ["A", "B", "C"] {
      ann.type(letter + ann.text(of: field), in: field)
      bob.type(bob.text(of: field) + letter.lowercased(), in: field)
      try ann.line?.deliver()
      try stage.turn()
      try bob.line?.deliver()
      try stage.turn()
    }
    try stage.settle()
    #expect(try read(stage, "desk.name") == "CBAoneabc")
    #expect(ann.text(of: field) == "CBAoneabc")
    #expect(bob.text(of: field) == "CBAoneabc")
  }
}
