/// Follows a text in Lua token by token, and knows where a statement of its outermost level may
/// begin and where the text may end.
///
/// ```swift
/// var scanner = StatementScanner()
/// scanner.add(line: "t = {")      // mayEnd is false until the brace is closed
/// ```
///
/// It takes each line once, however long the text becomes, and never fails: the interpreter says
/// what is wrong with a text. Where a line could go on with the one before, as a call's arguments
/// do, it goes on, as in Lua.
package struct StatementScanner {
  /// The blocks that are open, the innermost last; whether each is a function.
  private var blocks: [Bool] = []
  private var brackets = 0
  /// `while` and `for` whose `do` has not come.
  private var headers = 0
  private var last = Last.nothing
  /// The last token's text where it is a word or a sign that matters.
  private var lastWord = ""
  private var lastEnd = -1
  /// Lines that end within a long text or comment, or with a quoted text that goes on.
  private var unfinished: [UInt8] = []
  /// What ends `unfinished`; nil where nothing is.
  private var awaited: [UInt8]?
  /// Whether a jump, a `return` within a block or a variable to be closed leads beyond a single
  /// statement, so that the text runs in one piece.
  private(set) var isOnePiece = false

  package init() {}

  private enum Last {
    /// The beginning of the text.
    case nothing
    /// More has to follow: an operator, `=`, `local`.
    case open
    /// A value that could be called, or indexed.
    case callable
    /// The end of a value or statement, after which nothing can be called.
    case closed
    case semicolon
  }

  /// Whether the text may end here, as far as words and signs tell.
  package var mayEnd: Bool {
    awaited == nil && blocks.isEmpty && brackets <= 0 && (last != .open || lastWord == "return")
  }

  /// Whether the next token is within no block and no brackets.
  var isOutermost: Bool { blocks.isEmpty && brackets <= 0 && headers == 0 }

  /// Takes a token. True where it begins another statement of the outermost level.
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
  /// Words after which more has to follow.
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
    // The tokens are single characters.
    let run = isAdjacent ? lastWord + symbol : symbol
    lastWord = symbol
    switch symbol {
    case "(", "[", "{":
      brackets += 1
      last = .open
    case ")", "]", "}":
      brackets -= 1
      // What follows a table may be an argument's list: `f { … } (…)`.
      last = .callable
    case ";": last = .semicolon
    case ".":
      lastWord = run.hasSuffix("...") ? "..." : run.hasSuffix("..") ? ".." : "."
      last = lastWord == "..." ? .closed : .open
    case ":":
      lastWord = run.hasSuffix("::") ? "::" : ":"
      if lastWord == "::" { if !blocks.contains(true) { isOnePiece = true } }
      last = lastWord == "::" ? .closed : .open
    // The end of `<const>`, which is a comparison only in the middle of a line.
    case ">": last = .closed
    default: last = .open
    }
  }

  private static func word(_ token: LuaTokens.Token, _ bytes: [UInt8]) -> String {
    switch token.kind {
    // The longest word of the language has eight letters.
    case .name where token.range.count > 8: "name"
    case .name, .symbol: String(decoding: bytes[token.range], as: UTF8.self)
    case .number, .string, .openString: ""
    }
  }
}

extension StatementScanner {
  /// Takes a line, given without its end, of a text that comes line by line.
  package mutating func add(line: String) {
    var bytes = Array(line.utf8) + [UInt8(ascii: "\n")]
    if let awaited {
      // Only what is new is searched.
      guard bytes.contains(awaited) || awaited.isEmpty else { return }
      bytes = unfinished + bytes
      self.awaited = nil
      unfinished = []
    }
    var tokens = LuaTokens(bytes)
    while let token = tokens.next() {
      if token.kind == .openString, let end = Self.awaitedEnd(of: token, bytes) {
        awaited = end
        // Of a long text its beginning suffices.
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

  /// What would end a text that the lines so far leave open: nothing for a quoted one that goes on
  /// in the next line, nil for one that cannot go on.
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
