import Testing
import TideBindings
import TideViews

@Suite struct DatePickerViewTests {
  /// Noon of 14 March 2026.
  private static let noon = 1_773_489_600.0
  private static let day = 86_400.0

  private func focused(_ values: [String: Value] = [:]) throws -> (DatePickerView, ShownView) {
    let picker = DatePickerView(viewClass: .datePicker)
    try picker.set("utc", true)
    for (name, value) in values { try picker.set(name, value) }
    let shown = try ShownView(try ViewClass.column.make([picker]), 40, 12)
    picker.focus()
    return (picker, shown)
  }

  private func value(_ picker: DatePickerView) -> Double? { picker[ViewKey<Double?>("value")] }
  private func error(_ picker: DatePickerView) -> String? { picker[ViewKey<String?>("error")] }

  @Test func `a day of the calendar keeps the time of day`() throws {
    let (picker, shown) = try focused(["value": .number(Self.noon)])
    try shown.press("Down")
    #expect(picker.isOpen)
    try shown.press("Right Down Enter")
    #expect(!picker.isOpen)
    #expect(value(picker) == Self.noon + 8 * Self.day)
  }

  @Test func `Escape, Tab and a click elsewhere close the calendar without a choice`() throws {
    let (picker, shown) = try focused(["value": .number(Self.noon)])
    for key in ["Escape", "Tab"] {
      picker.open()
      try shown.press("Right \(key)")
      #expect(!picker.isOpen)
    }
    picker.focus()
    picker.open()
    try shown.commit()
    shown.click(39, 11)
    #expect(!picker.isOpen)
    #expect(value(picker) == Self.noon)
  }

  @Test func `a date can be typed, and what is none is told at the end`() throws {
    let (picker, shown) = try focused()
    shown.type("2026-03-1")
    #expect(error(picker) == nil)
    shown.type("4")
    #expect(value(picker) == Self.noon - Self.day / 2)
    try shown.press("Ctrl-A s o o n Enter")
    #expect(error(picker)?.hasPrefix("Enter a date such as ") == true)
    #expect(value(picker) == Self.noon - Self.day / 2)
  }

  @Test func `days beyond the bounds can be neither typed nor chosen`() throws {
    let (picker, shown) = try focused([
      "value": .number(Self.noon), "minimum": .number(Self.noon - Self.day),
      "maximum": .number(Self.noon + Self.day),
    ])
    try shown.press("Down Down Down Enter")
    #expect((value(picker) ?? 0) <= Self.noon + Self.day)
    try shown.press("Ctrl-A")
    shown.type("2030-01-01")
    #expect(error(picker)?.hasSuffix(" or earlier") == true)
  }

  @Test(arguments: [0.0, .nan, .infinity, -.infinity, 1e308, -1e308, -9.3e18, 9.2e18])
  func `moments that no calendar has are harmless`(moment: Double) throws {
    for name in ["value", "minimum", "maximum"] {
      for display in ["popUp", "inline"] {
        let (_, shown) = try focused([name: .number(moment), "display": .string(display)])
        try shown.press("Down Right PageDown Ctrl-PageUp Enter Tab")
        try shown.commit()
      }
    }
  }
}
