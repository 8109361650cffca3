import FoundationEssentials
import Fuzzing
import Testing
import TideBindings
import TideScript
import TideStore
import TideTest

@testable import TideCheck

@Suite struct `A half-typed script` {
  private static let examples: [(name: String, bytes: [UInt8])] = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "examples").path
    let files = (try? ScriptFiles.files(at: [root])) ?? []
    return files.compactMap { file in
      (try? ScriptFile.read(file)).map { (file, Array($0.utf8)) }
    }
  }()

  /// Asks everything that an editor may ask, and returns what is wrong with the answers.
  private func fault(in text: [UInt8], at caret: Int, _ check: ScriptCheck) throws -> String? {
    let workspace = EditedWorkspace(check)
    workspace.edit("half.lua", String(decoding: text, as: UTF8.self))
    let snapshot = try workspace.snapshot(of: ["half.lua"])
    _ = snapshot.problems(in: "half.lua").map(\.diagnostic.message)
    guard let analysis = snapshot.analysis(of: "half.lua") else { return nil }
    let count = analysis.bytes.count
    func isInside(_ range: Range<Int>) -> Bool {
      range.lowerBound >= 0 && range.upperBound <= count
    }
    for mention in analysis.mentions {
      if !isInside(mention.range) { return "a mention of \(mention.name) lies outside" }
      if !analysis.bytes[mention.range].elementsEqual(mention.name.utf8) {
        return "\(mention.name) is not what stands at \(mention.range)"
      }
    }
    let completions = analysis.completions(at: min(caret, count))
    if !isInside(completions.range) { return "a completion's range lies outside" }
    _ = analysis.signature(at: min(caret, count))
    _ = analysis.hover(at: min(caret, count))
    if let found = analysis.definitions(at: min(caret, count)).first(where: { !isInside($0.range) })
    {
      return "a definition lies outside: \(found)"
    }
    if !analysis.references(at: min(caret, count)).allSatisfy({ isInside($0.location.range) }) {
      return "a reference lies outside"
    }
    if !analysis.foldingRanges.allSatisfy({ isInside($0.range) }) { return "a fold lies outside" }
    if !analysis.selectionRanges(at: min(caret, count)).allSatisfy(isInside) {
      return "a selection lies outside"
    }
    func outlineFault(_ items: [ScriptAnalysis.OutlineItem]) -> String? {
      for item in items {
        if !isInside(item.range) || !isInside(item.selection) { return "\(item.name) lies outside" }
        if item.selection.lowerBound < item.range.lowerBound
          || item.selection.upperBound > item.range.upperBound
        {
          return "the name of \(item.name) lies outside of it"
        }
        if let fault = outlineFault(item.children) { return fault }
      }
      return nil
    }
    if let fault = outlineFault(analysis.outline) { return fault }
    _ = analysis.typeHints(in: 0..<count)
    _ = analysis.livePaths(in: 0..<count)
    _ = analysis.callees(in: 0..<count)
    return nil
  }

  @Test func `is understood wherever an example is cut or scrambled`() throws {
    var run = FuzzRun("half-typed", stepsInSuite: 150)
    var random = SeededGenerator(seed: FuzzRun.seed(of: "half-typed"))
    let check = try ScriptCheck(specs: .tidelock, sql: LiteralSQL())
    let all = Self.examples.flatMap(\.bytes)
    #expect(Self.examples.count > 20)
    while run.goesOn() {
      let example = try #require(Self.examples.randomElement(using: &random))
      var text = example.bytes
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        text = TextEdits.random(of: text, from: all, using: &random)
      }
      run.note(text)
      let caret = Int.random(in: 0...text.count, using: &random)
      let fault = try fault(in: text, at: caret, check)
      #expect(fault == nil, "caret \(caret) in:\n\(String(decoding: text, as: UTF8.self))")
      if fault != nil { return }
    }
  }

  @Test func `is understood after every character of a small one`() throws {
    let text = Array(
      """
      local dates = require "dates"
      model "fruit" { name = "a", rows = list { { t = 1 } }, f = function(self) return self.name end }
      bind "fruit.name -> title.text | upper" -- bound
      return view.column { view.label { id = "title", bindTo = { text = "fruit.name" } } }
      """.utf8)
    let check = try ScriptCheck()
    for end in 0...text.count {
      #expect(try fault(in: Array(text[..<end]), at: end, check) == nil, "up to \(end)")
      guard end < text.count else { continue }
      var less = text
      less.remove(at: end)
      #expect(try fault(in: less, at: end, check) == nil, "without the character at \(end)")
    }
  }

  @Test(arguments: ["ä", "?", "\\", "[", "'"])
  func `of one repeated sign does not overflow the stack`(sign: String) throws {
    let text = Array("local x = 1\n".utf8) + Array(String(repeating: sign, count: 100_000).utf8)
    #expect(try fault(in: text, at: 12, try ScriptCheck()) == nil)
  }
}
