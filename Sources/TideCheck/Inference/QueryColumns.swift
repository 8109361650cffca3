import TideScript

/// The columns of a literal SELECT, and the tables that literal statements create.
///
/// ```swift
/// QueryColumns(of: "SELECT id, payee AS who FROM entry").names(in: [:])       // id, who
/// ```
///
/// It reads simple statements. A query with a column that has no plain name has unknown columns.
struct QueryColumns {
  private let words: [Substring]

  init(of sql: String) { words = Self.words(of: sql) }

  /// Words, strings and symbols; comments are left out.
  private static func words(of sql: String) -> [Substring] {
    var words: [Substring] = []
    var rest = Substring(sql)
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if rest.hasPrefix("--") {
        rest = rest.drop { $0 != "\n" }
      } else if first == "\"" || first == "'" || first == "`" {
        let inner = rest.dropFirst().prefix { $0 != first }
        words.append(rest[..<inner.endIndex] + (first == "'" ? "'" : ""))
        rest = rest[inner.endIndex...].dropFirst()
      } else {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        words.append(word.isEmpty ? rest.prefix(1) : word)
        rest = rest.dropFirst(max(word.count, 1))
      }
    }
    return words
  }

  private static func name(_ word: Substring) -> String? {
    let plain = word.hasPrefix("\"") || word.hasPrefix("`") ? word.dropFirst() : word
    guard let first = plain.utf8.first, first.startsLuaName, !word.hasPrefix("'") else {
      return nil
    }
    return String(plain)
  }

  // MARK: Queries

  /// The names of the columns; nil if unknown.
  func names(in tables: [String: Set<String>]) -> Set<String>? {
    guard words.first?.lowercased() == "select" else { return nil }
    var rest = words.dropFirst()
    if rest.first?.lowercased() == "distinct" { rest = rest.dropFirst() }
    let (columns, from) = Self.parts(of: rest)
    var names: Set<String> = []
    for column in columns {
      if column.last == "*",
        column.count == 1 || column.count == 3 && column.dropFirst().first == "."
      {
        guard let all = Self.all(from, of: column.count == 3 ? column.first : nil, in: tables)
        else {
          return nil
        }
        names.formUnion(all)
      } else if let name = Self.name(of: column) {
        names.insert(name)
      } else {
        return nil
      }
    }
    return names.isEmpty ? nil : names
  }

  /// The comma-separated parts before `FROM`, and the rest.
  private static func parts(of words: ArraySlice<Substring>) -> ([[Substring]], [Substring]) {
    var parts: [[Substring]] = [[]]
    var depth = 0
    for (index, word) in zip(words.indices, words) {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if depth == 0, word.lowercased() == "from" {
        return (parts, Array(words[(index + 1)...]))
      }
      if depth == 0, word == "," { parts.append([]) } else { parts[parts.count - 1].append(word) }
    }
    return (parts, [])
  }

  /// `title`, `book.title`, `count(*) AS total`
  private static func name(of column: [Substring]) -> String? {
    guard let last = column.last.flatMap(name) else { return nil }
    if column.count == 1 { return last }
    let before = column[column.count - 2]
    if before.lowercased() == "as" { return last }
    return before == "." && column.count == 3 ? last : nil
  }

  /// The columns of the tables that a query reads, or of one of them.
  private static func all(
    _ from: [Substring], of wanted: Substring?, in tables: [String: Set<String>]
  ) -> Set<String>? {
    // Joins and inner queries are not followed.
    let words = from.prefix { !ends.contains($0.lowercased()) && $0 != ";" }
    guard words.count == 1, let table = words.first.flatMap(name) else { return nil }
    if let wanted, wanted.lowercased() != table.lowercased() { return nil }
    return tables[table.lowercased()]
  }

  private static let ends: Set<String> = ["where", "order", "group", "limit", "having"]

  // MARK: Tables

  /// A quick test whether a text may create or change a table.
  static func mayDeclare(_ text: String) -> Bool {
    guard text.utf8.count < 4096,
      let first = text.utf8.first(where: { $0 > 0x20 }).map({ $0 | 0x20 }),
      first == UInt8(ascii: "c") || first == UInt8(ascii: "a")
    else { return false }
    let start = text.drop { $0.isWhitespace }.prefix(7).lowercased()
    return start.hasPrefix("create ") || start.hasPrefix("alter ")
  }

  /// Adds the columns of a table that the statement creates or changes.
  func note(in tables: inout [String: Set<String>]) {
    let lower = words.map { $0.lowercased() }
    if let start = lower.firstIndex(of: "table"), lower.first == "create" {
      let open = lower.firstIndex(of: "(") ?? lower.count
      guard open > start + 1, open < lower.count, let table = Self.name(words[open - 1]) else {
        return
      }
      tables[table.lowercased(), default: []].formUnion(Self.declared(in: words[(open + 1)...]))
    } else if lower.starts(with: ["alter", "table"]), lower.count > 2 {
      guard let table = Self.name(words[2])?.lowercased() else { return }
      var rest = words.dropFirst(3)
      if rest.popFirst()?.lowercased() == "add" {
        if rest.first?.lowercased() == "column" { rest = rest.dropFirst() }
        // While somebody types, the name is still to come.
        if let name = rest.first.flatMap(Self.name) { tables[table, default: []].insert(name) }
      } else {
        // Columns that are renamed or dropped.
        tables[table] = nil
      }
    }
  }

  private static func declared(in words: ArraySlice<Substring>) -> [String] {
    var names: [String] = []
    var depth = 0
    var isFirst = true
    for word in words {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if depth < 0 { break }
      if isFirst, depth == 0, !constraints.contains(word.lowercased()), let name = name(word) {
        names.append(name)
      }
      isFirst = depth == 0 && word == ","
    }
    return names
  }

  private static let constraints: Set<String> = [
    "primary", "unique", "foreign", "check", "constraint",
  ]
}
