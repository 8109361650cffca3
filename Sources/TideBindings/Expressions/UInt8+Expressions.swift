/// The bytes that the binding language gives a meaning to.
extension UInt8 {
  static let bracketOpen = UInt8(ascii: "[")
  static let bracketClose = UInt8(ascii: "]")
  static let parenthesisOpen = UInt8(ascii: "(")
  static let parenthesisClose = UInt8(ascii: ")")
  static let dot = UInt8(ascii: ".")
  static let comma = UInt8(ascii: ",")
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
