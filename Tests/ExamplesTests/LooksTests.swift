import Foundation
import Testing
import Tidelock
import TideViews

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

/// Compares a picture of an example with the one that is kept in the folder Golden.
///
/// After a wanted change, `TIDELOCK_UPDATE_GOLDEN=1 swift test` writes them anew.
func expectPicture(
  _ text: String, _ name: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws {
  let file = Examples.golden.appending(path: "\(name).txt")
  if ProcessInfo.processInfo.environment["TIDELOCK_UPDATE_GOLDEN"] == "1" {
    try Data((text + "\n").utf8).write(to: file)
    return
  }
  let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
  guard text + "\n" != expected else { return }
  Issue.record(
    """
    \(name) does not look as in \(file.lastPathComponent).
    \(difference(text, expected))
    """, sourceLocation: sourceLocation)
}

/// The lines that differ, as they are and as they should be.
private func difference(_ text: String, _ expected: String) -> String {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let wanted = expected.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
  return (0..<max(lines.count, wanted.count)).compactMap { index -> String? in
    let line = index < lines.count ? lines[index] : "(no line)"
    let other = index < wanted.count ? wanted[index] : "(no line)"
    return line == other ? nil : "\(index + 1) is:     \(line)\n\(index + 1) expected: \(other)"
  }.joined(separator: "\n")
}
