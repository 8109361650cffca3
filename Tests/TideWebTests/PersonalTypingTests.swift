import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// What a person types in a field is their own until they leave it, whatever others do.
@Suite struct PersonalTypingTests {
  private static let app = """
    desk = model "desk" { name = property { default = "",
      validate = function(_, text) return (text:gsub("%s+$", "")) end },
      note = "", late = "", count = 1, tab = 1, hides = false, other = "" }
    show(view.column {
      view.tabs { titles = { "One", "Two" }, bindTo = { selected = "<> desk.tab" },
        view.column {
          view.field { label = "name", bindTo = { text = "<> desk.name" } },
          view.numberField { label = "count", maximum = 50, bindTo = { value = "<> desk.count" } },
          view.box { hidden = function() return desk.hides end,
            view.field { label = "late",
              bindTo = { text = { path = "<> desk.late", continuous = false } } },
            view.field { label = "note", bindTo = { text = "<> desk.note" } } } },
        view.label { text = "two" } },
      view.field { label = "other", bindTo = { text = "<> desk.other" } },
      view.button { title = "Hide", on = {
        touchUpInside = function() desk.hides = not desk.hides end } },
    })
    """

  private struct Desk {
    let stage: LawStage
    var ann: LawPage { stage.pages[0] }
    var bob: LawPage { stage.pages[1] }

    init() throws {
      stage = try LawStage(PersonalTypingTests.app)
      for _ in 0..<2 { try stage.open() }
      try stage.settle()
    }

    func field(_ label: String) throws -> Int {
      try ann.mirror.node(label == "count" ? "numberField" : "field", label)
    }

    func type(_ text: String, in label: String, of page: LawPage) throws {
      page.type(text, in: try field(label))
      try stage.settle()
    }

    func focus(_ label: String, in page: LawPage) throws {
      page.focus(try field(label))
      try stage.settle()
    }

    func chooseTab(_ index: Int, in page: LawPage) throws {
      page.act("choose", try page.mirror.node("tabs"), ",\(index)")
      try stage.settle()
    }

    func hide(in page: LawPage) throws {
      page.act("press", try page.mirror.node("button", "Hide"))
      try stage.settle()
    }

    func read(_ property: String) throws -> String {
      try stage.runtime.evaluate("tostring(desk.\(property))", as: String.self)
    }
  }

  @Test func `typing goes on in a field whose tab somebody else leaves`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("abc", in: "note", of: desk.ann)
    try desk.chooseTab(1, in: desk.bob)
    for text in ["abcd", "abcde"] { try desk.type(text, in: "note", of: desk.ann) }
    #expect(try desk.read("note") == "abcde")
    #expect(desk.ann.focus == (try desk.field("note")))
    #expect(desk.ann.notices.isEmpty)
  }

  @Test func `letters on their way arrive in a field that somebody else has hidden`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    desk.ann.type("a", in: try desk.field("note"))
    desk.bob.act("press", try desk.bob.mirror.node("button", "Hide"))
    try desk.bob.line?.deliver()
    try desk.ann.line?.deliver()
    desk.ann.type("ab", in: try desk.field("note"))
    try desk.stage.settle()
    #expect(try desk.read("note") == "ab")
    #expect(desk.ann.notices.isEmpty)
  }

  @Test func `a draft in a hidden field is written when its author leaves it`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("ab", in: "late", of: desk.ann)
    try desk.hide(in: desk.bob)
    try desk.type("abc", in: "late", of: desk.ann)
    #expect(try desk.read("late") == "")
    try desk.focus("other", in: desk.ann)
    #expect(try desk.read("late") == "abc")
    #expect(desk.ann.notices.isEmpty)
  }

  @Test func `a press commits the draft in a hidden field before its handler runs`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("ab", in: "late", of: desk.ann)
    try desk.hide(in: desk.bob)
    let button = try desk.ann.mirror.node("button", "Hide")
    desk.ann.act("press", button, focuses: false)
    desk.ann.focus(button)
    try desk.stage.settle()
    #expect(try desk.read("late .. tostring(desk.hides)") == "abfalse")
  }

  @Test func `the author of a refused entry in a hidden field is told on leaving it`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("999", in: "count", of: desk.ann)
    try desk.chooseTab(1, in: desk.bob)
    #expect(desk.ann.notices.isEmpty)
    try desk.focus("other", in: desk.ann)
    #expect(desk.ann.notices.last == "\(PageNotice.refused.rawValue) 999")
    #expect(try desk.read("count") == "1")
  }

  @Test func `who hides their own field types in it no longer`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("abc", in: "note", of: desk.ann)
    _ = try desk.stage.runtime.evaluate("desk.hides = true", as: Value.self)
    try desk.stage.settle()
    #expect(desk.ann.focus != (try desk.field("note")))
    #expect(try desk.read("note") == "abc")
  }

  @Test func `a blank stays while somebody else goes into the field`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.focus("other", in: desk.bob)
    try desk.type("ab ", in: "name", of: desk.ann)
    try desk.focus("name", in: desk.bob)
    #expect(desk.ann.text(of: try desk.field("name")) == "ab ")
    try desk.type("ab c ", in: "name", of: desk.ann)
    try desk.focus("other", in: desk.bob)
    try desk.type("ab c d", in: "name", of: desk.ann)
    #expect(try desk.read("name") == "ab c d")
  }

  @Test func `somebody else's click into a field and out again writes no draft`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.focus("other", in: desk.bob)
    try desk.type("abc", in: "late", of: desk.ann)
    try desk.focus("late", in: desk.bob)
    try desk.focus("other", in: desk.bob)
    #expect(try desk.read("late") == "")
    try desk.type("abcd", in: "late", of: desk.ann)
    desk.ann.press("Escape")
    try desk.stage.settle()
    #expect(try desk.read("late") == "")
    #expect(desk.ann.text(of: try desk.field("late")) == "")
  }

  @Test func `a draft of two people is written when the second of them leaves`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("ab", in: "late", of: desk.ann)
    try desk.type("abc", in: "late", of: desk.bob)
    try desk.focus("other", in: desk.bob)
    #expect(try desk.read("late") == "")
    try desk.focus("other", in: desk.ann)
    #expect(try desk.read("late") == "abc")
  }

  @Test func `a draft survives a reload while somebody else acts`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("abc", in: "late", of: desk.ann)
    try desk.focus("other", in: desk.bob)
    try desk.stage.reload(Self.app + "\n-- another version")
    try desk.stage.settle()
    #expect(desk.ann.text(of: try desk.field("late")) == "abc")
    #expect(try desk.read("late") == "")
    try desk.focus("other", in: desk.ann)
    #expect(try desk.read("late") == "abc")
  }

  @Test func `a draft of somebody who has gone is written`() throws {
    let desk = try Desk()
    defer { desk.stage.close() }
    try desk.type("abc", in: "late", of: desk.ann)
    try desk.focus("other", in: desk.bob)
    try desk.stage.lose(desk.ann, deliveredBefore: 0, isNoticed: true)
    desk.stage.runtime.loop.advance(by: 301)
    try desk.stage.turn()
    #expect(try desk.read("late") == "abc")
  }
}
