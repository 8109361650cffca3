import FoundationEssentials
import Fuzzing
import Glibc
import TestFolders
import Testing
import TideBindings
import TideScript
import TideStore
import TideTest

@testable import TideCheck

@Suite struct `An edited workspace` {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func `editing a module changes the problems of the one that requires it`() throws {
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

  @Test func `a file that is created or removed counts once that is noted`() throws {
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

  @Test func `a script with a syntax error leads to no other problems`() throws {
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

  @Test func `a link that leads out of the folder is not read as a neighbour`() throws {
    let folder = try ScratchFolder()
    folder.makeFolder("app")
    folder.write("require \"main\"\nsecret = 1\n", to: "secret.lua")
    folder.write("print(secret)\n", to: "app/main.lua")
    folder.link("app/neighbour.lua", to: "../secret.lua")
    let workspace = EditedWorkspace(try ScriptCheck())
    let main = folder.path + "/app/main.lua"
    #expect(try workspace.snapshot(of: [main]).problems(in: main).count == 1)
  }

  @Test func `a link leads no script out of its folder by the name of that`() throws {
    let folder = try ScratchFolder(folders: "app")
    folder.write("return { secret = 1 }\n", to: "secret.lua")
    folder.write("print(require(\"app.link\").nothing)\n", to: "app/main.lua")
    folder.link("app/link.lua", to: "../secret.lua")
    let workspace = EditedWorkspace(try ScriptCheck())
    let main = folder.path + "/app/main.lua"
    let problems = try workspace.snapshot(of: [main]).problems(in: main)
    #expect(problems.map(\.error.code) == [.module])
  }

  @Test func `a spec has no file outside of its project read`() throws {
    let folder = try ScratchFolder(folders: "app", "app/spec")
    let outside = folder.write("secret = = 1\n", to: "secret.lua")
    folder.link("app/link.lua", to: "../secret.lua")
    folder.write("return view.label { text = \"\" }\n", to: "app/main.lua")
    for name in [outside, "../secret.lua", "link.lua", "main.lua"] {
      folder.write("ui.mount \"\(name)\"\n", to: "app/spec/app_spec.lua")
      let workspace = EditedWorkspace(try ScriptCheck())
      let spec = folder.path + "/app/spec/app_spec.lua"
      let files = try workspace.snapshot(of: [spec]).readFiles
      #expect(!files.contains { $0.hasSuffix("secret.lua") || $0.hasSuffix("link.lua") }, "\(name)")
      #expect(files.contains { $0.hasSuffix("main.lua") } == (name == "main.lua"))
    }
  }

  @Test func `two files whose names have the same characters are two`() throws {
    let folder = try ScratchFolder()
    folder.write("local x = = 1\n", to: "caf\u{e9}.lua")
    folder.write("local y = = 2\nlocal z = = 3\n", to: "cafe\u{301}.lua")
    let workspace = EditedWorkspace(try ScriptCheck())
    let files = try workspace.snapshot(of: [folder.path]).checkedFiles
    #expect(files.count == 2)
    #expect(files.allSatisfy { $0.problems.count == 1 })
    workspace.edit(folder.path + "/caf\u{e9}.lua", "print(1)\n")
    let edited = try workspace.snapshot(of: [folder.path]).checkedFiles
    #expect(edited.map(\.problems.count).sorted() == [0, 1])
  }

  @Test func `a file that cannot be opened by its name is a problem`() throws {
    let folder = try ScratchFolder()
    folder.write("return {}\n", to: "app.lua")
    var path = Array((folder.path + "/").utf8CString.dropLast())
    // No text in UTF-8 has this byte.
    path.append(CChar(truncatingIfNeeded: 0xff))
    path += ".lua".utf8CString
    close(open(path, O_WRONLY | O_CREAT, 0o600))
    let files = try ScriptCheck().run([folder.path])
    #expect(files.count == 2)
    #expect(files.last?.problems.map(\.error.code) == [.scriptFile])
  }

  @Test func `a folder that is nested too deeply is a problem`() throws {
    let folder = try ScratchFolder()
    var name = "a"
    folder.makeFolder(name)
    for _ in 0..<70 {
      name += "/a"
      folder.makeFolder(name)
    }
    let files = try ScriptCheck().run([folder.path])
    #expect(files.flatMap(\.problems).map(\.error.code) == [.scriptFile])
  }

  @Test func `a search that was cancelled changes no later answer`() throws {
    let folder = Self.root.appending(path: "examples/ledger").path
    let check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL())
    let snapshot = try EditedWorkspace(check).snapshot(of: [folder])
    let fresh = try EditedWorkspace(check).snapshot(of: [folder])
    let file = folder + "/book.lua"
    let cancelled = try #require(snapshot.analysis(of: file))
    let other = try #require(fresh.analysis(of: file))
    for (index, mention) in other.mentions.enumerated() where index % 5 == 0 {
      let offset = mention.range.lowerBound
      var left = index % 7
      snapshot.isCancelled = {
        left -= 1
        return left < 0
      }
      _ = cancelled.references(at: offset)
      _ = cancelled.callers(ofFunctionAt: offset)
      snapshot.isCancelled = { false }
      #expect(
        cancelled.references(at: offset).map(\.location)
          == other.references(at: offset).map(\.location))
    }
  }

  @Test func `reports after each edit, renaming and undo what a new check reports`() throws {
    var run = FuzzRun("edits", stepsInSuite: 40)
    var random = SeededGenerator(seed: FuzzRun.seed(of: "edits"))
    let check = try ScriptCheck(
      hostNames: ["pay", "priceOf", "taxRate"], specs: .tidelock, sql: LiteralSQL())
    let folders = ["ledger", "board", "monitor"].map {
      Self.root.appending(path: "examples/\($0)").path
    }
    while run.goesOn() {
      let folder = try #require(folders.randomElement(using: &random))
      var app = try EditedApp(folder, check)
      for _ in 0..<4 {
        let step = try app.takeStep(using: &random)
        let fault = try app.fault ?? app.answerFault(using: &random)
        #expect(fault == nil, "after \(step)")
        if fault != nil { return }
      }
    }
  }

  @Test func `a renamed name is no longer found, and nothing else is lost`() throws {
    var run = FuzzRun("renames", stepsInSuite: 12)
    var random = SeededGenerator(seed: FuzzRun.seed(of: "renames"))
    let check = try ScriptCheck(
      hostNames: ["pay", "priceOf", "taxRate"], specs: .tidelock, sql: LiteralSQL())
    let folders = ["ledger", "board", "monitor"].map {
      Self.root.appending(path: "examples/\($0)").path
    }
    while run.goesOn() {
      let folder = try #require(folders.randomElement(using: &random))
      var app = try EditedApp(folder, check)
      let before = try app.problemPlaces
      guard let renaming = try app.renaming(using: &random), renaming.isCertain else { continue }
      app.rename(renaming)
      let after = try app.problemPlaces
      #expect(after == before, "after \(renaming)")
      let fault = try app.fault
      #expect(fault == nil, "after \(renaming)")
      app.undo()
      #expect(try app.isUnchanged)
      if after != before || fault != nil { return }
    }
  }
}
