import Foundation

/// An article of the documentation.
struct Article {
  /// The module whose catalog it stands in.
  let target: String
  let name: String
  let text: String

  static let sources = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// The files of a kind anywhere below the sources, by their paths.
  static func files(ending suffix: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(suffix) }.sorted()
  }

  static var all: [Article] {
    get throws {
      try files(ending: ".md").map { path in
        let parts = path.split(separator: "/").map(String.init)
        return Article(
          target: parts[0], name: String(parts[parts.count - 1].dropLast(3)),
          text: try String(contentsOf: sources.appending(path: path), encoding: .utf8))
      }
    }
  }

  /// What stands between two marks, again and again, outside of examples.
  func texts(between start: String, and end: String) -> [String] {
    let prose = text.components(separatedBy: "\n```").enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined(separator: "\n")
    return prose.components(separatedBy: start).dropFirst().compactMap {
      $0.components(separatedBy: end).first
    }
  }
}
