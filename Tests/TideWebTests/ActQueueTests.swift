import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// How long the acts of one viewer keep those of another waiting.
///
/// Each act takes 0.1 s here, and each frame: a third one is beyond its viewer's share.
@Suite struct ActQueueTests {
  private static let app = """
    done, notes, prints = {}, model "notes" { text = "" }, 0
    stock = list {}
    for number = 1, 20 do stock:append(object { name = "fruit " .. number }) end
    transformer("counted", function(name)
      if name == "fruit 20" then prints = prints + 1 end
      return name
    end)
    local function button(name)
      return view.button { title = name, on = { touchUpInside = function()
        done[#done + 1] = name
      end } }
    end
    show(view.column {
      button "a", button "b",
      view.field { label = "text", bindTo = { text = "<> notes.text" } },
      view.table { items = stock, height = 3, columns = {
        { title = "Name", path = "name | counted" },
      } },
    })
    """

  private func makeStage() throws -> LawStage {
    let stage = try LawStage(Self.app)
    stage.renderer.follow(stage.runtime)
    var now = 0.0
    stage.renderer.acts.clock = { now }
    stage.renderer.onChange = { now += 0.1 }
    return stage
  }

  private func done(_ stage: LawStage) throws -> String {
    try stage.runtime.evaluate("table.concat(done)", as: String.self)
  }

  private func deliver(_ page: LawPage) throws { try page.line?.deliver() }

  @Test func `who sends 200 prints and leaves keeps nobody waiting`() throws {
    let stage = try makeStage()
    defer { stage.close() }
    let (eve, ann) = (try stage.open(), try stage.open())
    try stage.settle()
    let before = try stage.runtime.evaluate("prints", as: Int.self)
    let line = try #require(eve.line)
    for number in 1...200 { line.send("[\(number),\"key\",0,\"Ctrl-P\"]") }
    try line.deliver()
    line.close()
    eve.disconnect()
    ann.act("press", try ann.mirror.node("button", "a"))
    try deliver(ann)
    try stage.turn()
    #expect(try done(stage) == "a")
    for _ in 0..<20 { try stage.turn() }
    #expect(try stage.runtime.evaluate("prints", as: Int.self) - before <= 8)
  }

  @Test func `the presses of others come between those of who has used up a share`() throws {
    let stage = try makeStage()
    defer { stage.close() }
    let (eve, ann) = (try stage.open(), try stage.open())
    try stage.settle()
    for _ in 0..<50 { eve.act("press", try eve.mirror.node("button", "b")) }
    ann.act("press", try ann.mirror.node("button", "a"))
    try deliver(eve)
    try deliver(ann)
    try stage.turn()
    let first = try done(stage)
    #expect(first.hasSuffix("a") || first.contains("ab"), "\(first)")
    #expect(first.prefix { $0 == "b" }.count <= 8, "\(first)")
    // None is lost, and those of one viewer stay in their order.
    for _ in 0..<100 { try stage.turn() }
    #expect(try done(stage).count { $0 == "b" } == 50)
    try stage.settle()
  }

  @Test func `two who have used up their shares take turns`() throws {
    let stage = try makeStage()
    defer { stage.close() }
    let (eve, ann) = (try stage.open(), try stage.open())
    try stage.settle()
    for (page, name) in [(eve, "b"), (ann, "a")] {
      for _ in 0..<20 { page.act("press", try page.mirror.node("button", name)) }
      try deliver(page)
    }
    for _ in 0..<100 { try stage.turn() }
    let all = try done(stage)
    #expect(all.count == 40)
    let last = all.dropFirst(20)
    #expect(last.contains("ab") && last.contains("ba"), "\(all)")
    try stage.settle()
  }

  @Test func `text that was typed lands, although its author has left, and is told of the rest`()
    throws
  {
    let stage = try makeStage()
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let field = try page.mirror.node("field")
    let button = try page.mirror.node("button", "b")
    for _ in 0..<30 { page.act("press", button, focuses: false) }
    page.type("pear", in: field)
    page.act("press", button, focuses: false)
    try stage.lose(page, deliveredBefore: .max, isNoticed: true)
    for _ in 0..<50 { try stage.turn() }
    #expect(try stage.runtime.evaluate("notes.text", as: String.self) == "pear")
    #expect(try done(stage).count < 10)
    try stage.connect(page)
    try stage.settle()
    #expect(page.notices.contains(PageNotice.left.rawValue))
    #expect(try stage.runtime.evaluate("notes.text", as: String.self) == "pear")
  }

  @Test func `what was dropped comes again with its page, if nothing of it was done`() throws {
    let stage = try makeStage()
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    for _ in 0..<30 { page.act("press", try page.mirror.node("button", "b"), focuses: false) }
    try stage.lose(page, deliveredBefore: .max, isNoticed: true)
    for _ in 0..<50 { try stage.turn() }
    #expect(try done(stage).count < 10)
    try stage.connect(page)
    for _ in 0..<20 {
      try stage.settle()
      for _ in 0..<20 { try stage.turn() }
    }
    #expect(try done(stage).count == 30)
  }
}
