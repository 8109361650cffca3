import Testing
import TideBindings
import TideScript

@testable import TideViews
@testable import TideWeb

/// A question is for the person whose act has asked it.
@Suite struct QuestionTests {
  static let app = """
    desk = model "desk" { name = "", deleted = 0, asked = 0 }
    show(view.column {
      view.field { id = "name", label = "name", bindTo = { text = "<> desk.name" } },
      view.button { id = "delete", title = "Delete", on = { touchUpInside = function()
        desk.asked = desk.asked + 1
        if ask { title = "Sure?", buttons = { "Yes", "No" } } == "Yes" then
          desk.deleted = desk.deleted + 1
        end
      end } },
      view.button { id = "other", title = "Other", on = { touchUpInside = function()
        desk.name = desk.name .. "!" end } },
    })
    """

  func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("tostring(\(expression))", as: String.self)
  }

  @Test func `another person goes on typing, and the space bar answers nothing`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let field = try bob.mirror.node("field")
    bob.type("a", in: field)
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Delete"))
    try stage.settle()
    #expect(ann.mirror.openedModals.count == 1)
    #expect(bob.mirror.openedModals.isEmpty)
    #expect(bob.focus == field)
    bob.type("a b", in: field)
    // As a hostile page may send it.
    #expect(throws: PageMirror.Broken.self) { try bob.mirror.node("button", "Yes") }
    let yes = try ann.mirror.node("button", "Yes")
    bob.line?.send("[100,\"press\",\(yes)]")
    bob.line?.send("[101,\"key\",\(yes),\"Space\"]")
    bob.line?.send("[102,\"key\",0,\"Enter\"]")
    bob.line?.send("[103,\"key\",0,\"Escape\"]")
    try stage.settle()
    #expect(try read(stage, "desk.name") == "a b")
    #expect(try read(stage, "desk.deleted") == "0")
    #expect(ann.mirror.openedModals.count == 1)
    ann.act("press", try ann.mirror.node("button", "Yes"))
    try stage.settle()
    #expect(try read(stage, "desk.deleted") == "1")
    #expect(ann.mirror.openedModals.isEmpty)
  }

  @Test func `a double click asks once`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let ann = try stage.open()
    try stage.settle()
    let button = try ann.mirror.node("button", "Delete")
    ann.act("press", button)
    ann.act("press", button)
    try stage.settle()
    #expect(try read(stage, "desk.asked") == "1")
  }

  @Test func `a button that waits is busy for all, and tells another one so`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let button = try ann.mirror.node("button", "Delete")
    ann.act("press", button)
    try stage.settle()
    #expect(bob.mirror.property("busy", of: button) == .boolean(true))
    bob.act("press", button)
    try stage.settle()
    #expect(try read(stage, "desk.asked") == "1")
    #expect(bob.notices.count == 1)
    #expect(ann.notices.isEmpty)
    ann.act("press", try ann.mirror.node("button", "No"))
    try stage.settle()
    #expect(bob.mirror.property("busy", of: button) == nil)
    bob.act("press", button)
    try stage.settle()
    #expect(bob.mirror.openedModals.count == 1)
  }

  @Test func `the focus goes back to where its person was`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let button = try ann.mirror.node("button", "Delete")
    ann.act("press", button)
    try stage.settle()
    let other = try bob.mirror.node("button", "Other")
    bob.act("press", other)
    try stage.settle()
    #expect(try read(stage, "desk.name") == "!")
    let no = try ann.mirror.node("button", "No")
    ann.act("press", no)
    try stage.settle()
    #expect(ann.focus == button)
    #expect(bob.focus == other)
    #expect(try read(stage, "desk.deleted") == "0")
  }

  @Test func `a question of the program is for all, and the first answer counts`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    _ = try stage.runtime.evaluate(
      "spawn(function() desk.name = ask { title = 'Now?', buttons = { 'Yes', 'No' } } end)",
      as: Value.self)
    try stage.settle()
    #expect(ann.mirror.openedModals.count == 1 && bob.mirror.openedModals.count == 1)
    bob.act("press", try bob.mirror.node("button", "Yes"))
    try stage.settle()
    #expect(try read(stage, "desk.name") == "Yes")
    #expect(ann.mirror.openedModals.isEmpty)
  }

  private static let dialogApp = """
    desk = model "desk" { name = "", opens = false, kind = "" }
    show(view.column {
      view.field { id = "name", label = "name", bindTo = { text = "<> desk.name" } },
      view.button { title = "Import", on = { touchUpInside = function() desk.opens = true end } },
      view.dialog { title = "Import", modal = true, hidden = function() return not desk.opens end,
        on = { close = function() desk.opens = false end },
        view.field { id = "kind", label = "kind", bindTo = { text = "<> desk.kind" } },
        view.button { title = "Done", on = { touchUpInside = function() desk.opens = false end } } },
    })
    """

  @Test func `a dialog of the tree is for the person whose act opens it, until it is closed`()
    throws
  {
    let stage = try LawStage(Self.dialogApp)
    defer { stage.close() }
    let (ann, bob, hostile) = (try stage.open(), try stage.open(), try stage.open())
    try stage.settle()
    let field = try bob.mirror.node("field", "name")
    bob.type("a", in: field)
    let button = try ann.mirror.node("button", "Import")
    ann.act("press", button)
    try stage.settle()
    #expect(ann.mirror.openedModals.count == 1 && bob.mirror.openedModals.isEmpty)
    #expect(bob.focus == field)
    bob.type("a b", in: field)
    #expect(throws: PageMirror.Broken.self) { try bob.mirror.node("button", "Done") }
    let done = try ann.mirror.node("button", "Done")
    hostile.line?.send("[100,\"press\",\(done)]")
    hostile.line?.send("[101,\"key\",0,\"Escape\"]")
    try stage.settle()
    #expect(try read(stage, "desk.name") == "a b")
    #expect(try read(stage, "desk.opens") == "true")
    ann.type("x", in: try ann.mirror.node("field", "kind"))
    ann.act("press", try ann.mirror.node("button", "Done"))
    try stage.settle()
    #expect(try read(stage, "desk.kind") == "x")
    #expect(ann.mirror.openedModals.isEmpty && ann.focus == button)
    // Another person opens it next.
    bob.act("press", try bob.mirror.node("button", "Import"))
    try stage.settle()
    #expect(bob.mirror.openedModals.count == 1 && ann.mirror.openedModals.isEmpty)
    bob.act("press", try bob.mirror.node("button", "Done"))
    try stage.settle()
    // What the program opens is for all.
    _ = try stage.runtime.evaluate("desk.opens = true", as: Value.self)
    try stage.settle()
    #expect(ann.mirror.openedModals.count == 1 && bob.mirror.openedModals.count == 1)
  }

  @Test func `a dialog of a person who leaves is shown to the one who comes`() throws {
    let stage = try LawStage(Self.dialogApp)
    defer { stage.close() }
    let ann = try stage.open()
    try stage.open()
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Import"))
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    let again = try stage.open()
    try again.receive()
    #expect(again.mirror.openedModals.count == 1)
  }

  @Test(arguments: [false, true])
  func `who loads the page again is asked again`(whileAnotherIsThere: Bool) throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let ann = try stage.open()
    if whileAnotherIsThere { try stage.open() }
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Delete"))
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    let again = try stage.open()
    try again.receive()
    #expect(again.mirror.openedModals.count == 1)
    again.act("press", try again.mirror.node("button", "Yes"))
    try again.line?.deliver()
    try stage.turn()
    #expect(try read(stage, "desk.deleted") == "1")
  }

  private static let lateApp = """
    desk = model "desk" { name = "", answer = "" }
    function press()
      sleep(1)
      desk.answer = ask { title = "Sure?", buttons = { "Yes", "No" } } or "none"
    end
    show(view.column {
      view.field { id = "name", label = "name", bindTo = { text = "<> desk.name" } },
      view.button { title = "Delete", on = { touchUpInside = press } },
      view.button { title = "Other" },
    })
    """

  @Test func `a question asked after a wait is for the person whose act began the handler`() throws
  {
    let stage = try LawStage(Self.lateApp)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let (delete, other) = (
      try ann.mirror.node("button", "Delete"), try bob.mirror.node("button", "Other")
    )
    ann.act("press", delete)
    try stage.settle()
    bob.act("press", other)
    try stage.settle()
    stage.runtime.loop.advance(by: 1)
    try stage.settle()
    #expect(ann.mirror.openedModals.count == 1)
    #expect(bob.mirror.openedModals.isEmpty)
    #expect(bob.focus == other)
    ann.act("press", try ann.mirror.node("button", "No"))
    try stage.settle()
    #expect(try read(stage, "desk.answer") == "No")
    // Not where the other one is.
    #expect(ann.focus == delete)
    #expect(bob.focus == other)
  }

  @Test func `a question of somebody who loads the page again meanwhile comes to the new page`()
    throws
  {
    let stage = try LawStage(Self.lateApp)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Delete"))
    try stage.settle()
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    let again = try stage.open()
    try again.receive()
    stage.runtime.loop.advance(by: 1)
    try stage.turn()
    try again.receive()
    try bob.receive()
    #expect(again.mirror.openedModals.count == 1)
    #expect(bob.mirror.openedModals.isEmpty)
  }

  @Test func `each gets the focus back after a question for all, and is told who has answered`()
    throws
  {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let (field, other) = (try ann.mirror.node("field"), try bob.mirror.node("button", "Other"))
    ann.focus(field)
    try stage.settle()
    bob.focus(other)
    try stage.settle()
    _ = try stage.runtime.evaluate(
      "spawn(function() desk.name = ask { title = 'Now?', buttons = { 'Yes', 'No' } } end)",
      as: Value.self)
    try stage.settle()
    let yes = try ann.mirror.node("button", "Yes")
    ann.focus(yes)
    try stage.settle()
    ann.act("press", yes)
    try stage.settle()
    #expect(try read(stage, "desk.name") == "Yes")
    #expect(ann.focus == field)
    #expect(bob.notices.contains { $0.hasPrefix("Viewer") && $0.hasSuffix("Yes") })
    #expect(ann.notices.isEmpty)
  }

  // MARK: Other people

  static let privateApp = """
    desk = model "desk" { name = "", answer = "", opens = false }
    show(view.column {
      view.field { id = "name", label = "name", bindTo = { text = "<> desk.name" } },
      view.button { title = "Note", on = { touchUpInside = function()
        desk.answer = ask.text { title = "Note", text = "the code is 4711" } or "none"
      end } },
      view.button { title = "Sick", on = { touchUpInside = function() desk.opens = true end } },
      view.dialog { title = "Sick leave", modal = true, hidden = function() return not desk.opens end,
        on = { close = function() desk.opens = false end },
        view.field { label = "kind" },
        view.button { title = "Done", on = { touchUpInside = function() desk.opens = false end } } },
    })
    """

  @Test func `a question and what is typed into it are sent to no other page`() throws {
    let stage = try LawStage(Self.privateApp)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Note"))
    try stage.settle()
    ann.type("salary", in: try ann.mirror.node("field"))
    try stage.settle()
    #expect(ann.received.contains("4711") && ann.received.contains("salary"))
    let late = try stage.open(as: "eve")
    try stage.settle()
    for page in [bob, late] {
      #expect(!page.received.contains("4711") && !page.received.contains("salary"))
    }
    ann.act("press", try ann.mirror.node("button", "OK"))
    try stage.settle()
    #expect(try read(stage, "desk.answer") == "salary")
    #expect(throws: PageMirror.Broken.self) { try bob.mirror.node("dialog", "Note") }
  }

  @Test func `what was typed into a dialog of the tree is sent to others when they open it`() throws
  {
    let stage = try LawStage(Self.privateApp)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(as: "ann"), try stage.open(as: "bob"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Sick"))
    try stage.settle()
    ann.type("malaria", in: try ann.mirror.node("field", "kind"))
    try stage.settle()
    ann.act("press", try ann.mirror.node("button", "Done"))
    try stage.settle()
    let late = try stage.open(as: "eve")
    try stage.settle()
    for page in [bob, late] { #expect(!page.received.contains("malaria")) }
    bob.act("press", try bob.mirror.node("button", "Sick"))
    try stage.settle()
    #expect(bob.text(of: try bob.mirror.node("field", "kind")) == "malaria")
    #expect(!late.received.contains("malaria"))
    #expect(throws: PageMirror.Broken.self) { try ann.mirror.node("field", "kind") }
    // What the program opens is for all.
    bob.act("press", try bob.mirror.node("button", "Done"))
    try stage.settle()
    _ = try stage.runtime.evaluate("desk.opens = true", as: Value.self)
    try stage.settle()
    for page in [ann, bob, late] {
      #expect(page.text(of: try page.mirror.node("field", "kind")) == "malaria")
    }
  }
}
