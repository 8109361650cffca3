/// The colours of xterm's palette, and the search for the nearest one to an RGB colour.
package enum Palette {
  /// xterm's values for the 16 ANSI colours. Other terminals and colour schemes have similar ones.
  private static let ansi: [(red: Int, green: Int, blue: Int)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
  ]

  /// The nearest of the first 8 or 16 colours.
  package static func nearest(
    among count: Int, red: UInt8, green: UInt8, blue: UInt8
  ) -> UInt8 {
    var best = (number: 0, distance: Int.max)
    for (number, color) in ansi.prefix(count).enumerated() {
      let distance = Self.distance(
        Int(red) - color.red, Int(green) - color.green, Int(blue) - color.blue,
        meanRed: (Int(red) + color.red) / 2)
      if distance < best.distance { best = (number, distance) }
    }
    return UInt8(best.number)
  }

  /// The nearest colour of the 6x6x6 cube and the 24 greys. The first 16 colours are excluded,
  /// since users change them.
  package static func nearest256(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
    let (r, g, b) = (Int(red), Int(green), Int(blue))
    let steps = (step(r), step(g), step(b))
    let grey = max(0, min(23, ((r + g + b) / 3 - 3) / 10))
    let shade = 8 + 10 * grey
    let mean = 128
    let cubeDistance = distance(
      r - level(steps.0), g - level(steps.1), b - level(steps.2), meanRed: mean)
    let greyDistance = distance(r - shade, g - shade, b - shade, meanRed: mean)
    return greyDistance < cubeDistance
      ? UInt8(232 + grey) : UInt8(16 + 36 * steps.0 + 6 * steps.1 + steps.2)
  }

  /// The levels of the cube are 0, 95, 135, 175, 215 and 255.
  private static func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }

  private static func step(_ value: Int) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
  }

  /// The "redmean" distance, which approximates perception much better than plain Euclidean
  /// distance without another colour space.
  private static func distance(_ red: Int, _ green: Int, _ blue: Int, meanRed: Int) -> Int {
    (512 + meanRed) * red * red / 256 + 4 * green * green + (767 - meanRed) * blue * blue / 256
  }
}
