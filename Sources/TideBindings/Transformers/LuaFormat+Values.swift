import TideGraph

extension LuaFormat {
  static func format(_ value: Value, _ specification: Specification) throws(TideError) -> [UInt8] {
    switch specification.conversion {
    case "d", "i", "u", "o", "x", "X":
      let format = specification.start + "ll" + String(specification.conversion)
      return NumberText.printedBytes(format, try integer(value))
    case "c":
      return character(try integer(value), specification)
    case "s":
      return try string(value, specification)
    case "q":
      return Array(try literal(value).utf8)
    default:
      return NumberText.printedBytes(specification.text, try number(value))
    }
  }

  private static func integer(_ value: Value) throws(TideError) -> Int {
    switch try numeric(value) {
    case .integer(let integer): return integer
    case .number(let number):
      if let integer = Int(exactly: number) { return integer }
    default: break
    }
    throw conversion("number has no integer representation", value)
  }

  private static func number(_ value: Value) throws(TideError) -> Double {
    Arithmetic.float(try numeric(value))
  }

  /// A number, or a string that reads as one.
  private static func numeric(_ value: Value) throws(TideError) -> Value {
    switch value {
    case .integer, .number: return value
    case .string(let text):
      if let number = Numeral.parse(text) { return number }
    default: break
    }
    throw conversion("number expected", value)
  }

  private static func conversion(_ message: String, _ value: Value) -> TideError {
    TideError(.conversion, "format: \(message), got \(value.shown)")
  }

  /// Formats a single byte. C's `%c` would end a string at a zero byte.
  private static func character(_ code: Int, _ specification: Specification) -> [UInt8] {
    let byte = UInt8(truncatingIfNeeded: code)
    let width = Int(specification.start.filter(\.isNumber)) ?? 0
    let blanks = [UInt8](repeating: 0x20, count: max(0, width - 1))
    return specification.start.contains("-") ? [byte] + blanks : blanks + [byte]
  }

  private static func string(
    _ value: Value, _ specification: Specification
  ) throws(TideError) -> [UInt8] {
    let bytes = display(value)
    if specification.isPlain { return bytes }
    if bytes.contains(0) { throw conversion("string contains zeros", value) }
    // In bytes, as in C. Lua leaves long strings without a precision unchanged.
    let parts = specification.start.dropFirst().split(
      separator: ".", omittingEmptySubsequences: false)
    let hasPrecision = parts.count == 2
    if !hasPrecision, bytes.count >= 100 { return bytes }
    let kept = hasPrecision ? Array(bytes.prefix(Int(parts[1]) ?? 0)) : bytes
    let width = Int(parts[0].filter(\.isNumber)) ?? 0
    let blanks = [UInt8](repeating: 0x20, count: max(0, width - kept.count))
    return specification.start.contains("-") ? kept + blanks : blanks + kept
  }

  /// The result of Lua's `tostring`, in which the float 50 is `50.0`.
  static func display(_ value: Value) -> [UInt8] {
    switch value {
    case .null: return Array("nil".utf8)
    case .bytes(let bytes): return bytes
    case .number(let number):
      let text = NumberText.printedBytes("%.14g", number)
      let looksWhole = text.allSatisfy { $0.isDigit || $0 == .minus }
      return looksWhole ? text + ".0".utf8 : text
    default: return Array((value.text ?? "").utf8)
    }
  }

  /// A literal that Lua reads back as the value.
  private static func literal(_ value: Value) throws(TideError) -> String {
    switch value {
    case .null: return "nil"
    case .boolean(let flag): return flag ? "true" : "false"
    case .integer(let integer):
      return integer == .min ? "0x8000000000000000" : "\(integer)"
    case .number(let number):
      if number.isNaN { return "(0/0)" }
      if number.isInfinite { return number < 0 ? "-1e9999" : "1e9999" }
      return NumberText.printed("%a", number)
    case .string(let text): return quoted(Array(text.utf8))
    case .bytes(let bytes): return quoted(bytes)
    case .object: throw conversion("value has no literal form", value)
    }
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var quoted: [UInt8] = [0x22]
    for (index, byte) in bytes.enumerated() {
      if byte == 0x22 || byte == .backslash || byte == 0x0A {
        quoted += [.backslash, byte]
      } else if byte < 0x20 || byte == 0x7F {
        let digitFollows = index + 1 < bytes.count && bytes[index + 1].isDigit
        let digits = "\(byte)"
        let zeros = digitFollows ? String(repeating: "0", count: 3 - digits.count) : ""
        quoted += Array("\\\(zeros)\(digits)".utf8)
      } else {
        quoted.append(byte)
      }
    }
    return .repaired(quoted + [0x22])
  }
}
