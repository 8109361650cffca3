import FoundationEssentials
import Fuzzing
import TestFolders
import Testing
import TideBindings
import TideScript
import TideTest

@testable import TideCheck

@Suite struct `An edited workspace` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func told(_ files: [ScriptCheck.File]) -> [String] {
    files.flatMap { file in
      ["\(file.path):"] + file.problems.map { "\($0.severity) \($0.error) \($0.error.message)" }
    }
  }

  @Test func `a module that is edited changes what is said of the one that requires it`() throws {
    let folder = try ScratchFolder()
    folder.write([
      "app.lua": "local dates = require \"dates\"\nprint(dates.today())\n",
      "dates.lua": "local M = {}\nfunction M.today() return 1 end\nreturn M\n",
    ])
    let workspace = EditedWorkspace(try ScriptCheck())
    let app = folder.path + "/app.lua"
    #expect(try workspace.snapshot(of: [folder.path]).problems(in: app).isEmpty)
    workspace.edit(
      folder.path + "/dates.lua", "local M = {}\nfunction M.yesterday() return 1 end\nreturn M\n")
    #expect(try workspace.snapshot(of: [folder.path]).problems(in: app).count == 1)
    workspace.edit(folder.path + "/dates.lua", nil)
    #expect(try workspace.snapshot(of: [folder.path]).problems(in: app).isEmpty)
  }

  @Test func `a file that is made or removed counts once that is noted`() throws {
    let folder = try ScratchFolder()
    folder.write(["app.lua": "require \"dates\"\n"])
    let workspace = EditedWorkspace(try ScriptCheck())
    func count() throws -> Int {
      try workspace.snapshot(of: [folder.path]).checkedFiles.flatMap(\.problems).count
    }
    #expect(try count() == 1)
    folder.write("return {}\n", to: "dates.lua")
    workspace.filesChanged()
    #expect(try count() == 0)
    folder.remove("dates.lua")
    workspace.filesChanged()
    #expect(try count() == 1)
  }

  @Test func `a script with a mistake of syntax leads to no other messages`() throws {
    let folder = try ScratchFolder()
    folder.write([
      "app.lua": "require \"parts\"\nbind \"fruit.name -> fruit.label\"\n",
      "parts.lua": "model \"fruit\" { name = 1, label = 2 }\n",
    ])
    let workspace = EditedWorkspace(try ScriptCheck())
    workspace.edit(folder.path + "/parts.lua", "model \"fruit\" { name = ")
    let files = try workspace.snapshot(of: [folder.path]).checkedFiles
    #expect(files.map(\.problems.count) == [0, 1])
  }

  @Test func `says after each edit what a new check says`() throws {
    var run = FuzzRun("edits", stepsInSuite: 40)
    var random = SeededGenerator(seed: FuzzRun.seed(of: "edits"))
    let check = try ScriptCheck(hostNames: ["pay", "priceOf", "taxRate"], specs: .tidelock)
    let apps = ["ledger", "board", "monitor"].map {
      Self.root.appending(path: "examples/\($0)").path
    }
    while run.goesOn() {
      let app = try #require(apps.randomElement(using: &random))
      let workspace = EditedWorkspace(check)
      let files = try workspace.snapshot(of: [app]).files
      var texts: [String: [UInt8]] = [:]
      for file in files { texts[file] = Array(try ScriptFile.read(file).utf8) }
      var edited: [String: String] = [:]
      for _ in 0..<4 {
        let file = try #require(files.randomElement(using: &random))
        if Int.random(in: 0..<6, using: &random) == 0 {
          // Undone all at once.
          edited[file] = nil
          workspace.edit(file, nil)
        } else {
          let old = edited[file].map { Array($0.utf8) } ?? texts[file] ?? []
          let new = TextEdits.random(of: old, from: Array(texts.values.joined()), using: &random)
          edited[file] = String(decoding: new, as: UTF8.self)
          workspace.edit(file, edited[file])
        }
        let told = Self.told(try workspace.snapshot(of: [app]).checkedFiles)
        let fresh = Self.told(try check.run([app], edited: edited))
        #expect(told == fresh, "after an edit of \(file) to:\n\(edited[file] ?? "")")
        if told != fresh { return }
      }
    }
  }
}

/// Edits as people make them: cuts, pastes, words half typed, names changed.
enum TextEdits {
  static func random(
    of text: [UInt8], from others: [UInt8], using random: inout SeededGenerator
  ) -> [UInt8] {
    var text = text
    let start = Int.random(in: 0...text.count, using: &random)
    let length = min(text.count - start, Int.random(in: 0...40, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: text.removeSubrange(start..<(start + length))
    case 1:
      let from = Int.random(in: 0..<max(1, others.count), using: &random)
      text.insert(contentsOf: others[from..<min(others.count, from + length)], at: start)
    case 2: text.insert(contentsOf: words.randomElement(using: &random)?.utf8 ?? "".utf8, at: start)
    case 3: text.removeSubrange(start...)
    case 4:
      if let byte = text.indices.randomElement(using: &random) {
        text[byte] = UInt8.random(in: 0x20..<0x7f, using: &random)
      }
    default:
      // A name, everywhere.
      let names = text.split { !$0.continuesLuaName }
      guard let name = names.randomElement(using: &random) else { break }
      return Array(
        String(decoding: text, as: UTF8.self)
          .replacing(String(decoding: name, as: UTF8.self), with: "renamed").utf8)
    }
    return text
  }

  private static let words = [
    "models.", "view.", "local x = ", "bind \"", "\"", "end", " then", "function(", "{", "}", ")",
    "require \"", "--[[", "]]", ".", ":", " -> ", " | ", "return ", "@", "\n", "é", "\\",
  ]
}
