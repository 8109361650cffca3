import TideGraph

/// How texts are sorted.
package enum TextOrder: String, CaseIterable, Sendable {
  /// In the order of the app's language.
  case language
  /// In the order of the language, with digits compared as numbers: `item 9`, `item 10`.
  case natural
  /// By the code points of the characters.
  case binary
}

/// Compares rows by the results of one or more key functions.
///
/// The collation key of a text in its language is computed once for each row.
struct SortKeys {
  struct Part {
    let isDescending: Bool
    let order: TextOrder
  }

  /// The results of several key functions for a row.
  final class Tuple {
    let values: [Value]

    init(_ values: [Value]) { self.values = values }
  }

  private let parts: [Part]
  /// By part; nil if texts are compared by code point.
  private var collations: [Collation?]
  private var language: String?
  /// The collation keys, by row and then by part.
  private var known: [Collation.Key?] = []

  init(_ parts: [Part]) {
    self.parts = parts
    collations = parts.map { _ in nil }
  }

  /// Reads the app's language. Returns whether it has changed.
  mutating func follow(_ app: AppLanguage) -> Bool {
    if parts.allSatisfy({ $0.order == .binary }) { return false }
    let identifier = app.current.identifier
    if identifier == language { return false }
    language = identifier
    collations = parts.map { part in
      part.order == .binary ? nil : Collation(identifier, isNatural: part.order == .natural)
    }
    return true
  }

  mutating func forgetAll() { known.removeAll(keepingCapacity: true) }

  /// Called when the functions' results for a row have changed.
  mutating func forget(_ row: RowOrder.Row) {
    let start = Int(row) * parts.count
    for index in start..<start + parts.count where index < known.count { known[index] = nil }
  }

  /// Negative if the first row comes before the second, positive if after, 0 if neither does.
  mutating func compare(_ a: RowOrder.Row, _ b: RowOrder.Row, in results: [Value]) -> Int {
    if parts.count == 1 {
      return compare(results[Int(a)], results[Int(b)], of: a, b, 0)
    }
    guard case .object(let first as Tuple) = results[Int(a)],
      case .object(let second as Tuple) = results[Int(b)]
    else { return results[Int(a)].compare(with: results[Int(b)]) }
    for index in parts.indices {
      let difference = compare(first.values[index], second.values[index], of: a, b, index)
      if difference != 0 { return difference }
    }
    return 0
  }

  private mutating func compare(
    _ x: Value, _ y: Value, of a: RowOrder.Row, _ b: RowOrder.Row, _ part: Int
  ) -> Int {
    let difference: Int
    if let collation = collations[part], x.isWords, y.isWords {
      let left = key(of: x, a, part, collation)
      difference = left.compare(with: key(of: y, b, part, collation))
    } else {
      difference = x.compare(with: y)
    }
    return parts[part].isDescending ? -difference : difference
  }

  private mutating func key(
    of value: Value, _ row: RowOrder.Row, _ part: Int, _ collation: Collation
  ) -> Collation.Key {
    let index = Int(row) * parts.count + part
    while known.count <= index { known.append(nil) }
    if let key = known[index] { return key }
    let made = collation.key(of: value.words)
    known[index] = made
    return made
  }
}

extension Value {
  /// Whether it is a text, with or without errors in its encoding.
  fileprivate var isWords: Bool {
    switch self {
    case .string, .bytes: true
    default: false
    }
  }

  fileprivate var words: String {
    switch self {
    case .string(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    default: ""
    }
  }
}
