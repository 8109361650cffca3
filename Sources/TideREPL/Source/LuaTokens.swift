/// A tolerant lexer for Lua at the prompt; it finds where statements and strings begin and end.
///
/// ```swift
/// LuaTokens("local x = 'a'").map(\.kind)    // [.name, .name, .symbol, .string]
/// ```
///
/// The checker has its own lexer, `LuaLexer`, which requires complete texts and decodes their
/// strings. This one never fails; the interpreter reports invalid text. An unterminated string or
/// comment extends to the end of the source.
struct LuaTokens: Sequence, IteratorProtocol {
  struct Token: Equatable {
    enum Kind: Equatable {
      case name, number, string, symbol
      /// An unterminated string.
      case openString
    }

    let kind: Kind
    /// The byte range in the source.
    let range: Range<Int>
  }

  private let source: [UInt8]
  private var position = 0
  /// The start of an unterminated long comment.
  private(set) var openComment: Int?
  /// The first and last line starts between the previous token and this one, outside of comments;
  /// nil if both tokens are on one line.
  private(set) var lineStarts: (first: Int, last: Int)?

  init(_ source: String) { self.source = Array(source.utf8) }
  init(_ source: [UInt8]) { self.source = source }

  /// Continues at an offset, to skip text that is not Lua.
  mutating func skip(to offset: Int) { position = Swift.max(position, offset) }

  mutating func next() -> Token? {
    skipBlanksAndComments()
    guard position < source.count else { return nil }
    let start = position
    let byte = source[position]
    let kind: Token.Kind
    if Self.isNameStart(byte) {
      while position < source.count, Self.isNamePart(source[position]) { position += 1 }
      kind = .name
    } else if Self.isDigit(byte) {
      skipNumber()
      kind = .number
    } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      kind = skipQuoted(byte) ? .string : .openString
    } else if byte == UInt8(ascii: "["), let level = longLevel(at: position) {
      kind = skipLong(level) ? .string : .openString
    } else {
      position += 1
      kind = .symbol
    }
    return Token(kind: kind, range: start..<position)
  }

  private mutating func skipBlanksAndComments() {
    lineStarts = nil
    while position < source.count {
      if source[position] <= 0x20 {
        position += 1
        if source[position - 1] == UInt8(ascii: "\n") {
          lineStarts = (lineStarts?.first ?? position, position)
        }
      } else if source[position] == UInt8(ascii: "-"), position + 1 < source.count,
        source[position + 1] == UInt8(ascii: "-")
      {
        let start = position
        position += 2
        if let level = longLevel(at: position) {
          if !skipLong(level) { openComment = start }
        } else {
          while position < source.count, source[position] != UInt8(ascii: "\n") { position += 1 }
        }
      } else {
        return
      }
    }
  }

  private mutating func skipNumber() {
    while position < source.count {
      let byte = source[position]
      let isSign = byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      let isAfterExponent =
        isSign && position > 0 && "eEpP".utf8.contains(source[position - 1])
      guard Self.isNamePart(byte) || byte == UInt8(ascii: ".") || isAfterExponent else { return }
      // `1..2` concatenates two numbers.
      if byte == UInt8(ascii: "."), position + 1 < source.count, source[position + 1] == byte {
        return
      }
      position += 1
    }
  }

  /// Returns false for an unterminated string.
  private mutating func skipQuoted(_ quote: UInt8) -> Bool {
    position += 1
    while position < source.count {
      let byte = source[position]
      position += 1
      if byte == quote { return true }
      if byte == UInt8(ascii: "\\"), position < source.count {
        position += 1
      } else if byte == UInt8(ascii: "\n") {
        return false
      }
    }
    return false
  }

  /// The number of `=` in a long opening bracket; nil if there is none.
  private func longLevel(at start: Int) -> Int? {
    guard start < source.count, source[start] == UInt8(ascii: "[") else { return nil }
    var end = start + 1
    while end < source.count, source[end] == UInt8(ascii: "=") { end += 1 }
    return end < source.count && source[end] == UInt8(ascii: "[") ? end - start - 1 : nil
  }

  private mutating func skipLong(_ level: Int) -> Bool {
    let close =
      [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level)
      + [UInt8(ascii: "]")]
    position += level + 2
    while position < source.count {
      if source[position] == close[0], source[position...].starts(with: close) {
        position += close.count
        return true
      }
      position += 1
    }
    return false
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    switch byte | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: byte == UInt8(ascii: "_")
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  static func isNamePart(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}
