import FoundationEssentials
import TideBindings
import TideCheck
import TideStore
import TideTest
import TideScript
import Testing

/// Scripts that are known to run have no problems.
@Suite struct `A check raises no false alarms` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `nothing is reported in the examples`() throws {
    // The folders of the sample hosts list the globals that these add.
    let check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL())
    let files = try check.run([Self.root.appending(path: "examples").path])
    #expect(files.count >= 7)
    for file in files { #expect(file.problems.isEmpty, "\(file.path): \(Self.told(file))") }
  }

  @Test func `nothing is reported in an example that is checked alone`() throws {
    let check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL())
    let folder = Self.root.appending(path: "examples").path
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix("app.lua") }
    #expect(paths.count >= 14)
    for path in paths {
      for file in try check.run(["\(folder)/\(path)"]) {
        #expect(file.problems.isEmpty, "\(file.path): \(Self.told(file))")
      }
    }
  }

  @Test func `nothing is reported in shared models and how they are synchronized`() throws {
    let found = try ScriptCheck().check(
      """
      local room = shared("room", { title = "", rows = list {} })
      local club = shared "club" { name = "" }
      on(room, "conflict", function(event) print(event.property) end)
      return view.column {
        view.field { bindTo = { text = "<> room.title" } },
        view.label { bindTo = { text = "club.name", hidden = "club.sync.error" } },
        view.label { text = function() return room.sync.state .. room.sync.pending end },
        view.list { items = room.rows },
      }
      """, path: "app.lua")
    #expect(found.isEmpty, "\(found.map(\.error.message))")
  }

  @Test func `nothing is reported in the behaviour cases`() throws {
    let given = [
      "case", "same", "carries", "joined", "fails", "advance", "send", "keys", "press", "wanted",
      "wrong", "ran", "draw", "finish",
    ]
    let files = try ScriptCheck(hostNames: given, specs: .tidelock, sql: LiteralSQL()).run([
      Self.root.appending(path: "Tests/TideScriptTests/Cases").path
    ])
    #expect(files.count > 20)
    for file in files { #expect(file.problems.isEmpty, "\(file.path): \(Self.told(file))") }
  }

  /// Some examples use one of the API's names for something of their own, and get a warning for
  /// that.
  @Test func `nothing is reported in the examples of the articles`() throws {
    let check = try ScriptCheck(
      hostNames: ["value", "door", "handler", "shop", "person", "fetch"], specs: .tidelock,
      sql: LiteralSQL())
    let sources = Self.root.appending(path: "Sources").path
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where path.hasSuffix(".md") {
      let text = try String(contentsOf: URL(filePath: "\(sources)/\(path)"), encoding: .utf8)
      let isOfSpecs = path.hasPrefix("TideTest") || path.hasSuffix("Checking.md")
      for block in Self.blocks(of: text) {
        count += 1
        let found = check.check(block, path: isOfSpecs ? "a_spec.lua" : "app.lua")
          .filter { $0.error.code != .hiddenName && $0.error.code != .module }
        #expect(found.isEmpty, "\(path): \(found.map(\.error.message))\n\(block)")
      }
    }
    #expect(count > 40)
  }

  /// The Lua examples of an article.
  private static func blocks(of text: String) -> [String] {
    var blocks: [String] = []
    var lines: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```lua" {
        lines = []
      } else if line.hasPrefix("```"), let block = lines {
        blocks.append(block.joined(separator: "\n"))
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    return blocks
  }

  private static func told(_ file: ScriptCheck.File) -> [String] {
    file.problems.map { $0.diagnostic.text() }
  }
}
