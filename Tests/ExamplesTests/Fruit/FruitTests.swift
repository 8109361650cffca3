import Foundation
import Testing
import Tidelock

@Suite struct FruitTests {
  private let app: RunningExample

  init() throws { app = try RunningExample("fruit") }

  private var lines: [Substring] { app.picture.split(separator: "\n") }

  @Test func `it is the program that the README shows`() throws {
    let file = Examples.folder.appending(path: "fruit/app.lua")
    let program = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    let readme = String(decoding: try Data(contentsOf: Examples.readme), as: UTF8.self)
    #expect(readme.contains("```lua\n" + program + "```\n"))
  }

  @Test func `typing into the field changes the model and the labels that show it`() throws {
    #expect(try app.lua("models.fruit.name") == "apple")
    try app.press("Tab")
    #expect(try app.view("editor")["focused"] == true)
    try app.type("s pie")
    #expect(try app.lua("models.fruit.name") == "apples pie")
    #expect(lines == [" apples pie", " 10 letters", " apples pie", " [ Ripen ]"])
    try app.press("Ctrl-U")
    #expect(try app.lua("models.fruit.name") == "")
    #expect(lines == [" 0 letters", " [ Ripen ]"])
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `a change of the model shows in the label and in the field`() throws {
    try #require(app.runtime.models["fruit"]).set("name", "fig")
    try app.press("Tab")
    #expect(lines == [" fig", " 3 letters", " fig", " [ Ripen ]"])
  }

  @Test func `the button ripens the fruit`() throws {
    let label = try #require(app.scene.window.find("editor")?.superview?.subviews.first)
    #expect(label[.textColor] == "red")
    try app.press("Tab Tab Enter")
    #expect(label[.textColor] == "yellow")
    #expect(app.runtime.errors.isEmpty)
  }
}
