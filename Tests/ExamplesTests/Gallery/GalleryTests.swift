import Testing
import TideBindings
import TideViews
import Tidelock

@Suite struct GalleryTests {
  private let app: RunningExample

  private func chosen(_ name: String) throws -> Value {
    try #require(app.runtime.models["choice"]).value(of: name)
  }

  init() throws { app = try RunningExample("gallery") }

  @Test(
    arguments: ["text", "controls", "rows", "pictures", "layout", "form"].enumerated().map { $0 })
  func `each tab looks as it did`(number: Int, name: String) throws {
    try app.press("Alt-\(number + 1)")
    try expectPicture(app.picture, "gallery-\(name)")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `it has a view of every class`() throws {
    var shown: Set<String> = []
    for number in 1...6 {
      try app.press("Alt-\(number)")
      var waiting = [app.scene.window]
      while let view = waiting.popLast() {
        shown.insert(view.viewClass.name)
        waiting += view.subviews
      }
    }
    let classes = Set(ViewClasses().names).subtracting(["view"])
    #expect(classes.subtracting(shown).isEmpty)
  }

  @Test func `what shares a model moves together`() throws {
    try app.press("Alt-2 Tab Tab Enter")
    #expect(try chosen("presses") == 1)
    try app.press("Tab Space")
    #expect(try chosen("loud") == false)
    try app.press("Tab Tab Right Right")
    #expect(try chosen("level") == 6)
    try app.press("Tab -")
    #expect(try chosen("level") == 5)
    try app.press("Tab Right Tab Down")
    #expect(try chosen("color") == "blue")
    #expect(try chosen("size") == "large")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test func `the menu opens, and the dialog closes`() throws {
    try app.press("F10 Right Down Right")
    try expectPicture(app.picture, "gallery-menu")
    try app.press("Enter")
    #expect(app.picture.contains("High water."))
    try app.press("F1")
    try expectPicture(app.picture, "gallery-about")
    try app.press("Escape")
    #expect(!app.picture.contains("About"))
    #expect(app.runtime.errors.isEmpty)
  }

  @Test(arguments: [(1, 1), (20, 5), (40, 12), (300, 100)])
  func `every tab fits any terminal`(width: Int, height: Int) throws {
    let size = Size(width: width, height: height)
    for number in 1...5 {
      try app.press("Alt-\(number)")
      let lines = app.scene.window.snapshot(size: size).split(separator: "\n")
      #expect(lines.count <= height)
      #expect(lines.allSatisfy { $0.count <= width })
    }
    #expect(app.runtime.errors.isEmpty)
  }
}
