public import TideBindings

/// A colour of a cell: the terminal's default, one of the 16 ANSI colours, or RGB.
///
/// ```swift
/// try Color("brightBlue")
/// try Color("#08f")       // the same as #0088ff
/// ```
public enum Color: Hashable, Sendable {
  /// The terminal's default colour.
  case standard
  /// 0...7 black red green yellow blue magenta cyan white, 8...15 the same, bright.
  case ansi(UInt8)
  /// An RGB colour, each component from 0 to 255.
  case rgb(red: UInt8, green: UInt8, blue: UInt8)
}

extension Color {
  /// The names of the 16 ANSI colours, in the order of their numbers.
  public static let names = [
    "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    "brightBlack", "brightRed", "brightGreen", "brightYellow", "brightBlue", "brightMagenta",
    "brightCyan", "brightWhite",
  ]

  private static let numbers: [String: UInt8] = {
    var numbers: [String: UInt8] = ["gray": 8, "grey": 8]
    for (number, name) in names.enumerated() { numbers[name] = UInt8(number) }
    return numbers
  }()

  /// Parses one of the 16 names (`gray` is `brightBlack`), `#rgb` or `#rrggbb`.
  ///
  /// - Throws: `badColor`, with the nearest name.
  public init(_ text: String) throws(TideError) {
    if let number = Self.numbers[text] {
      self = .ansi(number)
    } else if let color = Self.hexadecimal(text) {
      self = color
    } else {
      throw TideError(.badColor, Self.complaint(about: text))
    }
  }

  private static func hexadecimal(_ text: String) -> Color? {
    var digits: [UInt8] = []
    var bytes = text.utf8.makeIterator()
    guard bytes.next() == UInt8(ascii: "#") else { return nil }
    while let byte = bytes.next() {
      guard digits.count < 6, let digit = Character(Unicode.Scalar(byte)).hexDigitValue
      else { return nil }
      digits.append(UInt8(digit))
    }
    switch digits.count {
    case 3:
      return .rgb(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
    case 6:
      return .rgb(
        red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3],
        blue: digits[4] << 4 | digits[5])
    default:
      return nil
    }
  }

  private static func complaint(about text: String) -> String {
    let shown = "\"\(text)\" is not a colour"
    if text.hasPrefix("#") { return "\(shown): after # come 3 or 6 hexadecimal digits" }
    guard let near = NearestName.find(text, in: names + ["gray"]) else {
      return "\(shown): the colours are \(names.joined(separator: " ")), #rgb and #rrggbb"
    }
    return "\(shown); did you mean \"\(near)\"?"
  }
}

extension Color: CustomStringConvertible {
  /// The name, or `#rrggbb`; `standard` for the terminal's default.
  public var description: String {
    switch self {
    case .standard: return "standard"
    case .ansi(let number): return Self.names[Int(number & 15)]
    case .rgb(let red, let green, let blue):
      return "#"
        + [red, green, blue].map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
        .joined()
    }
  }
}
