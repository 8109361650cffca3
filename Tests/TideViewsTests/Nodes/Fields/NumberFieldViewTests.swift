import Testing
import TideBindings
import TideViews

@Suite struct NumberFieldViewTests {
  private func focused(_ values: [String: Value] = [:]) throws -> (NumberFieldView, ShownView) {
    let field = NumberFieldView(viewClass: .numberField)
    for (name, value) in values { try field.set(name, value) }
    let shown = try ShownView(try ViewClass.column.make([field]), 30, 3)
    field.focus()
    return (field, shown)
  }

  @Test func `each text that is a number becomes the value`() throws {
    let (field, shown) = try focused()
    var heard: [Value] = []
    try field.on(.valueChanged) { _, event in heard.append(event.value) }
    shown.type("-1.5")
    #expect(field.value == -1.5)
    // A minus sign alone is none, and not wrong yet.
    #expect(heard == [-1, -1.5])
    #expect(field[ViewKey<String?>("error")] == nil)
  }

  @Test func `keys go by steps between the bounds, and from what is typed`() throws {
    let (field, shown) = try focused(["minimum": 0, "maximum": 20, "step": 0.5])
    try shown.press("Up")
    #expect(field.value == 0.5)
    try shown.press("PageUp Down")
    #expect(field.value == 5)
    try shown.press("End Backspace 1 9 Up PageUp")
    #expect(field.value == 20)
    try shown.press("PageDown PageDown PageDown PageDown PageDown Down")
    #expect(field.value == 0)
  }

  @Test func `a number beyond the bounds is told, and the value is as before the editing`() throws {
    let (field, shown) = try focused(["minimum": 1, "maximum": 9, "value": 5])
    try shown.press("Ctrl-A 1")
    #expect(field.value == 1)
    try shown.press("0")
    #expect(field.value == 5)
    #expect(field[ViewKey<String?>("error")] == "Enter 9 or less")
    try field.set("maximum", 10)
    #expect(field.value == 10)
    #expect(field[ViewKey<String?>("error")] == nil)
  }

  @Test func `a maximum below the minimum counts as the minimum`() throws {
    let (field, shown) = try focused(["minimum": 5, "maximum": 3])
    shown.type("5")
    #expect(field.value == 5)
    #expect(field[ViewKey<String?>("error")] == nil)
    try shown.press("Up Down Down")
    #expect(field.value == 5)
  }

  @Test(arguments: [(-5, "2"), (0, "2"), (2, "2.25"), (1000, "2.25")])
  func `decimals are written as asked for, from none to 30`(decimals: Int, text: String) throws {
    let (field, shown) = try focused(["value": 2.25, "decimals": .integer(decimals)])
    try shown.commit()
    #expect(field.peekText.hasPrefix(text), "\(field.peekText)")
    #expect(field.value == 2.25)
  }

  @Test(arguments: [0.0, -1, .nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude])
  func `odd numbers are harmless`(number: Double) throws {
    for name in ["value", "minimum", "maximum", "step"] {
      let (field, shown) = try focused([name: .number(number)])
      try shown.press("Up PageUp Down PageDown 7 Tab")
      #expect(try shown.text.isEmpty == false)
      #expect(field.value?.isNaN != true || number.isNaN)
    }
  }
}

extension View {
  /// The text that is in a field.
  fileprivate var peekText: String { self[ViewKey<String>("text")] }
}
