import Foundation
import Testing
import TideViews
import Tidelock

@testable import Monitor

/// The pictures that lie beside the examples: `scripts/pictures` has these tests draw them.
@Suite struct PicturesTests {
  /// What is done before a picture is taken, so that there is something to see.
  private static let keys = [
    "board": "Right", "converter": "Tab", "desk": "Down Down",
    "feed": "Down Down Down", "fruit": "Tab s", "people": "Down Down", "ledger": "Down",
    "logs": "/ m o o n Enter", "services": "Down", "todo": "Down",
  ]

  /// Others at the board; somebody at the desk, and a device that is lent.
  private static let scripts = [
    "board": """
    for index, name in ipairs { "Tern", "Otter" } do
      models.people.all:append(object { id = name, name = name, isEditing = index == 1,
        card = models.board.cards[index * 3 - 1].id, beats = 0 })
    end
    """,
    "desk": """
    models.me.chosen = "ann"
    local device = models.desk.devices[3]
    device.holder, device.since, device.due = "bo", "2026-03-02", "2026-03-16"
    """,
  ]

  @Test(arguments: Examples.scripts)
  func `the stored picture is what the example looks like`(name: String) throws {
    let isSmall = name == "fruit"
    let size = isSmall ? Size(width: 40, height: 6) : Size(width: 80, height: 24)
    let app = try Examples.shown(name, size: size)
    if let script = Self.scripts[name] { _ = try app.lua(script) }
    try app.press(Self.keys[name] ?? "")
    try expectStored(try app.svg(), name)
  }

  @Test func `the stored picture is what the monitor looks like`() throws {
    let dashboard = try Dashboard(app: Recordings.app, source: .recorded(in: Recordings.path))
    try dashboard.runtime.load()
    dashboard.stepToEnd()
    let size = Size(width: 100, height: 30)
    try expectStored(dashboard.picture(size: size, keys: "Down Down"), "monitor")
  }

  private func expectStored(
    _ svg: String, _ name: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    let file = Examples.folder.appending(path: "\(name)/\(name).svg")
    if ProcessInfo.processInfo.environment["TIDELOCK_UPDATE_PICTURES"] == "1" {
      return try Data(svg.utf8).write(to: file)
    }
    let stored = try? Data(contentsOf: file)
    if stored == Data(svg.utf8) { return }
    Issue.record(
      "examples/\(name)/\(name).svg shows something else; scripts/pictures draws it anew",
      sourceLocation: sourceLocation)
  }
}
