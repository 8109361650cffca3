import TideViews

/// A colour in the terminal's encoding.
package enum Ink: Equatable {
  case standard
  case ansi(UInt8)
  case palette(UInt8)
  case rgb(red: UInt8, green: UInt8, blue: UInt8)

  init(_ color: Color, _ depth: ColorDepth, isBackground: Bool) {
    switch color {
    case .standard: self = .standard
    case .ansi(let number): self = Self.ansi(number & 15, depth, isBackground)
    case .rgb(let red, let green, let blue):
      switch depth {
      case .none: self = .standard
      case .ansi8: self = .ansi(Palette.nearest(among: 8, red: red, green: green, blue: blue))
      case .ansi16: self = .ansi(Palette.nearest(among: 16, red: red, green: green, blue: blue))
      case .palette256: self = .palette(Palette.nearest256(red: red, green: green, blue: blue))
      case .trueColor: self = .rgb(red: red, green: green, blue: blue)
      }
    }
  }

  private static func ansi(_ number: UInt8, _ depth: ColorDepth, _ isBackground: Bool) -> Ink {
    switch depth {
    case .none: return .standard
    // Grey text on black must not become black on black.
    case .ansi8 where number == 8: return isBackground ? .ansi(0) : .ansi(7)
    case .ansi8: return .ansi(number & 7)
    default: return .ansi(number)
    }
  }

  /// `base` is 30 for the foreground and 40 for the background.
  func write(base: Int, _ codes: inout Codes, _ bytes: inout [UInt8]) {
    switch self {
    case .standard:
      codes.append(base + 9, &bytes)
    case .ansi(let number):
      codes.append(number < 8 ? base + Int(number) : base + 60 + Int(number & 7), &bytes)
    case .palette(let number):
      for code in [base + 8, 5, Int(number)] { codes.append(code, &bytes) }
    case .rgb(let red, let green, let blue):
      codes.append(base + 8, &bytes)
      codes.append(2, &bytes)
      codes.append(Int(red), &bytes)
      codes.append(Int(green), &bytes)
      codes.append(Int(blue), &bytes)
    }
  }
}
