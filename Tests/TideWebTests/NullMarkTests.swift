import Testing
import TideBindings
import TideScript
import TideViews

@testable import TideWeb

/// What stands for nil in a field is shown, and is no text that anybody edits.
@Suite struct NullMarkTests {
  private static let app = """
    Row = class "Row" { name = property { type = "string", nullable = true } }
    desk = model "desk" {
      own = property { type = "string", nullable = true }, area = property { type = "string", nullable = true },
      path = property { type = "string", nullable = true }, n = property { type = "number", nullable = true },
      rows = list { Row {} },
    }
    c = controller.list { name = "c", content = "desk.rows", selectionIndex = 1 }
    show(view.column {
      view.field { label = "own", id = "own", null = "–", bindTo = { text = "<> desk.own" } },
      view.textArea { label = "area", id = "area", null = "–", bindTo = { text = "<> desk.area" } },
      view.field { label = "path", id = "path", bindTo = { text = { path = "<> desk.path", null = "–" } } },
      view.field { label = "row", id = "row", null = "–", bindTo = { text = "<> c.selection.name" } },
      view.numberField { label = "n", id = "n", bindTo = { value = { path = "<> desk.n", null = "–" } } },
      view.label { label = "shown", null = "–", bindTo = { text = "<> desk.own" } },
    })
    """

  private static let fields = [
    ("own", "field", "desk.own"), ("area", "textArea", "desk.area"), ("path", "field", "desk.path"),
    ("row", "field", "desk.rows[1].name"), ("n", "numberField", "desk.n"),
  ]

  private func read(_ stage: LawStage, _ expression: String) throws -> String {
    try stage.runtime.evaluate("return tostring(\(expression))", as: String.self)
  }

  @Test(arguments: fields)
  func `a page shows a mark for nil, and typing replaces it`(
    label: String, className: String, property: String
  ) throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try stage.open()
    try stage.settle()
    let field = try page.mirror.node(className, label)
    #expect(try read(stage, property) == "nil")
    #expect(page.mirror.property("mark", of: field)?.text == "–")
    #expect(page.text(of: field) == "")
    page.type("7", in: field)
    try stage.settle()
    #expect(try ["7", "7.0"].contains(read(stage, property)))
    #expect(page.text(of: field) == "7")
    #expect(page.mirror.property("mark", of: field) == nil)
  }

  @Test(arguments: fields)
  func `keys replace the mark for nil`(label: String, _: String, property: String) throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let value = try stage.runtime.evaluate("return views.\(label)", as: Value.self)
    guard case .object(let object) = value, let field = object as? TextInputView else {
      throw PageMirror.Broken(description: "\(label) is no field: \(value)")
    }
    #expect(field.text == "")
    field.focus()
    _ = try stage.scene.send(.key(Key("7" as Character)))
    try stage.turn()
    #expect(try ["7", "7.0"].contains(read(stage, property)))
    #expect(field.text == "7")
    #expect(field.nullMark == nil)
  }

  @Test func `nil that comes into a field stays nil in the model`() throws {
    let stage = try LawStage(Self.app)
    defer { stage.close() }
    let page = try stage.open()
    for (label, className, property) in Self.fields where className != "numberField" {
      _ = try stage.runtime.evaluate("\(property) = 'abc'", as: Value.self)
      try stage.settle()
      let field = try page.mirror.node(className, label)
      #expect(page.text(of: field) == "abc")
      _ = try stage.runtime.evaluate("\(property) = nil", as: Value.self)
      try stage.settle()
      #expect(try read(stage, property) == "nil", "\(label)")
      #expect(page.mirror.property("mark", of: field)?.text == "–", "\(label)")
    }
  }
}
