import Testing
import TideBindings
import TideScript

@testable import TideWeb

/// A text that the model changes on its way, such as by taking blanks away, stays as it is typed.
@Suite struct ChangedTextTests {
  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("tostring(\(expression))", as: String.self)
  }

  @Test func `a blank can be typed for a record that somebody else has left`() throws {
    let stage = try LawStage(
      """
      local function row(name)
        return object { name = property { default = name,
          validate = function(_, text) return (text:gsub("%s+$", "")) end } }
      end
      one, two = row "one", row "two"
      current = model "current" { item = property { nullable = true } }
      current.item = one
      show(view.field { bindTo = { text = "<> current.item.name" } })
      """)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let field = try page.mirror.node("field")
    page.type("oneX", in: field)
    try stage.settle()
    _ = try stage.runtime.evaluate("current.item = two", as: Value.self)
    try stage.turn()
    for text in ["oneX ", "oneX Y", "oneX Y ", "oneX Y Z"] {
      page.type(text, in: field)
      try stage.settle()
    }
    #expect(try read(stage, "one.name .. '|' .. two.name") == "oneX Y Z|two")
    #expect(page.notices.isEmpty)
  }

  @Test func `a blank can be typed in a page where the model takes blanks away`() throws {
    let app = """
      desk = model "desk" { name = property { default = "one",
        validate = function(_, text) return (text:gsub("%s+$", "")) end } }
      show(view.column { view.field { label = "name", bindTo = { text = "<> desk.name" } },
        view.button { title = "next" } })
      """
    let stage = try LawStage(app)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let (field, button) = (try page.mirror.node("field"), try page.mirror.node("button"))
    page.type("one ", in: field)
    try stage.settle()
    #expect(page.text(of: field) == "one ")
    #expect(try read(stage, "desk.name") == "one")
    try stage.reload(app + "\n-- another version")
    try stage.settle()
    page.type("one two ", in: field)
    try stage.settle()
    #expect(try read(stage, "desk.name") == "one two")
    page.focus(button)
    try stage.settle()
    #expect(page.text(of: field) == "one two")
  }
}
