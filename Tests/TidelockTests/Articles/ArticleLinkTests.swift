import Foundation
import Testing

/// What articles refer to is there.
@Suite struct `Links of the articles` {
  @Test func `lead to articles`() throws {
    let articles = try Article.all
    let names = Set(articles.map(\.name))
    for article in articles {
      for link in article.texts(between: "<doc:", and: ">") {
        let name = link.split(separator: "/").last.map(String.init) ?? link
        let isThere = names.contains(name)
        #expect(isThere, "\(article.name) links to \(link)")
      }
    }
  }

  @Test func `lead from each landing page to every article of its module`() throws {
    let articles = try Article.all
    for landing in articles where landing.name == landing.target {
      let linked = Set(landing.texts(between: "<doc:", and: ">"))
      for article in articles where article.target == landing.target && article.name != landing.name
      {
        #expect(
          linked.contains(article.name), "\(article.name) is not on the page of \(landing.name)")
      }
    }
  }

  @Test func `name symbols that are declared and public`() throws {
    let code = try Article.files(ending: ".swift").map {
      try String(contentsOf: Article.sources.appending(path: $0), encoding: .utf8)
    }.joined(separator: "\n")
    let modules = Set(
      try Article.files(ending: ".md").compactMap { $0.split(separator: "/").first })
    let kinds = "actor|class|struct|enum|protocol|typealias"
    let declared = try declarations(
      in: code, with: Regex("\\b(?:func|var|let|case|\(kinds))\\s+`?(\\w+)"))
    let exposed = try declarations(
      in: code, with: Regex("(?:public|open) (?:final |indirect )?(?:\(kinds)) (\\w+)"))
    for article in try Article.all {
      for link in article.texts(between: " ``", and: "``")
        + article.texts(between: "(``", and: "``")
      {
        let parts = link.split(separator: "/").map { $0.prefix { $0 != "(" } }
        guard let first = parts.first, !modules.contains(first) else { continue }
        let isThere =
          exposed.contains(first)
          && parts.dropFirst().allSatisfy { $0 == "init" || declared.contains($0) }
        #expect(isThere, "\(article.name): ``\(link)``")
      }
    }
  }

  private func declarations(
    in code: String, with pattern: Regex<(Substring, Substring)>
  ) throws -> Set<Substring> {
    Set(code.matches(of: pattern).map(\.output.1))
  }
}

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
