import TideScript
import TideStore
import TideTest

@testable import TideCheck

/// A script that is being typed, with a broken bar where the caret is.
///
/// ```swift
/// try EditedScript("models.¦", beside: "model 'fruit' {}").completions      // ["fruit"]
/// ```
struct EditedScript {
  let analysis: ScriptAnalysis
  let caret: Int
  private let snapshot: WorkspaceSnapshot

  /// - Parameter beside: the text above it in the same script.
  init(
    _ text: String, beside other: String = "", others: [String: String] = [:],
    path: String = "app.lua"
  ) throws {
    let whole = other.isEmpty ? text : other + "\n" + text
    let parts = whole.split(separator: "¦", omittingEmptySubsequences: false)
    caret = parts[0].utf8.count
    let workspace = EditedWorkspace(try ScriptCheck(specs: .tidelock, sql: LiteralSQL()))
    workspace.edit(path, parts.joined())
    snapshot = try workspace.snapshot(of: [path])
    struct NoTree: Error {}
    guard let analysis = snapshot.analysis(of: path) else { throw NoTree() }
    self.analysis = analysis
  }

  var completions: [String] { analysis.completions(at: caret).candidates.map(\.name) }
  var hover: String { analysis.hover(at: caret)?.text ?? "" }

  /// The text at each location.
  func texts(_ locations: [ScriptAnalysis.Location]) -> [String] {
    locations.map { String(decoding: analysis.bytes[$0.range], as: UTF8.self) }
  }

  /// The lines of locations, counted from 1.
  func lines(_ locations: [ScriptAnalysis.Location]) -> [Int] {
    locations.map { location in
      1 + analysis.bytes[..<location.range.lowerBound].count { $0 == UInt8(ascii: "\n") }
    }
  }
}
