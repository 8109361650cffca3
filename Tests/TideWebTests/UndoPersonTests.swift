import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Each takes back what they did themselves.
@Suite struct UndoPersonTests {
  private static func app(_ option: String = "") -> String {
    """
    desk = model "desk" { name = "", note = "", inner = "", color = "", rows = list {} }
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
      view.field { id = "note", label = "note",
        bindTo = { text = { path = "<> desk.note", continuous = false } } },
      view.column { id = "box", view.field { id = "inner", label = "inner",
        bindTo = { text = { path = "<> desk.inner", continuous = false } } } },
      view.button { title = "Red", on = { touchUpInside = function() desk.color = "red" end } },
      view.button { title = "Redder", on = { touchUpInside = function() desk.color = "redder" end } },
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

  private func type(_ text: String, _ field: String, _ page: LawPage, _ stage: LawStage) throws {
    page.type(text, in: try page.mirror.node("field", field))
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
    try type("a", "name", ann, stage)
    try type("ab", "name", bob, stage)
    try press("Undo", ann, stage)
    #expect(try read(stage, "desk.name") == "b")
    try press("Undo", bob, stage)
    #expect(try read(stage, "desk.name") == "")
  }

  @Test func `what one types before and after another one are two steps of their own letters`()
    throws
  {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    try type("abc", "name", ann, stage)
    try type("abcxyz", "name", bob, stage)
    try type("abcxyzdef", "name", ann, stage)
    try press("Undo", ann, stage)
    #expect(try read(stage, "desk.name") == "abcxyz")
    try press("Undo", ann, stage)
    #expect(try read(stage, "desk.name") == "xyz")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.name") == "false xyz")
    try press("Redo", ann, stage)
    #expect(try read(stage, "desk.name") == "abcxyz")
    try press("Undo", bob, stage)
    #expect(try read(stage, "desk.name") == "abc")
  }

  @Test func `two who type into two fields at a time have one step each`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    for (count, letters) in ["a", "ab", "abc"].enumerated() {
      try type(letters, "name", ann, stage)
      try type(String("xyz".prefix(count + 1)), "note", bob, stage)
    }
    bob.focus(0)
    try stage.settle()
    try press("Undo", ann, stage)
    #expect(try read(stage, "desk.name .. desk.note") == "xyz")
    try press("Undo", bob, stage)
    #expect(try read(stage, "undone .. desk.note") == "true")
  }

  // MARK: Texts that are written when their editing ends

  @Test(arguments: ["field", "press", "nothing"])
  func `a text that is written when a page leaves its field is a step`(_ next: String) throws {
    let stage = try stage(people: 1)
    defer { stage.close() }
    let ann = stage.pages[0]
    try press("Add", ann, stage)
    try type("x", "note", ann, stage)
    #expect(try read(stage, "desk.note") == "")
    switch next {
    case "field": ann.focus(try ann.mirror.node("field", "name"))
    case "press": ann.act("press", try ann.mirror.node("button", "Red"), focuses: false)
    default: ann.focus(0)
    }
    try stage.settle()
    #expect(try read(stage, "desk.note") == "x")
    if next == "press" {
      #expect(try read(stage, "history.undoTitle") == "Red")
      try press("Undo", ann, stage)
      #expect(try read(stage, "desk.note .. desk.color") == "x")
    }
    #expect(try read(stage, "history.undoTitle") == "note")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.note .. state()") == "true r1")
  }

  @Test(arguments: [false, true])
  func `a text that is written when another one types is a step of who typed it`(_ isAway: Bool)
    throws
  {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    try type("x", "note", ann, stage)
    if isAway { try stage.lose(ann, deliveredBefore: 0, isNoticed: true) }
    bob.type("n", in: try bob.mirror.node("field", "name"))
    try bob.line?.deliver()
    try stage.turn()
    #expect(try read(stage, "desk.note .. ' ' .. desk.name") == "x n")
    try stage.settle()
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.note .. desk.name") == "true n")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.name") == "false n")
  }

  @Test func `a text that is written because its field is hidden is a step of who typed it`()
    throws
  {
    let stage = try stage()
    defer { stage.close() }
    let ann = stage.pages[0]
    try type("x", "inner", ann, stage)
    _ = try stage.runtime.evaluate("views.box.hidden = true", as: Value.self)
    try stage.settle()
    #expect(try read(stage, "desk.inner .. ' ' .. history.undoTitle") == "x inner")
    try press("Undo", stage.pages[1], stage)
    #expect(try read(stage, "undone .. ' ' .. desk.inner") == "false x")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.inner") == "true ")
  }

  // MARK: Steps of which nothing is left

  @Test func `a step whose value another one has written since is passed over`() throws {
    let stage = try stage()
    defer { stage.close() }
    let (ann, bob) = (stage.pages[0], stage.pages[1])
    try press("Add", ann, stage)
    try press("Red", ann, stage)
    #expect(try read(stage, "history.undoTitle") == "Red")
    try press("Redder", bob, stage)
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.color .. state()") == "true redder")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.color") == "false redder")
    // Bob's step gone, hers counts again.
    try press("Undo", bob, stage)
    #expect(try read(stage, "desk.color .. ' ' .. history.undoTitle") == "red Red")
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. desk.color") == "true")
    #expect(try read(stage, "history.canUndo") == "false")
  }

  @Test func `a row that another one has removed leaves nothing to take back`() throws {
    let stage = try stage()
    defer { stage.close() }
    let ann = stage.pages[0]
    try press("Add", ann, stage)
    _ = try stage.runtime.evaluate("desk.rows:clear()", as: Value.self)
    try press("Undo", ann, stage)
    #expect(try read(stage, "undone .. ' ' .. tostring(history.canUndo)") == "false false")
  }

  // MARK: Several pages of one person

  @Test func `pages of one owner take back each other's steps`() throws {
    let stage = try LawStage(Self.app())
    defer { stage.close() }
    let (one, other, bob) = (
      try stage.open(as: "ann"), try stage.open(as: "ann"), try stage.open(as: "bob")
    )
    try stage.settle()
    try press("Add", one, stage)
    try press("Red", other, stage)
    #expect(try read(stage, "history.undoTitle") == "Red")
    try press("Undo", bob, stage)
    #expect(try read(stage, "undone") == "false")
    try press("Undo", one, stage)
    #expect(try read(stage, "undone .. ' ' .. desk.color .. state()") == "true r1")
    try press("Undo", other, stage)
    #expect(try read(stage, "undone .. ' ' .. state()") == "true ")
    try press("Redo", one, stage)
    #expect(try read(stage, "redone .. ' ' .. state()") == "true r1")
  }

  @Test func `all pages of a private session are one person's`() throws {
    let stage = try LawStage(Self.app())
    defer { stage.close() }
    stage.renderer.isOfOnePerson = true
    let (one, other) = (try stage.open(), try stage.open())
    try stage.settle()
    try press("Add", one, stage)
    try press("Undo", other, stage)
    #expect(try read(stage, "undone .. ' ' .. state()") == "true ")
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
