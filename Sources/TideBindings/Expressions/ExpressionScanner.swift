/// Parses the binding language from UTF-8 bytes, one token after the other.
///
/// ```
/// binding    = path arrow path { "|" transform }
/// path       = step { "." step }
/// step       = name | "@" operator [ "[" argument "]" ] | name "[" index "]"
/// transform  = [ "!" ] name [ "(" [ argument { "," argument } ] ")" ]
/// argument   = literal | ( literal | range | "else" ) ":" literal
/// range      = number ".." [ number ] | ".." number
/// literal    = number | 'text' | "text" | true | false | nil | bareword
/// ```
///
/// White space is allowed between tokens. Every method leaves `position` on the next token. No
/// input traps: invalid input throws a `SyntaxFault`.
struct ExpressionScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The same text, for locating errors after parsing.
  let source: String
  var position = 0

  /// Runs a grammar rule over a text and gives its error the text's column and caret.
  static func scan<Result>(
    _ text: String, _ rule: (inout ExpressionScanner) throws(SyntaxFault) -> Result
  ) throws(TideError) -> Result {
    try run(text, rule) { scanner, fault in scanner.error(for: fault) }
  }

  /// Runs a grammar rule over a text, for callers that have a better location for a fault than the
  /// text.
  static func parse<Result>(
    _ text: String, _ rule: (inout ExpressionScanner) throws(SyntaxFault) -> Result
  ) throws(SyntaxFault) -> Result {
    try run(text, rule) { _, fault in fault }
  }

  private static func run<Result, Failure: Error>(
    _ text: String, _ rule: (inout ExpressionScanner) throws(SyntaxFault) -> Result,
    failingWith failure: (ExpressionScanner, SyntaxFault) -> Failure
  ) throws(Failure) -> Result {
    var contiguous = text
    let outcome: Swift.Result<Result, Failure> = contiguous.withUTF8 { bytes in
      var scanner = ExpressionScanner(bytes: bytes, source: text)
      do throws(SyntaxFault) {
        try scanner.checkLength()
        return .success(try rule(&scanner))
      } catch {
        return .failure(failure(scanner, error))
      }
    }
    return try outcome.get()
  }

  /// Rejects a text that is too long before reading it. The fault is at the beginning, so that
  /// showing its location does not read the text either.
  private func checkLength() throws(SyntaxFault) {
    if bytes.count <= TextLimit.bytes { return }
    throw SyntaxFault(.badArgument, at: 0, "an expression \(TextLimit.excess(bytes.count))")
  }

  @inline(__always) var isAtEnd: Bool { position >= bytes.count }

  /// The byte at the position, or 0 at the end.
  @inline(__always) var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  /// The byte some way ahead, or 0 beyond the end.
  @inline(__always) func byte(ahead distance: Int) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  @inline(__always) mutating func skipSpace() {
    while position < bytes.count, bytes[position].isSpace { position += 1 }
  }

  /// Takes the byte, and the space after it, if it comes next.
  @inline(__always) mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted, !isAtEnd else { return false }
    position += 1
    skipSpace()
    return true
  }

  /// Takes a name without the space after it; nil when none starts here.
  @inline(__always) mutating func name() -> String? {
    let start = position
    guard byte.startsName else { return nil }
    repeat { position += 1 } while byte.continuesName
    return text(start..<position)
  }

  @inline(__always) func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}

/// The bytes that have a meaning in the binding language.
extension UInt8 {
  static let bracketOpen = UInt8(ascii: "[")
  static let bracketClose = UInt8(ascii: "]")
  static let parenthesisOpen = UInt8(ascii: "(")
  static let parenthesisClose = UInt8(ascii: ")")
  static let dot = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let bar = UInt8(ascii: "|")
  static let bang = UInt8(ascii: "!")
  static let at = UInt8(ascii: "@")
  static let minus = UInt8(ascii: "-")
  static let plus = UInt8(ascii: "+")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let tilde = UInt8(ascii: "~")
  static let backslash = UInt8(ascii: "\\")

  /// Space, tab, line feed, vertical tab, form feed or carriage return.
  @inline(__always) var isSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }
  @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  @inline(__always) var isQuote: Bool { self == 0x22 || self == 0x27 }
  @inline(__always) var isArrowPart: Bool {
    self == .minus || self == .less || self == .greater || self == .bang || self == .tilde
      || self == UInt8(ascii: "=")
  }

  /// A letter, an underscore or any part of a character beyond ASCII.
  @inline(__always) var startsName: Bool {
    (self | 0x20 >= 0x61 && self | 0x20 <= 0x7A) || self == 0x5F || self >= 0x80
  }
  @inline(__always) var continuesName: Bool { startsName || isDigit }
}
