import TideGraph

extension ExpressionScanner {
  /// Takes `{ "|" transform }` up to the end of the text.
  mutating func transforms() throws(SyntaxFault) -> [TransformCall] {
    if isAtEnd { return [] }
    var transforms: [TransformCall] = []
    while take(.bar) { transforms.append(try transform()) }
    if isAtEnd { return transforms }
    let expected =
      transforms.isEmpty
      ? "expected \"|\" and a transformer, or the end" : "expected \"|\" or the end"
    if byte.startsName || byte.isArrowPart {
      throw SyntaxFault(at: position, "\(expected), found \(found)")
    }
    throw SyntaxFault(at: position, "stray character: \(expected), found \(found)")
  }

  /// Takes transformers without the bar before the first, up to the end of the text.
  mutating func wholeTransforms() throws(SyntaxFault) -> [TransformCall] {
    skipSpace()
    return [try transform()] + (try transforms())
  }

  private mutating func transform() throws(SyntaxFault) -> TransformCall {
    let isReversed = take(.bang)
    let start = position
    guard let name = name() else {
      let before = isReversed ? " after \"!\"" : position == 0 ? "" : " after \"|\""
      throw SyntaxFault(
        at: position, "expected the name of a transformer\(before), found \(found)")
    }
    skipSpace()
    var call = TransformCall(name, isReversed: isReversed)
    call.location = ExpressionLocation(source: source, offset: start)
    guard byte == .parenthesisOpen else { return call }
    let opened = position
    _ = take(.parenthesisOpen)
    if take(.parenthesisClose) { return call }
    repeat {
      if isAtEnd { throw unclosedParenthesis(at: opened) }
      try argument(of: &call)
    } while take(.comma)
    if isAtEnd { throw unclosedParenthesis(at: opened) }
    guard take(.parenthesisClose) else {
      throw SyntaxFault(
        at: position,
        "expected \",\" or \")\", found \(found); text that is not one plain word goes in quotes")
    }
    return call
  }

  /// Takes a literal, or an entry of a map, and the space after it.
  private mutating func argument(of call: inout TransformCall) throws(SyntaxFault) {
    let isWord = byte.startsName
    let value: Value? = isRange ? nil : try literal()
    skipSpace()
    let isRange = isRange
    let end = isRange ? try rangeEnd() : nil
    skipSpace()
    if take(.colon) {
      let key: MapEntry.Key =
        if isRange {
          .range(from: value?.finiteNumber, through: end)
        } else {
          isWord && value == .string("else") ? .otherwise : .value(value ?? .null)
        }
      call.entries.append(MapEntry(key, try literal()))
      skipSpace()
    } else if isRange {
      throw SyntaxFault(at: position, "expected \":\" after the range, found \(found)")
    } else {
      call.arguments.append(value ?? .null)
    }
  }

  private var isRange: Bool { byte == .dot && byte(ahead: 1) == .dot }

  /// Takes the rest of a range after its first bound. Nil for a range without a second bound.
  private mutating func rangeEnd() throws(SyntaxFault) -> Double? {
    position += 2
    skipSpace()
    guard byte.isDigit || byte == .minus || byte == .plus || byte == .dot else { return nil }
    return try number().finiteNumber
  }

  private func unclosedParenthesis(at offset: Int) -> SyntaxFault {
    SyntaxFault(
      at: bytes.count,
      "unterminated parenthesis: expected \")\" for the \"(\" at column \(column(of: offset)), "
        + "found the end")
  }

  private mutating func literal() throws(SyntaxFault) -> Value {
    if byte.isQuote { return .string(try quotedText()) }
    if byte.isDigit || byte == .minus || byte == .plus || byte == .dot { return try number() }
    guard let word = name() else {
      throw SyntaxFault(
        at: position,
        "expected a number, a text, true, false or nil, found \(found); "
          + "text that is not one plain word goes in quotes")
    }
    switch word {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "nil": return .null
    default: return .string(word)
    }
  }

  /// Takes all that looks like part of a number, as Lua does, so that `1.2.3` is one bad number.
  private mutating func number() throws(SyntaxFault) -> Value {
    let start = position
    position += 1
    while byte.continuesName || (byte == .dot && !isRange) || isExponentSign { position += 1 }
    if let value = Numeral.literal(UnsafeBufferPointer(rebasing: bytes[start..<position])) {
      return value
    }
    throw SyntaxFault(
      at: start, "bad number: expected digits such as 12 or 0.5, found \(quoted(start..<position))")
  }

  private var isExponentSign: Bool {
    guard byte == .minus || byte == .plus, position > 0 else { return false }
    let before = bytes[position - 1] | 0x20
    return before == UInt8(ascii: "e") || before == UInt8(ascii: "p")
  }

  /// Takes text in quotes. `\n`, `\t`, `\r`, `\\` and an escaped quote have the same meaning as in
  /// Lua; any other backslash is literal.
  mutating func quotedText() throws(SyntaxFault) -> String {
    let opened = position
    let quote = byte
    position += 1
    let start = position
    while !isAtEnd, byte != quote, byte != .backslash { position += 1 }
    if byte == quote, !isAtEnd {
      position += 1
      return text(start..<(position - 1))
    }
    var collected = Array(bytes[start..<position])
    while !isAtEnd, byte != quote {
      if byte == .backslash, let escaped = Self.escaped(byte(ahead: 1), quote: quote) {
        collected.append(escaped)
        position += 2
      } else {
        collected.append(byte)
        position += 1
      }
    }
    guard !isAtEnd else {
      throw SyntaxFault(
        at: bytes.count,
        "unterminated string: expected \(quote == 0x22 ? "\"" : "'") for the one at column "
          + "\(column(of: opened)), found the end")
    }
    position += 1
    return String(decoding: collected, as: UTF8.self)
  }

  private static func escaped(_ byte: UInt8, quote: UInt8) -> UInt8? {
    switch byte {
    case quote, .backslash, 0x22, 0x27: byte
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "r"): 0x0D
    default: nil
    }
  }
}

extension Value {
  fileprivate var finiteNumber: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .number(let number): number.isFinite ? number : nil
    default: nil
    }
  }
}
