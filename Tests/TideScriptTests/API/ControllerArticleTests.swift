import FoundationEssentials
import TideBindings
import TideScript
import Testing

/// The examples in Lua of the article on controllers, as they stand there.
@Suite struct ControllerArticleTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let line: Int
    let source: String
    var testDescription: String { "line \(line)" }
  }

  static let article = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .appending(path: "Sources/TideBindings/TideBindings.docc/Controllers.md")

  static let examples: [Example] = {
    let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
    var found: [Example] = []
    var lines: [Substring]?
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line == "```lua" {
        lines = []
      } else if line == "```", let source = lines {
        found.append(
          Example(line: number + 1 - source.count, source: source.joined(separator: "\n")))
        lines = nil
      } else {
        lines?.append(line)
      }
    }
    return found
  }()

  @Test func `the article has examples`() { #expect(Self.examples.count >= 9) }

  @Test(arguments: examples)
  func `runs, and says what is so`(example: Example) throws {
    #expect(example.source.contains("assert("))
    let runtime = try Runtime(path: "article.lua")
    try runtime.evaluate(example.source)
    // A refusal that an example shows is taken back in it.
    #expect(runtime.errors.isEmpty)
  }
}
