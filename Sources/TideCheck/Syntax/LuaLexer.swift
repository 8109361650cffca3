import TideLua

/// Splits the text of a Lua 5.4 script into tokens, one at a time.
///
/// The interpreter has usually accepted the text before. Invalid text throws, or is skipped by a
/// tolerant lexer; no input traps. The prompt has its own lexer, `LuaTokens`, which treats an
/// unfinished string as a token and does not decode strings. This lexer must be exact, because its
/// callers rely on its offsets and its decoded text.
struct LuaLexer {
  /// The bytes at an offset are not a Lua token.
  struct Failure: Error {
    var offset: Int
  }

  private let bytes: [UInt8]
  private var offset = 0
  /// Whether unfinished strings end with their line, and stray bytes are skipped.
  private let isTolerant: Bool

  /// - Parameter isTolerant: whether the text is still being typed, so that nothing is thrown.
  init(_ bytes: [UInt8], isTolerant: Bool = false) {
    self.bytes = bytes
    self.isTolerant = isTolerant
    // A first line that begins with # is for the shell.
    if bytes.first == UInt8(ascii: "#") { skipLine() }
  }

  mutating func next() throws(Failure) -> LuaToken {
    try skipBlanks()
    // Skips bytes that cannot begin a token, such as letters beyond ASCII.
    while isTolerant, offset < bytes.count, !bytes[offset].beginsLuaToken {
      offset += 1
      try skipBlanks()
    }
    guard offset < bytes.count else {
      return LuaToken(kind: .end, text: "", range: bytes.count..<bytes.count)
    }
    let start = offset
    let byte = bytes[offset]
    if byte.startsLuaName {
      while offset < bytes.count, bytes[offset].continuesLuaName { offset += 1 }
      let text = String(decoding: bytes[start..<offset], as: UTF8.self)
      let kind: LuaToken.Kind = LuaState.keywords.contains(text) ? .keyword : .name
      return LuaToken(kind: kind, text: text, range: start..<offset)
    }
    if byte.isLuaDigit || byte == UInt8(ascii: ".") && self.byte(1).isLuaDigit {
      skipNumber()
      return token(.number, from: start)
    }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try quoted(byte) }
    if byte == UInt8(ascii: "["), let level = longLevel(at: offset) { return try long(level) }
    return try symbol()
  }

  /// The byte at a distance from here, or 0 past the end.
  private func byte(_ distance: Int) -> UInt8 {
    offset + distance < bytes.count ? bytes[offset + distance] : 0
  }

  private func token(_ kind: LuaToken.Kind, from start: Int) -> LuaToken {
    LuaToken(
      kind: kind, text: String(decoding: bytes[start..<offset], as: UTF8.self),
      range: start..<offset)
  }

  private mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n"),
      bytes[offset] != UInt8(ascii: "\r")
    {
      offset += 1
    }
  }

  private mutating func skipBlanks() throws(Failure) {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09...0x0d:
        offset += 1
      case UInt8(ascii: "-") where byte(1) == UInt8(ascii: "-"):
        offset += 2
        if let level = longLevel(at: offset) { _ = try long(level) } else { skipLine() }
      default:
        return
      }
    }
  }

  private mutating func skipNumber() {
    let isHexadecimal = byte(0) == UInt8(ascii: "0") && byte(1) | 0x20 == UInt8(ascii: "x")
    let exponent = UInt8(ascii: isHexadecimal ? "p" : "e")
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      if byte | 0x20 == exponent, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(self.byte(0)) {
        offset += 1
      } else if !byte.continuesLuaName && byte != UInt8(ascii: ".") {
        offset -= 1
        return
      }
    }
  }

  private mutating func symbol() throws(Failure) -> LuaToken {
    let start = offset
    let first = bytes[start]
    offset += 1
    switch first {
    case UInt8(ascii: "."):
      while offset < start + 3, byte(0) == first { offset += 1 }
    case UInt8(ascii: "="), UInt8(ascii: "~"):
      if byte(0) == UInt8(ascii: "=") { offset += 1 }
    case UInt8(ascii: "<"), UInt8(ascii: ">"):
      if byte(0) == UInt8(ascii: "=") || byte(0) == first { offset += 1 }
    case UInt8(ascii: "/"), UInt8(ascii: ":"):
      if byte(0) == first { offset += 1 }
    default:
      guard "+-*%^#&|(){}[];,".utf8.contains(first) else {
        throw Failure(offset: start)
      }
    }
    return token(.symbol, from: start)
  }

  // MARK: Strings

  private mutating func quoted(_ quote: UInt8) throws(Failure) -> LuaToken {
    let start = offset
    offset += 1
    var content: [UInt8] = []
    var isPlain = true
    while offset < bytes.count, bytes[offset] != quote {
      switch bytes[offset] {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        return try unfinished(content, isPlain, from: start)
      case UInt8(ascii: "\\"):
        isPlain = false
        offset += 1
        do throws(Failure) { try escape(into: &content) } catch {
          if !isTolerant { throw error }
          offset = min(offset, bytes.count)
        }
      case let byte:
        content.append(byte)
        offset += 1
      }
    }
    guard offset < bytes.count else { return try unfinished(content, isPlain, from: start) }
    offset += 1
    return LuaToken(
      kind: .string, text: String(decoding: content, as: UTF8.self), range: start..<offset,
      contentStart: isPlain ? start + 1 : nil)
  }

  /// A string that lacks its closing quote.
  private func unfinished(
    _ content: [UInt8], _ isPlain: Bool, from start: Int
  ) throws(Failure) -> LuaToken {
    guard isTolerant else { throw Failure(offset: start) }
    return LuaToken(
      kind: .string, text: String(decoding: content, as: UTF8.self), range: start..<offset,
      contentStart: isPlain ? start + 1 : nil)
  }

  /// Decodes an escape sequence, after its backslash.
  private mutating func escape(into content: inout [UInt8]) throws(Failure) {
    let byte = self.byte(0)
    offset += 1
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      // A line may end with two bytes.
      let next = self.byte(0)
      if next != byte, [UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains(next) { offset += 1 }
      content.append(0x0a)
    case UInt8(ascii: "n"): content.append(0x0a)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "r"): content.append(0x0d)
    case UInt8(ascii: "a"): content.append(0x07)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0c)
    case UInt8(ascii: "v"): content.append(0x0b)
    case UInt8(ascii: "z"):
      while (0x09...0x0d).contains(self.byte(0)) || self.byte(0) == 0x20 { offset += 1 }
    case UInt8(ascii: "x"):
      content.append(UInt8(truncatingIfNeeded: try number(2, radix: 16)))
    case UInt8(ascii: "u"):
      guard self.byte(0) == UInt8(ascii: "{") else { throw Failure(offset: offset) }
      offset += 1
      // Any number of leading zeros is allowed.
      let code = try number(.max, radix: 16)
      guard self.byte(0) == UInt8(ascii: "}") else { throw Failure(offset: offset) }
      offset += 1
      content += Array(String(Unicode.Scalar(UInt32(clamping: code)) ?? "\u{fffd}").utf8)
    case let digit where digit.isLuaDigit:
      let start = offset - 1
      offset = start
      let code = try number(3, radix: 10)
      guard let byte = UInt8(exactly: code) else { throw Failure(offset: start) }
      content.append(byte)
    case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): content.append(byte)
    default: throw Failure(offset: offset - 1)
    }
  }

  private mutating func number(_ digits: Int, radix: Int) throws(Failure) -> Int {
    var value = 0
    var count = 0
    while count < digits, let digit = Character(Unicode.Scalar(byte(0))).hexDigitValue,
      digit < radix
    {
      value = min(value * radix + digit, 1 << 32)
      count += 1
      offset += 1
    }
    if count == 0 { throw Failure(offset: offset) }
    return value
  }

  /// The number of `=` between the brackets that open a long string; nil if none begins here.
  private func longLevel(at start: Int) -> Int? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "[") else { return nil }
    var end = start + 1
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    return end < bytes.count && bytes[end] == UInt8(ascii: "[") ? end - start - 1 : nil
  }

  private mutating func long(_ level: Int) throws(Failure) -> LuaToken {
    let start = offset
    offset += level + 2
    // A line break right after the brackets, of one or two bytes, is not part of the string.
    let ends = [UInt8(ascii: "\n"), UInt8(ascii: "\r")]
    let first = byte(0)
    if ends.contains(first) { offset += ends.contains(byte(1)) && byte(1) != first ? 2 : 1 }
    let content = offset
    while offset < bytes.count {
      if bytes[offset] == UInt8(ascii: "]"), closesLong(level) {
        let token = LuaToken(
          kind: .string, text: String(decoding: bytes[content..<offset], as: UTF8.self),
          range: start..<(offset + level + 2), contentStart: content)
        offset += level + 2
        return token
      }
      offset += 1
    }
    guard isTolerant else { throw Failure(offset: start) }
    return LuaToken(
      kind: .string, text: String(decoding: bytes[content...], as: UTF8.self),
      range: start..<bytes.count, contentStart: content)
  }

  private func closesLong(_ level: Int) -> Bool {
    for distance in 0..<level where byte(distance + 1) != UInt8(ascii: "=") { return false }
    return byte(level + 1) == UInt8(ascii: "]")
  }
}

extension UInt8 {
  fileprivate var beginsLuaToken: Bool {
    startsLuaName || isLuaDigit || "+-*/%^#&~|<>=(){}[];:,.\"'".utf8.contains(self)
  }

  var isLuaDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var startsLuaName: Bool {
    switch self | 0x20 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: self == UInt8(ascii: "_")
    }
  }

  var continuesLuaName: Bool { startsLuaName || isLuaDigit }
}

/// A Lua token: a word, a string, a number or a symbol.
struct LuaToken {
  enum Kind {
    case name, keyword, number, string, symbol, end
  }

  var kind: Kind
  /// The token as written; for a string, its decoded text.
  var text: String
  /// The bytes of the source that it spans.
  var range: Range<Int>
  /// For a string without escapes, the offset of its content.
  var contentStart: Int?

  func isKeyword(_ word: String) -> Bool { kind == .keyword && text == word }
  func isSymbol(_ sign: String) -> Bool { kind == .symbol && text == sign }
}
