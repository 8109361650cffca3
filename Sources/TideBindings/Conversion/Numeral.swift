import TideGraph
package import TideValues

/// A number written as text, read as Lua's `tonumber` reads it.
///
/// ```swift
/// Numeral.parse("250")      // .integer(250)
/// Numeral.parse(" 2.5e1 ")  // .number(25.0)
/// Numeral.parse("0x10")     // .integer(16)
/// Numeral.parse("12 kg")    // nil
/// ```
///
/// Digits alone are an integer, or a float if they exceed 64 bits; a dot or an exponent makes a
/// float; hexadecimal integers wrap around. White space around the number is ignored. Infinite
/// values and NaN are rejected: `inf`, `nan`, `1e400`.
///
/// Unlike Lua it accepts notations of other programs: U+2212 as a minus, full-width digits, and
/// groups of three digits separated by a narrow or no-break space or an apostrophe.
package enum Numeral {
  package static func parse(_ text: String) -> Value? {
    var text = text
    if let value = text.withUTF8({ parse($0) }) { return value }
    guard let plain = plain(text) else { return nil }
    text = plain
    return text.withUTF8 { parse($0) }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    guard let value = literal(bytes) else { return nil }
    if case .number(let number) = value, !number.isFinite { return nil }
    return value
  }

  /// A number in an expression, where `inf`, `-inf` and `nan` can be written.
  static func literal(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    var start = 0
    var end = bytes.count
    while start < end, bytes[start].isSpace { start += 1 }
    while end > start, bytes[end - 1].isSpace { end -= 1 }
    guard start < end else { return nil }
    let trimmed = UnsafeBufferPointer(rebasing: bytes[start..<end])
    return integer(trimmed) ?? float(trimmed)
  }

  private static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    let isNegative = bytes[0] == .minus
    var index = isNegative || bytes[0] == .plus ? 1 : 0
    if bytes.count - index > 2, bytes[index] == 0x30, bytes[index + 1] | 0x20 == 0x78 {
      return hexadecimal(bytes[(index + 2)...], isNegative: isNegative)
    }
    guard index < bytes.count else { return nil }
    var magnitude: UInt64 = 0
    while index < bytes.count {
      guard bytes[index].isDigit else { return nil }
      let (tens, overflows) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carries) = tens.addingReportingOverflow(UInt64(bytes[index] - 0x30))
      guard !overflows, !carries else { return nil }
      magnitude = sum
      index += 1
    }
    guard magnitude <= UInt64(Int.max) + (isNegative ? 1 : 0) else { return nil }
    return .integer(Int(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude))
  }

  private static func hexadecimal(
    _ digits: Slice<UnsafeBufferPointer<UInt8>>, isNegative: Bool
  ) -> Value? {
    var magnitude: UInt64 = 0
    for byte in digits {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      magnitude = magnitude << 4 | UInt64(digit)
    }
    return .integer(Int(truncatingIfNeeded: isNegative ? 0 &- magnitude : magnitude))
  }

  private static func float(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
    // Swift would stop reading at a zero byte, and no digit is beyond ASCII.
    if bytes.contains(where: { $0 == 0 || $0 >= 0x80 }) { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    // Swift also reads "infinity", "NaN" and payloads in parentheses.
    if bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "n") }) {
      return ["inf", "-inf", "nan"].contains(text) ? Double(text).map(Value.number) : nil
    }
    return Double(text).map(Value.number)
  }
  // MARK: Other notations

  /// The separators between groups of digits in other programs.
  static let separators: Set<Character> = [
    "\u{a0}", "\u{202f}", "\u{2007}", "\u{2009}", "'", "’",
  ]

  /// Converts a number from another program's notation to Lua's; nil if there is nothing to
  /// convert.
  private static func plain(_ text: String) -> String? {
    if text.utf8.count > longest { return nil }
    let narrow = withoutWideForms(text)
    let trimmed = narrow.trimmed
    let sign = trimmed.prefix { $0 == "-" || $0 == "+" }
    let whole = trimmed.dropFirst(sign.count).prefix { $0 != "." && $0 != "e" && $0 != "E" }
    // No-break spaces around the number, as pages have them, are white space as well.
    guard whole.contains(where: separators.contains) else { return trimmed == text ? nil : trimmed }
    guard let digits = ungrouped(whole, where: separators.contains) else { return nil }
    return sign + digits + trimmed.dropFirst(sign.count + whole.count)
  }

  /// The maximum length of a number in bytes.
  private static let longest = 512

  /// The digits of a number in groups of three; nil for anything else.
  static func ungrouped(
    _ text: Substring, where isSeparator: (Character) -> Bool
  ) -> String? {
    let groups = text.split(omittingEmptySubsequences: false, whereSeparator: isSeparator)
    guard let first = groups.first, (1...3).contains(first.utf8.count),
      groups.dropFirst().allSatisfy({ $0.utf8.count == 3 }),
      groups.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) })
    else { return nil }
    return groups.joined()
  }

  /// Replaces full-width digits, signs and separators by plain ones, and a minus sign by a hyphen.
  static func withoutWideForms(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2212, 0xFF0D: plain.append("-")
      case 0xFF0B...0xFF19: plain.append(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar)
      case 0x3000: plain.append(" ")
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }
}
