import Testing
import TideViews
import Tidelock

/// What all examples that are scripts alone have in common.
@Suite struct LooksTests {
  @Test(
    arguments: Examples.scripts,
    [
      Size(width: 40, height: 12), Size(width: 80, height: 24), Size(width: 200, height: 60),
    ])
  func `it looks as it did`(name: String, size: Size) throws {
    let app = try Examples.shown(name, size: size)
    try expectPicture(app.picture, "\(name)-\(size.width)x\(size.height)")
    #expect(app.runtime.errors.isEmpty)
  }

  @Test(
    arguments: Examples.scripts,
    [
      Size(width: 1, height: 1), Size(width: 20, height: 5), Size(width: 300, height: 100),
    ])
  func `it fits any terminal`(name: String, size: Size) throws {
    let app = try Examples.shown(name)
    let lines = app.scene.window.snapshot(size: size).split(separator: "\n")
    #expect(lines.count <= size.height)
    #expect(lines.allSatisfy { $0.count <= size.width })
    #expect(app.runtime.errors.isEmpty)
  }

  @Test(arguments: Examples.scripts)
  func `nothing is cut off in a terminal of 80 columns`(name: String) throws {
    let lines = try Examples.shown(name).picture.split(separator: "\n")
    #expect(lines.filter { $0.contains("…") }.isEmpty)
  }
}
