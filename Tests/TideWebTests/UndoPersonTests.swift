import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Each takes back what they did themselves.
@Suite struct UndoPersonTests {
  private static func app(_ option: String = "") -> String {
    """
    desk = model "desk" { name = "", rows = list {} }
    history = undo.manager { desk, name = "history"\(option) }
    undone, redone = "", ""
    count = 0
    function state()
      local names = {}
      for _, row in ipairs(desk.rows) do names[#names + 1] = row.name end
      return table.concat(names, " ")
    end
    show(view.column {
      view.field { id = "name", label = "name", bindTo = { text = "<> desk.name" } },
      view.button { title = "Add", on = { touchUpInside = function()
        count = count + 1
        desk.rows:append(object { name = "r" .. count })
      end } },
      view.button { title = "Undo", on = { touchUpInside = function()
        undone = tostring(history:undo()) end } },
      view.button { title = "Redo", on = { touchUpInside = function()
        redone = tostring(history:redo()) end } },
    })
    """
  }

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  private func rows(_ stage: LawStage) throws -> Set<String> {
    Set(try read(stage, "state()").split(separator: " ").map(String.init))
  }

  private func stage(_ option: String = "", people: Int = 2) throws -> LawStage {
    let stage = try LawStage(Self.app(option))
    for _ in 0..<people { try stage.open() }
    try stage.settle()
    return stage
  }

  private func press(_ title: String, _ page: LawPage, _ stage: LawStage) throws {
    page.act("press", try page.mirror.node("button", title))
    try stage.settle()
  }

  @Test func `what another one did since stays`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    for page in [ann, bob, bob] { try press("Add", page, stage) }
    #expect(try read(stage, "state()") == "r1 r2 r3")
    try press("Undo", ann, stage)
    #expect(try read(stage, "state()") == "r2 r3")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. state()") == "false r2 r3")
    try press("Undo", bob, stage)
    #expect(try read(stage, "undone .. ' ' .. state()") == "true r2")
    // The order in which it is done again is another one.
    try press("Redo", ann, stage)
    try press("Redo", bob, stage)
    #expect(try read(stage, "redone") == "true")
    #expect(try rows(stage) == ["r1", "r2", "r3"])
    try press("Redo", bob, stage)
    #expect(try read(stage, "redone") == "false")
  }

  @Test func `what somebody does again is theirs after another one has gone on`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    try press("Add", ann, stage)
    try press("Undo", ann, stage)
    try press("Add", bob, stage)
    try press("Redo", bob, stage)
    #expect(try read(stage, "redone .. ' ' .. state()") == "false r2")
    try press("Redo", ann, stage)
    #expect(try rows(stage) == ["r1", "r2"])
  }

  @Test func `a manager of everyone takes back the latest of all`() throws {
    let stage = try stage(", of = \"everyone\"")
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    for page in [ann, bob] { try press("Add", page, stage) }
    #expect(try read(stage, "history.undoTitle") == "Add")
    try press("Undo", ann, stage)
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. state()") == "true")
  }

  @Test func `what nobody did anybody takes back, and the program what is the latest`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    _ = try stage.runtime.evaluate(
      "undo.group('Prepare', function() desk.name = 'x' end)", as: Value.self)
    try press("Undo", bob, stage)
    #expect(try read(stage, "undone .. desk.name") == "true")
    for page in [ann, bob] { try press("Add", page, stage) }
    #expect(try read(stage, "history:undo()") == "true")
    #expect(try read(stage, "state()") == "r1")
  }

  @Test func `where steps are those of several, what comes next has no name`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    try press("Add", ann, stage)
    #expect(try read(stage, "history.undoTitle") == "Add")
    try press("Add", bob, stage)
    #expect(try read(stage, "history.undoTitle") == "nil")
    #expect(try read(stage, "history.canUndo") == "true")
  }

  @Test func `who loads the page again goes on with their steps, and no other one does`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    try press("Add", ann, stage)
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    bob.act("press", try bob.mirror.node("button", "Undo"))
    try bob.line?.deliver()
    try stage.turn()
    #expect(try read(stage, "undone .. ' ' .. state()") == "false r1")
    let again = try stage.open()
    try again.receive()
    again.act("press", try again.mirror.node("button", "Undo"))
    try again.line?.deliver()
    try stage.turn()
    #expect(try read(stage, "undone .. state()") == "true")
  }

  @Test func `nobody goes on with the steps of another person who has left`() throws {
    let stage = try LawStage(Self.app())
    defer { stage.close() }
    let ann = try stage.open(as: "ann")
    try stage.settle()
    try press("Add", ann, stage)
    try stage.lose(ann, deliveredBefore: 0, isNoticed: true)
    for (name, said) in [("eve", "false r1"), ("ann", "true ")] {
      let page = try stage.open(as: name)
      try page.receive()
      page.act("press", try page.mirror.node("button", "Undo"))
      try page.line?.deliver()
      try stage.turn()
      #expect(try read(stage, "undone .. ' ' .. state()") == said)
    }
  }

  @Test
  func `two who type into one field take back their own letters as far as nobody has gone on`()
    throws
  {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    let field = try ann.mirror.node("field")
    ann.type("a", in: field)
    try stage.settle()
    bob.type("ab", in: field)
    try stage.settle()
    try press("Undo", ann, stage)
    // What she has written is not there any more as she left it.
    #expect(try read(stage, "desk.name") == "ab")
    try press("Undo", bob, stage)
    #expect(try read(stage, "desk.name") == "a")
  }

  @Test func `only everyone is a word for whose steps they are`() throws {
    let stage = try stage(people: 0)
    defer { stage.close() }
    for option in ["'ann'", "true", "{}"] {
      let said = try read(
        stage, "select(2, pcall(function() undo.manager { desk, of = \(option) } end))")
      #expect(said.contains("\"of\"") && said.contains("everyone"), "\(said)")
    }
  }
}
