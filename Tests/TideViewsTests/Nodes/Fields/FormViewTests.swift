import Testing
import TideBindings
import TideGraph
import TideViews

@Suite struct FormViewTests {
  private let form = FormView(viewClass: .form)
  private let name = FieldView()
  private let copies = NumberFieldView(viewClass: .numberField)
  private let shown: ShownView

  init() throws {
    try name.set("label", "Name")
    try copies.set("label", "Copies")
    try copies.set("maximum", 9)
    try form.add(name)
    try form.add(copies)
    shown = try ShownView(try ViewClass.column.make([form]), 40, 6)
  }

  private func error(_ view: View) -> String? { view[ViewKey<String?>("error")] }

  @Test func `labels stand beside their fields, in one column`() throws {
    name.text = "Ann"
    copies.value = 3
    let lines = try shown.lines
    #expect(lines[0].hasPrefix("Name    Ann"))
    #expect(lines[1].hasPrefix("Copies  3"))
  }

  @Test func `Enter submits what is right, once`() throws {
    var count = 0
    try form.on(.submit) { [form] _, _ in
      count += 1
      // Already under way.
      #expect(!form.submit())
    }
    name.focus()
    try shown.press("Enter")
    #expect(count == 1)
  }

  @Test func `the first field with something wrong gets the focus`() throws {
    var count = 0
    try form.on(.submit) { _, _ in count += 1 }
    copies.focus()
    shown.type("12")
    name.focus()
    try shown.press("Enter")
    #expect(count == 0)
    #expect(shown.scene.focused === copies)
    #expect(error(copies) == "Enter 9 or less")
    #expect(form[ViewKey<Bool>("valid")] == false)
    // Hidden fields do not count.
    try copies.set("hidden", true)
    #expect(form[ViewKey<Bool>("valid")])
    #expect(form.submit())
    #expect(count == 1)
  }

  @Test func `what a script says is wrong keeps a form from being submitted`() throws {
    try name.set("error", "That name is taken")
    #expect(!form.submit())
    #expect(shown.scene.focused === name)
    try name.set("error", .null)
    #expect(form.submit())
  }

  @Test func `reset gives up what was typed and is no value`() throws {
    copies.value = 3
    copies.focus()
    try shown.press("Ctrl-A 1 2")
    #expect(error(copies) != nil)
    form.reset()
    #expect(error(copies) == nil)
    #expect(try shown.lines[1].hasPrefix("Copies  3"))
  }

  @Test func `a form of thousands of fields is submitted at once`() throws {
    let many = FormView(viewClass: .form)
    for _ in 0..<2000 {
      let field = NumberFieldView(viewClass: .numberField)
      try field.set("allowsEmpty", false)
      try many.add(field)
    }
    try shown.scene.show(many)
    #expect(!many.submit())
    #expect(many[ViewKey<Bool>("valid")] == false)
    #expect(many.subviews.allSatisfy { error($0) == "Enter a number" })
  }
}
