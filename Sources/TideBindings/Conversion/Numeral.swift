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
/// Digits alone are an integer, or a float when they exceed 64 bits; a dot or an exponent makes a
/// float; hexadecimal integers wrap around. White space around the number is free. Unlike Lua it
/// reads `inf`, `-inf` and `nan` in exactly these spellings, which `Value.text` writes.
package enum Numeral {
  package static func parse(_ text: String) -> Value? {
    var text = text
    return text.withUTF8 { parse($0) }
  }

  static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Value? {
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
    // Swift would stop reading at a zero, and no digit lies beyond ASCII.
    if bytes.contains(where: { $0 == 0 || $0 >= 0x80 }) { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    // Swift also reads "infinity", "NaN" and payloads in parentheses.
    if bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "n") }) {
      return ["inf", "-inf", "nan"].contains(text) ? Double(text).map(Value.number) : nil
    }
    return Double(text).map(Value.number)
  }
}
