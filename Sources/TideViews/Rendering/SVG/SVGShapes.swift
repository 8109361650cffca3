/// Draws graphic characters as shapes that connect across cells in every font: box-drawing lines,
/// blocks and Braille dots.
enum SVGShapes {
  /// Path data, grouped by drawing style.
  struct Path {
    var fill = ""
    var light = ""
    var heavy = ""
    var dashed = ""
  }

  /// The shapes of a character in the cell with the given top left corner; nil for other
  /// characters.
  static func path(of character: Character, x: Double, y: Double) -> Path? {
    guard let scalar = character.unicodeScalars.first, character.unicodeScalars.count == 1 else {
      return nil
    }
    let value = scalar.value
    switch value {
    case 0x2500...0x257F: return line(value, x, y)
    case 0x2581...0x2588:
      let height = SVGPicture.cellHeight * Double(value - 0x2580) / 8
      return block(x, y + SVGPicture.cellHeight - height, SVGPicture.cellWidth, height)
    case 0x2589...0x258F:
      return block(
        x, y, SVGPicture.cellWidth * Double(0x2590 - value) / 8, SVGPicture.cellHeight)
    case 0x2580: return block(x, y, SVGPicture.cellWidth, SVGPicture.cellHeight / 2)
    case 0x2590:
      return block(
        x + SVGPicture.cellWidth / 2, y, SVGPicture.cellWidth / 2, SVGPicture.cellHeight)
    case 0x2800...0x28FF: return dots(value & 0xFF, x, y)
    default: return nil
    }
  }

  private static func block(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Path {
    Path(fill: "M\(text(x)) \(text(y))h\(text(width))v\(text(height))h\(text(-width))z")
  }

  // MARK: Lines

  /// The arms of each box-drawing character: up, right, down, left; `l` is light, `h` is heavy.
  private static let arms: [UInt32: String] = [
    0x2500: " l l", 0x2501: " h h", 0x2502: "l l ", 0x2503: "h h ", 0x250C: " ll ",
    0x250F: " hh ", 0x2510: "  ll", 0x2513: "  hh", 0x2514: "ll  ", 0x2517: "hh  ",
    0x2518: "l  l", 0x251B: "h  h", 0x251C: "lll ", 0x2523: "hhh ", 0x2524: "l ll",
    0x252B: "h hh", 0x252C: " lll", 0x2533: " hhh", 0x2534: "ll l", 0x253B: "hh h",
    0x253C: "llll", 0x254B: "hhhh", 0x2574: "   l", 0x2575: "l   ", 0x2576: " l  ",
    0x2577: "  l ", 0x2578: "   h", 0x2579: "h   ", 0x257A: " h  ", 0x257B: "  h ",
    0x2506: "l l ", 0x250A: "l l ", 0x254E: "l l ",
  ]

  private static func line(_ value: UInt32, _ x: Double, _ y: Double) -> Path? {
    let middleX = x + SVGPicture.cellWidth / 2
    let middleY = y + SVGPicture.cellHeight / 2
    let ends = [
      (middleX, y), (x + SVGPicture.cellWidth, middleY), (middleX, y + SVGPicture.cellHeight),
      (x, middleY),
    ]
    if let (from, to) = arc(value) {
      return Path(
        light: "M\(text(ends[from].0)) \(text(ends[from].1))"
          + "Q\(text(middleX)) \(text(middleY)) \(text(ends[to].0)) \(text(ends[to].1))")
    }
    if [0x2504, 0x2508, 0x254C].contains(value) {
      return Path(dashed: "M\(text(x)) \(text(middleY))h\(text(SVGPicture.cellWidth))")
    }
    guard let arms = arms[value] else { return nil }
    var path = Path()
    for (end, kind) in zip(ends, arms) where kind != " " {
      let segment =
        "M\(text(middleX)) \(text(middleY))L\(text(end.0)) \(text(end.1))"
      if kind == "h" { path.heavy += segment } else { path.light += segment }
    }
    return path
  }

  /// Rounded corners, by the two ends that they connect.
  private static func arc(_ value: UInt32) -> (Int, Int)? {
    switch value {
    case 0x256D: (2, 1)
    case 0x256E: (3, 2)
    case 0x256F: (0, 3)
    case 0x2570: (0, 1)
    default: nil
    }
  }

  // MARK: Dots

  /// The column and row of each bit of a Braille pattern.
  private static let positions = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]

  private static func dots(_ bits: UInt32, _ x: Double, _ y: Double) -> Path {
    var path = Path()
    for (bit, (column, row)) in positions.enumerated() where bits >> UInt32(bit) & 1 == 1 {
      let centerX = x + SVGPicture.cellWidth * (Double(column) * 0.5 + 0.25)
      let centerY = y + SVGPicture.cellHeight * (Double(row) * 0.25 + 0.125)
      path.fill +=
        "M\(text(centerX - 1.4)) \(text(centerY))a1.4 1.4 0 1 0 2.8 0a1.4 1.4 0 1 0 -2.8 0z"
    }
    return path
  }

  /// A length with at most two decimals.
  static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let sign = hundredths < 0 ? "-" : ""
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    if rest == 0 { return "\(sign)\(whole)" }
    let digits = rest % 10 == 0 ? "\(rest / 10)" : (rest < 10 ? "0\(rest)" : "\(rest)")
    return "\(sign)\(whole).\(digits)"
  }
}
