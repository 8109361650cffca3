import TideGraph

/// Reads JSON, and says where it is broken.
///
/// Whole numbers become integers where they fit. Where the turn has no time or memory for all of
/// it, the error has no location.
struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  private let file: String
  /// What the tree takes.
  private var budget = TextBudget()

  private static let deepest = 100

  /// - Parameter file: what messages call it.
  init(_ bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// Reads one value and nothing after it.
  static func read(_ bytes: [UInt8], file: String) throws(TideError) -> JSONTree {
    var reader = JSONReader(bytes, file: file)
    let value = try reader.value()
    reader.skipSpace()
    if reader.position < bytes.count { throw reader.fault("nothing after the end of the value") }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 {
      position += 1
    }
  }

  private func fault(_ expected: String) -> TideError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == 0x0a } + 1
    let column = before.count - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
    let found: String
    if let byte = next {
      found =
        byte > 0x20 && byte < 0x7f ? "\"\(Character(UnicodeScalar(byte)))\"" : "byte \(byte)"
    } else {
      found = "the end"
    }
    return TideError(
      .settings, "expected \(expected), found \(found)",
      location: SourceLocation(file: file, line: line, column: column))
  }

  // MARK: Values

  private mutating func value() throws(TideError) -> JSONTree {
    skipSpace()
    try admit(JSONTree.weight)
    switch next {
    case UInt8(ascii: "{"): return try nested { (reader) throws(TideError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { (reader) throws(TideError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func nested(
    _ body: (inout JSONReader) throws(TideError) -> JSONTree
  ) throws(TideError) -> JSONTree {
    depth += 1
    if depth > Self.deepest { throw fault("no more than \(Self.deepest) levels") }
    defer { depth -= 1 }
    position += 1
    return try body(&self)
  }

  private mutating func object() throws(TideError) -> JSONTree {
    var entries: [DictionaryKey: JSONTree] = [:]
    skipSpace()
    if take("}") { return .object(entries) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw fault("a key in quotes") }
      let key = try text()
      skipSpace()
      if !take(":") { throw fault("\":\" after the key") }
      try admit(JSONTree.entryWeight)
      entries[.text(key)] = try value()
      skipSpace()
    } while take(",")
    if !take("}") { throw fault("\",\" or \"}\"") }
    return .object(entries)
  }

  private mutating func array() throws(TideError) -> JSONTree {
    var elements: [JSONTree] = []
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      elements.append(try value())
      skipSpace()
    } while take(",")
    if !take("]") { throw fault("\",\" or \"]\"") }
    return .array(elements)
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func word(_ word: String, _ value: JSONTree) throws(TideError) -> JSONTree {
    guard bytes[position...].starts(with: word.utf8) else { throw fault("a value") }
    position += word.utf8.count
    return value
  }

  private mutating func number() throws(TideError) -> JSONTree {
    let start = position
    while let byte = next, Self.isNumberPart(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    if let first = digits.utf8.first, first >= 0x30, first <= 0x39 {
      if let integer = Int(text) { return .integer(integer) }
      if let number = Double(text), number.isFinite { return .number(number) }
    }
    position = start
    throw fault("a value")
  }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "e"),
      UInt8(ascii: "E"):
      true
    default: false
    }
  }

  // MARK: Text

  private mutating func admit(_ bytes: Int) throws(TideError) {
    do throws(WorkError) { try budget.add(bytes) } catch { throw TideError(error) }
  }

  private mutating func text() throws(TideError) -> String {
    position += 1
    var found: [UInt8] = []
    var clock = WorkClock()
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        // The bytes, and the text that is made of them.
        if found.count > 15 { try admit(2 * found.count) }
        guard let text = String(validating: found, as: UTF8.self) else {
          throw fault("text in UTF-8 before this")
        }
        return text
      case UInt8(ascii: "\\"):
        position += 1
        found += String(try escape()).utf8
      case 0..<0x20: throw fault("the end of the text on its line")
      default:
        let start = position
        while position < bytes.count, position - start < Self.stretch, Self.isPlain(bytes[position])
        {
          position += 1
        }
        found += bytes[start..<position]
      }
      do throws(WorkError) { try clock.step(bytes: Self.stretch) } catch { throw TideError(error) }
    }
    throw fault("the end of the text")
  }

  /// So many bytes of a text are gone through at once.
  private static let stretch = 4096

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func escape() throws(TideError) -> Unicode.Scalar {
    guard let byte = next else { throw fault("the rest of an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return try scalar()
    default:
      position -= 1
      throw fault("one of \" \\ / b f n r t u after \\")
    }
  }

  private mutating func scalar() throws(TideError) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xdc00, take("\\"), take("u") else { throw fault("the second half of a pair") }
    let second = try unit()
    guard second >= 0xdc00, second < 0xe000,
      let scalar = Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    else { throw fault("the second half of a pair before this") }
    return scalar
  }

  private mutating func unit() throws(TideError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
    else { throw fault("four hexadecimal digits") }
    position += 4
    return unit
  }
}
