import FoundationEssentials
import Testing
import TideStore

@testable import TideTest

/// Specs about what a spec can do beyond busted's words, and the examples of the articles.
@Suite struct `Specs about specs` {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().path
  private static let articles = tests + "/../../Sources/TideTest/TideTest.docc"

  /// A copy of a folder, with paths that are as short in messages everywhere.
  private func copy(_ folder: String) throws -> SpecFolder {
    let copy = try SpecFolder()
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      guard file.hasSuffix(".lua") else { continue }
      try copy.write(
        file, String(contentsOf: URL(filePath: folder + "/" + file), encoding: .utf8))
    }
    return copy
  }

  @Test(arguments: ["app", "bindings", "clock", "entries", "laws", "records", "sessions", "ui"])
  func `a file of specs passes`(name: String) throws {
    let folder = try copy(Self.tests + "/OwnSpecs")
    let result = try folder.run {
      $0.roots = [folder.path + "/spec/\(name)_spec.lua"]
      $0.configure = { $0.addStores() }
    }
    #expect(result.isGood, "\(result.text)")
    #expect(result.tests.count > 3)
  }

  @Test(arguments: [1, 2])
  func `they pass in any order`(seed: Int) throws {
    let folder = try copy(Self.tests + "/OwnSpecs")
    let result = try folder.run {
      $0.configure = { $0.addStores() }
      $0.shufflesFiles = true
      $0.shufflesTests = true
      $0.insulatesFiles = false
      $0.seed = seed
      $0.excludedFilters = ["that a block shows"]
    }
    #expect(result.isGood, "\(result.text)")
  }

  @Test(arguments: ["DrivingViews", "Laws", "Snapshots", "TestingBindings", "TestingScripts"])
  func `the examples of an article work`(name: String) throws {
    let article = try String(
      contentsOf: URL(filePath: "\(Self.articles)/\(name).md"), encoding: .utf8)
    let folder = try SpecFolder()
    var count = 0
    for example in Self.examples(in: article) {
      // A first line that names a file is not about specs.
      let first = example.prefix { $0 != "\n" }
      if first.hasPrefix("-- "), first.hasSuffix(".lua") {
        try folder.write(String(first.dropFirst(3)), example)
      } else {
        count += 1
        try folder.write("spec/\(name)\(count)_spec.lua", example)
      }
    }
    #expect(count > 0)
    // Snapshots are there the second time.
    _ = try folder.run { $0.updatesSnapshots = true }
    let result = try folder.run()
    #expect(result.isGood, "\(result.text)")
    #expect(result.tests.count >= count)
  }

  private static func examples(in article: String) -> [String] {
    var examples: [String] = []
    var lines: [Substring]?
    for line in article.split(separator: "\n", omittingEmptySubsequences: false) {
      if line == "```lua" {
        lines = []
      } else if line == "```", let text = lines {
        examples.append(text.joined(separator: "\n") + "\n")
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    return examples
  }

  @Test(arguments: [
    "board", "converter", "desk", "feed", "fruit", "gallery", "ledger", "logs", "monitor", "people",
    "services", "todo",
  ])
  func `the specs of an example pass`(name: String) throws {
    var options = TestOptions()
    options.roots = [Self.tests + "/../../examples/\(name)/spec"]
    options.timeLimit = 60
    options.configure = { $0.addStores() }
    var text = ""
    let writer = ReportWriter { text += String(decoding: $0, as: UTF8.self) }
    let made = try SpecReports.make(options, writer, isTerminal: false) { _ in }
    let run = SuiteRun(options, reporting: made.report)
    #expect(try run.run(), "\(text)")
    #expect(run.notices.isEmpty, "\(run.notices)")
  }
}

@Suite struct `Embedded sources` {
  @Test func `every Lua file of the runner is in the program, as it is`() throws {
    let folder =
      URL(filePath: #filePath).deletingLastPathComponent().path
      + "/../../../Sources/CTideTest/Lua/"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".lua") }
    for file in files {
      var name = file.dropLast(4).replacing("/", with: ".")
      if name.hasSuffix(".init") { name.removeLast(5) }
      if name.hasPrefix("runner.") { name = "tidelock.test." + name.dropFirst(7) }
      let text = try String(contentsOf: URL(filePath: folder + file), encoding: .utf8)
      #expect(EmbeddedSource.all[String(name)]?.text == text, "\(file)")
    }
    #expect(files.count == EmbeddedSource.all.count)
  }
}
