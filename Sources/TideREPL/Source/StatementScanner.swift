/// Scans Lua token by token, and tracks where a top-level statement may begin and where the text
/// may end.
///
/// ```swift
/// var scanner = StatementScanner()
/// scanner.add(line: "t = {")      // mayEnd is false until the brace is closed
/// ```
///
/// It scans each line once, however long the text becomes, and never fails: the interpreter reports
/// invalid text. As in Lua, a line that can continue the previous statement, such as call
/// arguments, does continue it.
package struct StatementScanner {
  /// The open blocks, the innermost last; true for a function.
  private var blocks: [Bool] = []
  private var brackets = 0
  /// The number of `while` and `for` headers that still lack their `do`.
  private var headers = 0
  private var last = Last.nothing
  /// The last token's text if it is a significant word or symbol.
  private var lastWord = ""
  private var lastEnd = -1
  /// The pending lines of an unterminated long string, long comment, or continued quoted string.
  private var unfinished: [UInt8] = []
  /// The bytes that terminate `unfinished`; nil if nothing is open.
  private var awaited: [UInt8]?
  /// Whether a jump, a `return` within a block or a to-be-closed variable spans several statements,
  /// so that the text must run as one chunk.
  private(set) var isOnePiece = false

  package init() {}

  private enum Last {
    /// The start of the text.
    case nothing
    /// More must follow: an operator, `=`, `local`.
    case open
    /// A value that can be called or indexed.
    case callable
    /// The end of a value or statement that cannot be called.
    case closed
    case semicolon
  }

  /// Whether the text may end here, judged by its tokens.
  package var mayEnd: Bool {
    awaited == nil && blocks.isEmpty && brackets <= 0 && (last != .open || lastWord == "return")
  }

  /// Whether the next token is outside of all blocks and brackets.
  var isOutermost: Bool { blocks.isEmpty && brackets <= 0 && headers == 0 }

  /// Processes a token. Returns true if it begins another top-level statement.
  mutating func take(_ token: LuaTokens.Token, of bytes: [UInt8]) -> Bool {
    let word = Self.word(token, bytes)
    let begins = isOutermost && beginsStatement(token, word)
    switch token.kind {
    case .name: take(name: word)
    case .number: last = .closed
    case .string, .openString: last = last == .callable ? .callable : .closed
    case .symbol: take(symbol: word, isAdjacent: token.range.lowerBound == lastEnd)
    }
    if token.kind != .symbol { lastWord = word }
    lastEnd = token.range.upperBound
    return begins
  }

  private func beginsStatement(_ token: LuaTokens.Token, _ word: String) -> Bool {
    switch last {
    case .nothing, .semicolon: return word != ";"
    case .open: return false
    case .callable, .closed:
      switch token.kind {
      case .name: return !Self.continuing.contains(word)
      case .number: return true
      case .string, .openString: return last == .closed
      case .symbol: return word == "#" || last == .closed && (word == "(" || word == "{")
      }
    }
  }

  /// Words that cannot begin a statement.
  private static let continuing: Set<String> = [
    "and", "or", "then", "in", "else", "elseif", "end", "until",
  ]
  /// Words that need a continuation.
  private static let opening: Set<String> = [
    "and", "or", "not", "then", "do", "else", "elseif", "in", "for", "while", "if", "repeat",
    "until", "local", "function", "goto", "return",
  ]

  private mutating func take(name word: String) {
    switch word {
    case "function":
      blocks.append(true)
    case "if", "repeat": blocks.append(false)
    case "for", "while": headers += 1
    case "do":
      headers = max(0, headers - 1)
      blocks.append(false)
    case "end", "until": _ = blocks.popLast()
    case "return": if !blocks.isEmpty, !blocks.contains(true) { isOnePiece = true }
    case "goto": if !blocks.contains(true) { isOnePiece = true }
    case "close": if lastWord == "<", blocks.isEmpty { isOnePiece = true }
    default: break
    }
    if Self.opening.contains(word) {
      last = .open
    } else if ["end", "nil", "true", "false", "break"].contains(word) {
      last = .closed
    } else {
      last = .callable
    }
  }

  private mutating func take(symbol: String, isAdjacent: Bool) {
    // Tokens are single characters.
    let run = isAdjacent ? lastWord + symbol : symbol
    lastWord = symbol
    switch symbol {
    case "(", "[", "{":
      brackets += 1
      last = .open
    case ")", "]", "}":
      brackets -= 1
      // A table may be followed by call arguments: `f { … } (…)`.
      last = .callable
    case ";": last = .semicolon
    case ".":
      lastWord = run.hasSuffix("...") ? "..." : run.hasSuffix("..") ? ".." : "."
      last = lastWord == "..." ? .closed : .open
    case ":":
      lastWord = run.hasSuffix("::") ? "::" : ":"
      if lastWord == "::" { if !blocks.contains(true) { isOnePiece = true } }
      last = lastWord == "::" ? .closed : .open
    // The end of `<const>`; as a comparison, `>` occurs only within a line.
    case ">": last = .closed
    default: last = .open
    }
  }

  private static func word(_ token: LuaTokens.Token, _ bytes: [UInt8]) -> String {
    switch token.kind {
    // Lua's longest keyword has eight letters.
    case .name where token.range.count > 8: "name"
    case .name, .symbol: String(decoding: bytes[token.range], as: UTF8.self)
    case .number, .string, .openString: ""
    }
  }
}

extension StatementScanner {
  /// Processes a line, given without its line end.
  package mutating func add(line: String) {
    var bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    if let awaited {
      // Searches only the new line.
      guard bytes.contains(awaited) || awaited.isEmpty else { return }
      bytes = unfinished + bytes
      self.awaited = nil
      unfinished = []
    }
    var tokens = LuaTokens(bytes)
    while let token = tokens.next() {
      if token.kind == .openString, let end = Self.awaitedEnd(of: token, bytes) {
        awaited = end
        // The opening of a long string is enough.
        unfinished = Array(end.isEmpty ? bytes[token.range] : bytes[token.range].prefix(end.count))
        return
      }
      _ = take(token, of: bytes)
    }
    if let start = tokens.openComment {
      let level = bytes[(start + 3)...].prefix { $0 == UInt8(ascii: "=") }.count
      awaited = Self.longEnd(level)
      unfinished = Array(bytes[start..<start + 4 + level])
    }
  }

  /// The terminator of an unterminated string: empty for a quoted string that continues on the next
  /// line, nil for one that cannot continue.
  private static func awaitedEnd(of token: LuaTokens.Token, _ bytes: [UInt8]) -> [UInt8]? {
    if bytes[token.range.lowerBound] == UInt8(ascii: "[") {
      let level = bytes[(token.range.lowerBound + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
      return longEnd(level)
    }
    let text = bytes[token.range]
    return text.count > 1 && text.suffix(2) == [UInt8(ascii: "\\"), UInt8(ascii: "\n")]
      ? [] : nil
  }

  private static func longEnd(_ level: Int) -> [UInt8] {
    [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level) + [UInt8(ascii: "]")]
  }
}

extension [UInt8] {
  fileprivate func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, count >= other.count else { return other.isEmpty }
    return indices.dropLast(other.count - 1).contains { index in
      self[index] == first && self[index..<index + other.count].elementsEqual(other)
    }
  }
}
