import Testing
import TideViews
import Tidelock

@Suite struct ConverterTests {
  private let app: RunningExample

  init() throws { app = try RunningExample("converter") }

  private func edit(_ id: String, _ text: String) throws {
    try app.view(id).focus()
    try app.press("Ctrl-U")
    try app.type(text)
  }

  @Test func `each unit changes all the others, and stays as it was typed`() throws {
    try edit("celsius", "100")
    #expect(try app.text("celsius") == "100")
    #expect(try app.text("fahrenheit") == "212.00")
    #expect(try app.text("kelvin") == "373.15")
    try edit("fahrenheit", "-40.0")
    #expect(try app.text("fahrenheit") == "-40.0")
    #expect(try app.text("celsius") == "-40.00")
    try edit("kelvin", "0")
    #expect(try app.text("celsius") == "-273.15")
    #expect(try app.text("fahrenheit") == "-459.67")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `lengths go through a factor, either way round`() throws {
    try edit("feet", "1")
    #expect(try app.lua("models.length.metres") == 0.3048)
    #expect(try app.text("metres") == "0.30")
    try edit("nautical", "2")
    #expect(try app.text("metres") == "3704.00")
    #expect(try app.text("kilometres") == "3.7040")
    #expect(try app.text("miles") == "2.3016")
    #expect(try app.text("walk") == "a walk of 44 min")
  }

  @Test func `what cannot be says so beside the field, and the model stays as it was`() throws {
    try app.press("Tab Ctrl-U")
    try app.type("-300")
    #expect(try app.view("celsius")["error"] == "Nothing is colder than absolute zero.")
    // What there was before, and not the last that was possible on the way.
    #expect(try app.text("kelvin") == "293.15")
    try edit("fahrenheit", "warm")
    #expect(try app.view("fahrenheit")["error"] == #"cannot convert "warm" (string) to number"#)
    try edit("miles", "-1")
    try edit("metres", "nan")
    try expectPicture(app.picture, "converter-refused")
    #expect(app.runtime.errorsOfEdits.count == 4)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a refused entry stays until it is mended, whatever is entered elsewhere`() throws {
    try edit("celsius", "-300")
    try edit("fahrenheit", "warm")
    try edit("kelvin", "300")
    #expect(try app.text("celsius") == "-300")
    #expect(try app.text("fahrenheit") == "warm")
    #expect(try app.view("celsius")["error"] != .null)
    try edit("celsius", "20")
    #expect(try app.view("celsius")["error"] == .null)
    #expect(try app.text("kelvin") == "293.15")
    try edit("fahrenheit", "68")
    #expect(try app.view("fahrenheit")["error"] == .null)
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a button sets the model, and so every field`() throws {
    try app.press("Tab Tab Tab Tab Tab Enter")
    #expect(try app.text("celsius") == "0.00")
    #expect(try app.text("fahrenheit") == "32.00")
    try app.press("Tab Tab Tab Enter")
    #expect(try app.text("celsius") == "5498.85")
    #expect(try app.text("feeling") == "steam, and worse")
  }

  @Test func `the slider moves in whole degrees, and stops where it ends`() throws {
    try app.view("slider").focus()
    try app.press("Right Right")
    #expect(try app.text("celsius") == "22.00")
    #expect(try app.text("fahrenheit") == "71.60")
    try edit("kelvin", "5772")
    #expect(try app.text("celsius") == "5498.85")
    try app.view("slider").focus()
    try app.press("Home")
    #expect(try app.text("celsius") == "-40.00")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `in a small terminal Tab scrolls to what is out of sight`() throws {
    let app = try RunningExample("converter", size: Size(width: 40, height: 12))
    #expect(!app.picture.contains("Marathon"))
    for _ in 1...16 { try app.press("Tab") }
    #expect(app.picture.contains("[ Marathon ]"))
  }
}
