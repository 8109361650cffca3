import Foundation
import Testing

/// The article on errors has a paragraph for each code that the sources can raise, and for no
/// other.
@Suite struct `Codes of errors` {
  private struct Declared {
    let variable, name: String
    let number: Int
  }

  private let code: String
  private let article: String

  init() throws {
    code = try Article.files(ending: ".swift").map {
      try String(contentsOf: Article.sources.appending(path: $0), encoding: .utf8)
    }.joined(separator: "\n")
    article = try #require(try Article.all.first { $0.name == "Errors" }).text
  }

  private var declared: [Declared] {
    code.matches(
      of:
        /(?m)^ *(?:public |package )?static let (\w+) = (?:Self|TideError\.Code|Code)\("(\w+)", (\d+)\)/
    )
    .compactMap {
      guard let number = Int($0.3) else { return nil }
      return Declared(variable: String($0.1), name: String($0.2), number: number)
    }
  }

  /// Names by number, as the article has them.
  private var described: [Int: String] {
    var found: [Int: String] = [:]
    for match in article.matches(of: /\*\*[EW](\d{4}) (\w+)\*\*/) {
      if let number = Int(match.1) { found[number] = String(match.2) }
    }
    return found
  }

  @Test func `are described each, by their number and name`() {
    #expect(declared.count > 50)
    for code in declared {
      #expect(described[code.number] == code.name, "E\(code.number) \(code.name)")
    }
  }

  @Test func `are described once, and only where they are declared`() {
    #expect(article.matches(of: /\*\*[EW]\d{4} \w+\*\*/).count == described.count)
    let names = Set(declared.map(\.name))
    for (number, name) in described { #expect(names.contains(name), "E\(number) \(name)") }
    #expect(names.count == declared.count)
    #expect(Set(declared.map(\.number)).count == declared.count)
  }

  @Test func `are raised somewhere`() {
    let lines = code.split(separator: "\n").filter { !$0.contains("static let") }
    for code in declared {
      let isRaised = lines.contains { line in
        line.ranges(of: ".\(code.variable)").contains { range in
          let next = line[range.upperBound...].first
          let isWhole = next.map { !$0.isLetter && !$0.isNumber && $0 != "(" && $0 != "." } ?? true
          let before = line[..<range.lowerBound]
          let isCompared = ["== ", "!= ", "case "].contains { before.hasSuffix($0) }
          return isWhole && !isCompared && !(before.last?.isLetter ?? false)
        }
      }
      #expect(isRaised, "E\(code.number) \(code.name)")
    }
  }
}
