import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// Text that a person has typed and not entered when their page is lost.
@Suite("The typing of a lost page") struct AbsentTypingTests {
  private static let app = """
    desk = model "desk" { name = "first", other = "", count = 1 }
    memo = model "memo" { note = "" }
    local function late(path) return { text = { path = "<> " .. path, continuous = false } } end
    show(view.column {
      view.field { label = "name", bindTo = late "desk.name" },
      view.field { label = "note", bindTo = late "memo.note" },
      view.numberField { label = "count", maximum = 50, bindTo = { value = "<> desk.count" } },
      view.field { label = "other", bindTo = { text = "<> desk.other" } },
    })
    """

  private struct Desk {
    let stage: LawStage

    init() throws { stage = try LawStage(AbsentTypingTests.app) }

    func open(_ person: String?) throws -> LawPage {
      let page = try stage.open(as: person)
      try settleThose(connected: page)
      return page
    }

    /// Lets everything arrive, and leaves lost pages alone.
    func settleThose(connected pages: LawPage...) throws {
      for _ in 0..<10 {
        for page in pages { try page.line?.deliver() }
        try stage.turn()
        for page in pages { try page.receive() }
      }
    }

    func lose(_ page: LawPage) throws {
      try stage.lose(page, deliveredBefore: 0, isNoticed: true)
    }

    func field(_ label: String, in page: LawPage) throws -> Int {
      try page.mirror.node(label == "count" ? "numberField" : "field", label)
    }

    func type(_ text: String, in label: String, of page: LawPage) throws {
      page.type(text, in: try field(label, in: page))
      try settleThose(connected: page)
    }

    func focus(_ label: String, in page: LawPage) throws {
      page.focus(try field(label, in: page))
      try settleThose(connected: page)
    }

    func read(_ property: String) throws -> String {
      try stage.runtime.evaluate("tostring(desk.\(property))", as: String.self)
    }

    /// What the records have of the two texts that wait for the end of an edit.
    var entered: String {
      get throws { try stage.runtime.evaluate("desk.name .. ' ' .. memo.note", as: String.self) }
    }
  }

  @Test(arguments: [false, true])
  func `continues in the next page of its person`(hasOthers: Bool) throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    let ann = try desk.open("ann")
    try desk.type("first and", in: "name", of: ann)
    let bob = hasOthers ? try desk.open("bob") : nil
    if let bob { try desk.focus("other", in: bob) }
    try desk.lose(ann)
    let again = try desk.open("ann")
    #expect(try desk.read("name") == "first")
    let field = try desk.field("name", in: again)
    #expect(again.focus == field)
    #expect(again.text(of: field) == "first and")
    // Another person's visit of the field enters nothing.
    if let bob {
      try desk.focus("name", in: bob)
      try desk.focus("other", in: bob)
      #expect(try desk.read("name") == "first")
    }
    try desk.type("first and more", in: "name", of: again)
    #expect(try desk.read("name") == "first")
    try desk.focus("other", in: again)
    #expect(try desk.read("name") == "first and more")
    #expect(again.notices.isEmpty)
  }

  @Test func `can be discarded in the next page of its person`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    let ann = try desk.open("ann")
    try desk.type("first and", in: "name", of: ann)
    try desk.lose(ann)
    let again = try desk.open("ann")
    again.press("Escape")
    try desk.settleThose(connected: again)
    try desk.focus("other", in: again)
    #expect(try desk.read("name") == "first")
  }

  @Test func `continues in the lost page if that returns`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    let ann = try desk.open("ann")
    try desk.type("first and", in: "name", of: ann)
    try desk.lose(ann)
    let second = try desk.open("ann")
    try desk.stage.connect(ann)
    try desk.settleThose(connected: ann, second)
    #expect(try desk.read("name") == "first")
    #expect(ann.text(of: try desk.field("name", in: ann)) == "first and")
    try desk.type("first and more", in: "name", of: ann)
    try desk.focus("other", in: ann)
    #expect(try desk.read("name") == "first and more")
  }

  @Test func `of several pages continues in as many new ones`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    let (one, two) = (try desk.open("ann"), try desk.open("ann"))
    try desk.type("one", in: "name", of: one)
    try desk.type("two", in: "note", of: two)
    try desk.lose(one)
    try desk.lose(two)
    let new = [try desk.open("ann"), try desk.open("ann")]
    #expect(try desk.entered == "first ")
    let fields = [try desk.field("note", in: new[0]), try desk.field("name", in: new[1])]
    #expect(new.map(\.focus) == fields)
    for page in new { try desk.focus("other", in: page) }
    #expect(try desk.entered == "one two")
  }

  @Test(arguments: ["bob", nil])
  func `is not that of anybody else`(other: String?) throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    let ann = try desk.open(other == nil ? nil : "ann")
    try desk.type("first and", in: "name", of: ann)
    try desk.lose(ann)
    let next = try desk.open(other)
    #expect(try desk.read("name") == "first")
    #expect(next.focus == 0)
    try desk.focus("name", in: next)
    try desk.focus("other", in: next)
    #expect(try desk.read("name") == "first")
    try desk.stage.connect(ann)
    try desk.settleThose(connected: ann, next)
    try desk.focus("other", in: ann)
    #expect(try desk.read("name") == "first and")
  }

  @Test func `is told in the next page where it was refused`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    let ann = try desk.open("ann")
    try desk.type("999", in: "count", of: ann)
    try desk.lose(ann)
    let again = try desk.open("ann")
    let field = try desk.field("count", in: again)
    #expect(again.focus == field)
    #expect(again.text(of: field) == "999")
    try desk.focus("other", in: again)
    #expect(try desk.read("count") == "1")
    #expect(again.text(of: field) == "999" || again.notices.last?.contains("999") == true)
  }
}
