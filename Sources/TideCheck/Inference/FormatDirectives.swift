/// The directives of a format, as Lua's `string.format` reads them.
///
/// ```swift
/// FormatDirectives("%02d of %s").values.map(\.conversion)     // d, s
/// FormatDirectives("%02y").unknown?.text                      // %02y
/// ```
struct FormatDirectives {
  struct Directive {
    /// The bytes of the format before it.
    let offset: Int
    let text: String
    let conversion: Character

    /// The type of value that it formats, as annotations name it.
    var type: String? {
      switch conversion {
      case "d", "i", "u", "o", "x", "X", "c": "integer"
      case "a", "A", "e", "E", "f", "g", "G": "number"
      default: nil
      }
    }
  }

  /// The directives that take a value, in order.
  private(set) var values: [Directive] = []
  /// The first directive that `string.format` refuses. What follows it is not read.
  private(set) var unknown: Directive?

  init(_ format: String) {
    let bytes = Array(format.utf8)
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "%")) {
      index = start + 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "%") {
        index += 1
        continue
      }
      while index < bytes.count, Self.modifiers.contains(bytes[index]) { index += 1 }
      let end = min(index + 1, bytes.count)
      let text = String(decoding: bytes[start..<end], as: UTF8.self)
      let directive = Directive(
        offset: start, text: text,
        conversion: index < bytes.count ? Character(Unicode.Scalar(bytes[index])) : "%")
      guard Self.isValid(bytes[(start + 1)..<index], directive.conversion) else {
        unknown = directive
        return
      }
      values.append(directive)
      index = end
    }
  }

  private static let modifiers = Set("-+ #0123456789.".utf8)

  /// Whether a conversion exists and takes these modifiers: at most two digits of width, and two
  /// of precision.
  private static func isValid(_ modifiers: ArraySlice<UInt8>, _ conversion: Character) -> Bool {
    let flags: String
    switch conversion {
    case "c", "p", "s": flags = "-"
    case "d", "i": flags = "-+0 "
    case "u": flags = "-0"
    case "o", "x", "X": flags = "-#0"
    case "a", "A", "e", "E", "f", "g", "G": flags = "-+#0 "
    case "q": return modifiers.isEmpty
    default: return false
    }
    let rest = modifiers.drop { Set(flags.utf8).contains($0) }
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let takesPrecision = conversion != "c" && conversion != "p"
    return parts.count <= (takesPrecision ? 2 : 1)
      && parts.allSatisfy { $0.count <= 2 && $0.allSatisfy(\.isLuaDigit) }
  }
}
