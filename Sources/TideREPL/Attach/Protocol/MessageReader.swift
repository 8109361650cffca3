import TideBindings

/// Reads one message from the bytes of a line, whatever they are.
///
/// Where a name is there twice the last one counts. It takes time and memory in step with the line.
struct MessageReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// - Parameter line: without its end.
  static func read(_ line: ArraySlice<UInt8>) throws(TideError) -> Message {
    var reader = MessageReader(line)
    return try reader.message()
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private func fault(_ expected: String) -> TideError {
    TideError(
      .attach, "the message is broken: expected \(expected) at byte \(position - bytes.startIndex)")
  }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0D { position += 1 }
  }

  private mutating func take(_ sign: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: sign) else { return false }
    position += 1
    return true
  }

  private mutating func message() throws(TideError) -> Message {
    guard take("{") else { throw fault("{") }
    var order: [String] = []
    var values: [String: Message.Field] = [:]
    if !take("}") {
      repeat {
        skipBlanks()
        let name = try text("a name in quotes")
        guard take(":") else { throw fault("\":\" after the name") }
        let value = try field()
        if values.updateValue(value ?? .flag(false), forKey: name) == nil { order.append(name) }
        if value == nil { values[name] = nil }
      } while take(",")
      guard take("}") else { throw fault("\",\" or \"}\"") }
    }
    skipBlanks()
    guard next == nil else { throw fault("the end of the line") }
    guard case .text(let kind) = values["kind"] else {
      throw TideError(.attach, "the message has no kind; write {\"kind\":\"evaluate\", …}")
    }
    var fields: [(name: String, value: Message.Field)] = []
    for name in order where name != "kind" {
      // One that was null at last is none; one that came and went and came stands once.
      if let value = values.removeValue(forKey: name) { fields.append((name, value)) }
    }
    return Message(kind, fields: fields)
  }

  private mutating func field() throws(TideError) -> Message.Field? {
    skipBlanks()
    switch next {
    case UInt8(ascii: "\""): return .text(try text("a text"))
    case UInt8(ascii: "["): return .texts(try texts())
    case UInt8(ascii: "t"):
      try word("true")
      return .flag(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .flag(false)
    case UInt8(ascii: "n"):
      try word("null")
      return nil
    case UInt8(ascii: "-"): return .number(try number())
    case let byte? where LuaTokens.isDigit(byte): return .number(try number())
    default:
      throw fault("a text, a whole number, true, false, null or a list of texts")
    }
  }

  private mutating func word(_ word: String) throws(TideError) {
    guard bytes[position...].starts(with: word.utf8) else { throw fault(word) }
    position += word.utf8.count
  }

  private mutating func number() throws(TideError) -> Int {
    let start = position
    while let byte = next, byte == UInt8(ascii: "-") || LuaTokens.isDigit(byte) { position += 1 }
    // What follows would make it another number.
    if let byte = next, "+.eE".utf8.contains(byte) { throw fault("the end of a whole number") }
    guard let number = Int(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      position = start
      throw fault("a whole number of 64 bits")
    }
    return number
  }

  private mutating func texts() throws(TideError) -> [String] {
    position += 1
    var texts: [String] = []
    if take("]") { return texts }
    repeat {
      skipBlanks()
      texts.append(try text("a text"))
    } while take(",")
    guard take("]") else { throw fault("\",\" or \"]\"") }
    return texts
  }

  // MARK: Texts

  private mutating func text(_ expected: String) throws(TideError) -> String {
    guard next == UInt8(ascii: "\"") else { throw fault(expected) }
    position += 1
    var found: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: found, as: UTF8.self) else {
          throw fault("text in UTF-8 before this")
        }
        position += 1
        return text
      case UInt8(ascii: "\\"):
        position += 1
        found += try escape()
      case 0..<0x20: throw fault("no control character in a text; escape it")
      default:
        // What needs no look comes in one piece.
        let end = bytes[position...].firstIndex {
          $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
        }
        found += bytes[position..<(end ?? bytes.endIndex)]
        position = end ?? bytes.endIndex
      }
    }
    throw fault("the end of the text")
  }

  private mutating func escape() throws(TideError) -> [UInt8] {
    guard let byte = next else { throw fault("the rest of an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default:
      position -= 1
      throw fault("one of \" \\ / b f n r t u after \\")
    }
  }

  private mutating func scalar() throws(TideError) -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    // Half of a pair alone stands for nothing.
    guard first < 0xDC00, bytes[position...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
    position += 2
    let second = try unit()
    guard (0xDC00..<0xE000).contains(second) else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func unit() throws(TideError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Self.isHexadecimal($0) }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits") }
    position += 4
    return unit
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    LuaTokens.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}

extension Message {
  /// Reads a line. Throws what is wrong with it.
  package init(line: String) throws { self = try MessageReader.read(ArraySlice(line.utf8)) }
}
