import Foundation
import Testing
import TideViews
import VirtualTerminals

@testable import TideTerminal

/// The picture of a reload in the README, taken of the built program at work: a script is edited
/// and saved while it runs in one terminal and a prompt is attached in another.
///
/// `scripts/pictures` has this test draw it; otherwise it compares.
@Suite struct ReloadPictureTests {
  private static let before = """
    -- fruit.lua
    local fruit = model "fruit" {
      name = "apple", color = "red" }

    return view.column { padding = 1,
      view.label {
        textColor = function()
          return fruit.color
        end,
        text = function()
          return #fruit.name .. " letters"
        end },
      view.field { bindTo = {
        text = "<> fruit.name" } },
    }
    """
  private static let after = before.replacing(
    "#fruit.name .. \" letters\"", with: "\"fresh \" .. fruit.name")

  private static let picture = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../examples/reload.svg").standardized

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tidelock-\(UUID().uuidString)")

  @Test func `the stored picture shows what a reload looks like`() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let svg = try draw()
    if ProcessInfo.processInfo.environment["TIDELOCK_UPDATE_PICTURES"] == "1" {
      return try Data(svg.utf8).write(to: Self.picture)
    }
    #expect(
      (try? Data(contentsOf: Self.picture)) == Data(svg.utf8),
      "a reload looks otherwise; scripts/pictures draws it anew")
  }

  private func save(_ text: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: "fruit.lua"))
  }

  private func draw() throws -> String {
    let screenSize = Size(width: 69, height: 6)
    try save(Self.before)
    let app = try ShownProgram(["run", "fruit.lua"], in: folder, size: screenSize)
    _ = try app.screen(showing: "5 letters")
    app.type("\ts")
    let first = try app.screen(showing: "6 letters")

    let prompt = try ShownProgram(
      ["repl", "--attach", "fruit"], in: folder, size: Size(width: 69, height: 24))
    try ask(prompt, "models.fruit.name", number: 1)
    _ = try prompt.screen { Self.prompts(in: $0) == 2 }
    try save(Self.after)
    _ = try app.screen(showing: "fresh apples")
    _ = try app.screen(showing: "reloaded 1 of 1 modules")
    _ = try prompt.screen(showing: "reloaded 1 of 1 modules")
    try ask(prompt, "models.fruit.color = \"green\"", number: 2)
    try ask(prompt, ":why fruit.color", number: 3)
    let conversation = try prompt.screen { Self.prompts(in: $0) == 4 }
    let second = try app.screen { $0[1, 1].foreground == .ansi(2) }

    let picture = PanelPicture(size: Size(width: 118, height: 25))
    let right = Rect(x: 45, y: 0, width: 73, height: 8)
    picture.draw(
      Self.after, before: Self.before, in: Rect(x: 0, y: 0, width: 44, height: 25), "edit, save")
    picture.draw(rows(first), in: right, "the screen before")
    picture.draw(
      rows(second), in: Rect(x: right.x, y: 8, width: right.width, height: 8), "the screen after")
    picture.draw(
      rows(conversation).drop { $0.first?.text != ">" }.map { $0 },
      in: Rect(x: right.x, y: 16, width: right.width, height: 9), "a prompt in the running app")
    return picture.svg
  }

  /// Types a line once the prompt is ready for it.
  private func ask(_ prompt: ShownProgram, _ line: String, number: Int) throws {
    _ = try prompt.screen { Self.prompts(in: $0) == number }
    prompt.type(line + "\r")
  }

  private static func prompts(in screen: VirtualTerminal) -> Int {
    screen.lines.count { $0.hasPrefix("> ") }
  }

  private func rows(_ screen: VirtualTerminal) -> [[VirtualTerminal.VirtualCell]] {
    (0..<screen.size.height).map { y in (0..<screen.size.width).map { screen[$0, y] } }
      .map(Self.steady)
  }

  /// A reload took so long once; it takes another time whenever it is measured.
  private static let milliseconds = "2.4"

  private static func steady(_ row: [VirtualTerminal.VirtualCell]) -> [VirtualTerminal.VirtualCell]
  {
    let text = row.map { $0.text.isEmpty ? " " : $0.text }.joined()
    guard let match = text.firstMatch(of: /modules in ([0-9.]+) ms/) else { return row }
    let start = text.distance(from: text.startIndex, to: match.output.1.startIndex)
    let end = start + match.output.1.count
    var row = row
    let filling = row[row.count - 1]
    row.replaceSubrange(
      start..<end,
      with: milliseconds.map { digit in
        var cell = row[start]
        cell.text = String(digit)
        return cell
      })
    while row.count < text.count { row.append(filling) }
    return Array(row.prefix(text.count))
  }
}
