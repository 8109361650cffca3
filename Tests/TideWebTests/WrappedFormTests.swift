import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// A form that a reload wraps, moves or makes anew while people are in it.
@Suite struct WrappedFormTests {
  private static func app(_ before: String, _ after: String, name: String = "") -> String {
    """
    desk = model "desk" { a = "", b = "", log = "" }
    show(view.window { \(before) view.column {
      view.field { label = "a", \(name) bindTo = { text = "<> desk.a" } },
      view.field { label = "b", bindTo = { text = "<> desk.b" } },
      view.button { label = "add", key = "add", on = { touchUpInside = function() desk.log = desk.log .. "+" end } },
    } \(after) })
    """
  }

  private static let plain = app("", "")

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  @Test(arguments: [
    app("view.box { title = 'x',", "}"), app("view.scroll {", "}"),
    app("view.column { view.label { text = 'x' },", "}"), app("view.form {", "}"),
    app("view.box { title = 'x',", "}", name: "id = 'named',"),
  ])
  func `each viewer keeps the control, the letters and the focus where a reload wraps a form`(
    wrapped: String
  ) throws {
    let stage = try LawStage(Self.plain)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let (a, b) = (try ann.mirror.node("field", "a"), try ann.mirror.node("field", "b"))
    ann.type("one", in: a)
    try stage.settle()
    bob.type("two", in: b)
    try stage.settle()
    // Not sent yet as the app is saved, and typed before the page knows of it.
    ann.type("onex", in: a)
    bob.type("twox", in: b)
    try stage.reload(wrapped)
    ann.type("onexy", in: a)
    bob.type("twoxy", in: b)
    try stage.settle()
    #expect(try ann.mirror.node("field", "a") == a && bob.mirror.node("field", "b") == b)
    #expect(ann.focus == a && bob.focus == b)
    ann.type("onexyz", in: a)
    bob.type("twoxyz", in: b)
    try stage.settle()
    #expect(try read(stage, "desk.a .. ' ' .. desk.b") == "onexyz twoxyz")
    #expect(ann.text(of: a) == "onexyz" && bob.text(of: b) == "twoxyz")
    #expect(ann.notices.allSatisfy { $0.hasPrefix("reloaded") }, "\(ann.notices)")
    // What a page has that comes now is what these have been told.
    let fresh = try stage.freshPage()
    #expect(fresh.root?.content == ann.mirror.root?.content)
  }

  @Test func `a button is found by its key where a reload wraps it`() throws {
    let stage = try LawStage(Self.plain)
    defer { stage.close() }
    let (ann, bob) = (try stage.open(), try stage.open())
    try stage.settle()
    let button = try ann.mirror.node("button", "add")
    ann.focus(button)
    try stage.settle()
    bob.type("two", in: try bob.mirror.node("field", "b"))
    try stage.settle()
    try stage.reload(Self.app("view.box { title = 'x',", "}"))
    try stage.settle()
    #expect(ann.focus == button)
    ann.act("press", button)
    try stage.settle()
    #expect(try read(stage, "desk.log") == "+")
  }

  @Test func `a form may be wrapped and unwrapped again and again`() throws {
    let stage = try LawStage(Self.plain)
    defer { stage.close() }
    let ann = try stage.open()
    try stage.settle()
    let a = try ann.mirror.node("field", "a")
    ann.focus(a)
    try stage.settle()
    var text = ""
    for count in 0..<6 {
      text += "\(count)"
      ann.type(text, in: a)
      try stage.reload(
        count.isMultiple(of: 2) ? Self.app("view.box { title = 'x',", "}") : Self.plain)
      try stage.settle()
    }
    #expect(ann.focus == a)
    #expect(try read(stage, "desk.a") == "012345")
  }
}
