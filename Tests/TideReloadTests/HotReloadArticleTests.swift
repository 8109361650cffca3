import TestFolders
import Foundation
import Testing
import TideBindings
import TideScript

@testable import TideReload

/// The examples of the article on hot reload, as they stand there.
///
/// Each section is an app. Blocks of Lua bear the names of the files that they are written to, one
/// after the other; the app is loaded when its main script is there, and a later block is a save.
/// What follows in a block without a name is what that prints, and what it reports.
@Suite struct `Examples of the article on hot reload` {
  struct Block {
    let file: String
    let text: String
    let output: [String]?
  }

  private static let article = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Sources/TideReload/TideReload.docc/HotReload.md")

  static let sections: [String] = {
    let text = (try? String(contentsOf: article, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "\n##").filter { $0.contains("```lua ") }
  }()

  @Test func `there are some`() { #expect(Self.sections.count >= 4) }

  @Test(arguments: sections)
  func `do what it says`(section: String) throws {
    let folder = try ScratchFolder()
    var printed: [String] = []
    let output = Lines()
    var configuration = Runtime.Configuration()
    configuration.print = { [output] in output.all.append($0) }
    let runtime = try Runtime(file: folder.path + "/app.lua", configuration: configuration)
    for block in Self.blocks(of: section) {
      output.all = []
      let path = folder.write(block.text + "\n", to: block.file)
      if runtime.hasBegun {
        let report = runtime.reload(changed: [path])
        output.all.append(report.line)
        if let error = report.error {
          output.all.append(Diagnostic(error, in: path).lines().first ?? "")
        }
      } else if block.file == "app.lua" {
        try runtime.load()
      }
      printed = output.all.map {
        Self.steady($0.replacing(folder.path + "/", with: ""))
      }
      if let wanted = block.output { #expect(printed == wanted.map(Self.steady)) }
    }
  }

  private final class Lines { var all: [String] = [] }

  /// Without the time that it took.
  private static func steady(_ line: String) -> String {
    line.replacing(/in [0-9.]+ ms/, with: "in some ms")
  }

  private static func blocks(of section: String) -> [Block] {
    let lines = section.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    func block(from start: Int) -> (lines: [String], end: Int) {
      let end = lines[start...].firstIndex(of: "```") ?? lines.count
      return (Array(lines[start..<end]), end)
    }
    return lines.indices.filter { lines[$0].hasPrefix("```lua ") }.map { fence in
      let (source, end) = block(from: fence + 1)
      let shows = end + 2 < lines.count && lines[end + 1].isEmpty && lines[end + 2] == "```"
      return Block(
        file: String(lines[fence].dropFirst(7)), text: source.joined(separator: "\n"),
        output: shows ? block(from: end + 3).lines : nil)
    }
  }
}
