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

  @Test(arguments: [nil, "%y-%d-%m", "%d.%m.%Y"])
  func `a renderer's own calendar sets a day whatever the pattern`(pattern: String?) throws {
    let (picker, shown) = try focused([
      "value": .number(Self.noon), "maximum": .number(Self.noon + 30 * Self.day),
    ])
    if let pattern { try picker.set("pattern", .string(pattern)) }
    try shown.commit()
    #expect(picker.describe().dates == ["2026-03-14", "", "2026-04-13"])
    #expect(shown.scene.perform(.setDate("2026-04-05"), on: picker))
    #expect(value(picker) == Self.noon + 22 * Self.day)
    for wrong in ["2026-04-14", "05.04.2026", "2026-02-30"] {
      #expect(!shown.scene.perform(.setDate(wrong), on: picker))
    }
    #expect(value(picker) == Self.noon + 22 * Self.day)
    #expect(shown.scene.perform(.setDate(""), on: picker))
    #expect(value(picker) == nil)
    #expect(picker.describe().dates?.first == "")
  }

  @Test func `a renderer's own calendar sets a time to the minute`() throws {
    let (picker, shown) = try focused(["value": .number(Self.noon), "showsTime": true])
    #expect(picker.describe().dates?.first == "2026-03-14T12:00")
    #expect(shown.scene.perform(.setDate("2026-03-14T08:30"), on: picker))
    #expect(value(picker) == Self.noon - 3.5 * 3600)
    #expect(!shown.scene.perform(.setDate("2026-03-14"), on: picker))
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
    // What is none leaves what was there before the editing.
    #expect(value(picker) == nil)
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
