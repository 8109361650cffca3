import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Choices that come when something else is there already.
@Suite struct LateChoiceTests {
  private static let app = """
    ann, bob = object { color = "red", size = 1, due = 3600 },
      object { color = "red", size = 1, due = 0 }
    colors = list { "red", "green", "blue" }
    current = model "current" { item = ann }
    show(view.column {
      view.picker { label = "color", items = colors,
        bindTo = { selectedObject = "<> current.item.color" } },
      view.radio { label = "size", items = { "small", "large" },
        bindTo = { selectedIndex = "<> current.item.size" } },
      view.datePicker { label = "due", utc = true, bindTo = { value = "<> current.item.due" } },
      view.tabs { titles = { "One", "Two" }, view.label { text = "1" }, view.label { text = "2" } },
    })
    """

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  private func run(_ stage: LawStage, _ script: String) throws {
    _ = try stage.runtime.evaluate(script, as: Value.self)
    try stage.turn()
  }

  private func page(_ stage: LawStage) throws -> LawPage {
    let page = try stage.open()
    try stage.settle()
    return page
  }

  @Test func `what is chosen is chosen for the record that was shown`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try page(stage)
    try run(stage, "current.item = bob")
    page.act("choose", try page.mirror.node("picker"), ",1,\"green\"")
    page.act("choose", try page.mirror.node("radio"), ",1,\"large\"")
    page.act("date", try page.mirror.node("datePicker"), ",\"2026-03-14\"")
    try stage.settle()
    #expect(try read(stage, "ann.color .. ann.size") == "green2")
    #expect(try read(stage, "bob.color .. bob.size .. bob.due") == "red10")
    // The time of that day stays.
    #expect(try read(stage, "ann.due") == "\(1_773_446_400 + 3600)")
    #expect(page.notices.isEmpty)
  }

  @Test func `what is chosen is the item, wherever it stands by now`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try page(stage)
    let picker = try page.mirror.node("picker")
    try run(stage, "ann.color = 'green'")
    try stage.settle()
    // Red goes.
    try run(stage, "colors:remove(1)")
    page.act("choose", picker, ",2,\"blue\"")
    try stage.settle()
    #expect(try read(stage, "ann.color") == "blue")
    try run(stage, "colors:remove(1)")
    page.act("choose", picker, ",0,\"green\"")
    try stage.settle()
    #expect(try read(stage, "ann.color") == "blue")
    #expect(page.notices == [PageNotice.other.rawValue])
  }

  @Test func `a choice that is in no list, or a date that is none, is told`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try page(stage)
    let (picker, date) = (try page.mirror.node("picker"), try page.mirror.node("datePicker"))
    try run(stage, "current.item = bob")
    page.line?.send("[100,1,\"choose\",\(picker),99,\"violet\"]")
    page.line?.send("[101,1,\"choose\",\(picker),-1,\"\"]")
    page.line?.send("[102,1,\"choose\",\(picker),99]")
    page.line?.send("[103,1,\"date\",\(date),\"tomorrow\"]")
    try stage.settle()
    #expect(try read(stage, "ann.color .. bob.color") == "redred")
    #expect(page.notices.count == 4)
  }

  @Test func `a tab is known by its title`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try page(stage)
    let tabs = try page.mirror.node("tabs")
    page.act("choose", tabs, ",0,\"Two\"")
    try stage.settle()
    #expect(page.mirror.property("chosen", of: tabs)?.integer == 1)
  }

  @Test func `a title is a text`() throws {
    let event = try PageEvent(Array("[1,1,\"choose\",2,0,\"red\"]".utf8))
    #expect(event.title == "red")
    for rest in ["5", "true", "\"a\",\"b\""] {
      #expect(throws: WireFault.self) {
        _ = try PageEvent(Array("[1,1,\"choose\",2,0,\(rest)]".utf8))
      }
    }
  }

  @Test func `a key on a control that was removed is told and listed`() throws {
    let stage = try LawStage(
      """
      paid = ""
      rows = list { { name = "ann" }, { name = "bob" } }
      show(view.list { items = rows, height = 4, cell = function() return view.cell {
        view.button { bindTo = { title = "dataObject.name" }, keys = { p = function(sender)
          paid = paid .. sender.dataObject.name
        end } },
      } end })
      """)
    defer { stage.close() }
    let page = try page(stage)
    page.focus(try page.mirror.node("button", "ann"))
    try stage.settle()
    page.press("p")
    try stage.settle()
    #expect(try read(stage, "paid") == "ann")
    try run(stage, "rows:remove(1)")
    page.press("p")
    try stage.settle()
    #expect(try read(stage, "paid") == "ann")
    #expect(page.notices == [PageNotice.other.rawValue])
    #expect(stage.runtime.errorsOfEdits.contains { $0.message.contains("nothing was done") })
  }

  @Test func `a press of a control whose row was removed is told and listed`() throws {
    let stage = try LawStage(
      """
      paid = ""
      rows = list { { name = "ann", isOn = false }, { name = "bob", isOn = false } }
      show(view.list { items = rows, height = 4, cell = function() return view.cell { view.row {
        view.button { bindTo = { title = "dataObject.name" }, on = { touchUpInside = function(sender)
          paid = paid .. sender.dataObject.name
          rows:removeObject(sender.dataObject)
        end } },
        view.checkbox { bindTo = { title = "dataObject.name", isOn = "<> dataObject.isOn" } },
      } } end })
      """)
    defer { stage.close() }
    let page = try page(stage)
    let (button, box) = (
      try page.mirror.node("button", "ann"), try page.mirror.node("checkbox", "ann")
    )
    try run(stage, "rows:remove(1)")
    page.act("press", button)
    page.act("press", box)
    try stage.settle()
    #expect(try read(stage, "paid .. tostring(rows[1].isOn) .. #rows") == "false1")
    #expect(page.notices == [PageNotice.other.rawValue, PageNotice.other.rawValue])
    let listed = stage.runtime.errorsOfEdits
    #expect(listed.allSatisfy { $0.code == .unwritten } && !listed.isEmpty)
    #expect(listed.first?.message.contains("nothing was done") == true)
    // The first click of a double click removes the row, and the second one is ignored.
    let last = try page.mirror.node("button", "bob")
    page.act("press", last)
    page.act("press", last)
    try stage.settle()
    let left = try read(stage, "paid .. #rows")
    #expect(left == "bob0")
    #expect(page.notices.count == 2)
  }
}
