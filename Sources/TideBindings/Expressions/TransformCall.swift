import TideSystem

import TideGraph

/// A transformer in an expression: `capitalized`, `!scale(100)`, `plural(friend, friends)`.
///
/// ```swift
/// TransformCall("scale", arguments: [100]).description   // "scale(100)"
/// ```
package struct TransformCall {
  /// The transformer's name.
  package var name: String
  /// Whether it is written with `!`, which swaps forward and reverse.
  package var isReversed: Bool
  /// The literals in parentheses; a bare word is a string.
  package var arguments: [Value]
  /// The entries of a map.
  package var entries: [MapEntry] = []
  /// Its location, if it comes from a text.
  package var location: ExpressionLocation?

  /// Calls a transformer with arguments.
  package init(_ name: String, arguments: [Value] = [], isReversed: Bool = false) {
    self.name = name
    self.arguments = arguments
    self.isReversed = isReversed
  }
}

extension TransformCall {
  /// Parses transformers in the notation of an expression: `scale(2) | !prefix('$')`.
  package static func sequence(_ text: String) throws(TideError) -> [TransformCall] {
    try ExpressionScanner.scan(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholeTransforms()
    }
  }
}

extension TransformCall {
  /// Parses transformers like `sequence(_:)`, but a fault has the byte offset and no picture of the
  /// text.
  package static func parseSequence(_ text: String) throws(SyntaxFault) -> [TransformCall] {
    try ExpressionScanner.parse(text) { (scanner) throws(SyntaxFault) in
      try scanner.wholeTransforms()
    }
  }
}

extension TransformCall: Equatable {
  /// Whether name, arguments and direction are the same, regardless of the location.
  package static func == (left: TransformCall, right: TransformCall) -> Bool {
    left.name == right.name && left.isReversed == right.isReversed
      && left.arguments == right.arguments && left.entries == right.entries
  }
}

extension TransformCall: CustomStringConvertible {
  /// The call spelled out, as in `!scale(100)`.
  package var description: String {
    let call = isReversed ? "!" + name : name
    let parts = arguments.map(Self.literal) + entries.map(\.description)
    return parts.isEmpty ? call : "\(call)(\(parts.joined(separator: ", ")))"
  }

  /// A value in the notation of an expression. An object, which has none, is shown as a
  /// placeholder.
  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .boolean(let flag): flag ? "true" : "false"
    case .integer(let integer): String(integer)
    case .number(let number): number.isInfinite ? (number < 0 ? "-1e999" : "1e999") : "\(number)"
    case .string(let text): isBareWord(text) ? text : quoted(text)
    case .bytes(let bytes): quoted(.repaired(bytes))
    case .object: "<object>"
    }
  }

  /// The text in quotes. A long one is truncated, because descriptions of values may be printed.
  package static func excerpt(_ text: String) -> String {
    if text.utf8.count <= excerptLimit { return quoted(text) }
    return quoted(String(text.unicodeScalars.prefix(excerptLimit)))
      + "… (\(text.utf8.count) bytes in all)"
  }

  /// A text that is not UTF-8, in quotes. Only what is shown is repaired.
  package static func excerpt(_ bytes: [UInt8]) -> String {
    let shown = quoted(.repaired(bytes, atMost: excerptLimit))
    return bytes.count <= excerptLimit ? shown : shown + "… (\(bytes.count) bytes in all)"
  }

  private static let excerptLimit = 4096

  package static func quoted(_ text: String) -> String {
    "\"\(text.escaping(\.escapeInQuotes))\""
  }

  private static func isBareWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.startsName else { return false }
    return text.utf8.allSatisfy(\.continuesName) && !["true", "false", "nil"].contains(text)
  }
}
