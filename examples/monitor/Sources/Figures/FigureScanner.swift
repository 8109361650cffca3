/// Walks over the text of a /proc file, field by field and line by line.
///
/// ```swift
/// var scanner = FigureScanner("cpu0 100 7\ncpu1 200 8")
/// scanner.word()        // "cpu0"
/// scanner.integer()     // 100
/// scanner.nextLine()    // true
/// ```
///
/// A field ends at a blank; no call but `nextLine` leaves the line. What cannot be read is nil, and
/// the scanner then stays where it was.
struct FigureScanner {
  private let bytes: [UInt8]
  private var position: Int

  /// Larger numbers are cut to this, which leaves room for a sum of several.
  private static let most = 1 << 58

  init(_ bytes: [UInt8], from position: Int = 0) {
    self.bytes = bytes
    self.position = position
  }

  init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// A whole number, with a sign or not.
  mutating func integer() -> Int? {
    let start = skipBlanks(from: position)
    let isNegative = start < bytes.count && bytes[start] == UInt8(ascii: "-")
    let digits = isNegative ? start + 1 : start
    guard let (value, end) = digitRun(from: digits) else { return nil }
    position = end
    return isNegative ? -value : value
  }

  /// A decimal number such as `0.49`.
  mutating func number() -> Double? {
    guard let (whole, point) = digitRun(from: skipBlanks(from: position)) else { return nil }
    position = point
    guard point < bytes.count, bytes[point] == UInt8(ascii: "."),
      let (fraction, end) = digitRun(from: point + 1)
    else { return Double(whole) }
    position = end
    var scale = 1.0
    for _ in point + 1..<end { scale *= 10 }
    return (Double(whole) * scale + Double(fraction)) / scale
  }

  /// The text up to the next blank, or up to a delimiter, which is passed over.
  mutating func word(endingAt delimiter: Character? = nil) -> String? {
    let start = skipBlanks(from: position)
    var end = start
    while end < bytes.count, !isBlank(bytes[end]), !isNewline(bytes[end]),
      bytes[end] != delimiter?.asciiValue
    {
      end += 1
    }
    guard end > start else { return nil }
    position = end < bytes.count && bytes[end] == delimiter?.asciiValue ? end + 1 : end
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Passes over some fields.
  mutating func skip(_ count: Int) {
    for _ in 0..<count {
      position = skipBlanks(from: position)
      while position < bytes.count, !isBlank(bytes[position]), !isNewline(bytes[position]) {
        position += 1
      }
    }
  }

  /// Whether the rest of the text begins so.
  func isAt(_ prefix: StaticString) -> Bool {
    prefix.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  /// The rest of the line.
  func restOfLine() -> String {
    let start = skipBlanks(from: position)
    let end = bytes[start...].firstIndex(where: isNewline) ?? bytes.count
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Goes to the beginning of the next line; false at the end of the text.
  mutating func nextLine() -> Bool {
    let end = bytes[position...].firstIndex(where: isNewline) ?? bytes.count
    position = min(end + 1, bytes.count)
    return position < bytes.count
  }

  private func digitRun(from start: Int) -> (value: Int, end: Int)? {
    var value = 0
    var end = start
    while end < bytes.count, case let digit = bytes[end] &- UInt8(ascii: "0"), digit < 10 {
      value = min(value * 10 + Int(digit), Self.most)
      end += 1
    }
    return end > start ? (value, end) : nil
  }

  private func skipBlanks(from start: Int) -> Int {
    var position = start
    while position < bytes.count, isBlank(bytes[position]) { position += 1 }
    return position
  }

  private func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private func isNewline(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") }
}
