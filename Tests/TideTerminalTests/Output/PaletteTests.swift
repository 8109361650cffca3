import Testing

@testable import TideTerminal

@Suite struct PaletteTests {
  @Test func `every colour of the cube and every grey is nearest to itself`() {
    for red in 0..<6 {
      for green in 0..<6 {
        for blue in 0..<6 {
          let found = Palette.nearest256(red: level(red), green: level(green), blue: level(blue))
          #expect(found == 16 + 36 * red + 6 * green + blue)
        }
      }
    }
    for grey in 0..<24 {
      let shade = UInt8(8 + 10 * grey)
      let found = Palette.nearest256(red: shade, green: shade, blue: shade)
      // Some greys are in the cube too.
      #expect(found == 232 + grey || found < 232 && shade == level(Int(found - 16) / 43))
    }
  }

  @Test func `pure colours keep their hue among 8 and 16`() {
    for (red, green, blue, plain, bright) in [
      (255, 0, 0, 1, 9), (0, 255, 0, 2, 10), (0, 0, 255, 4, 4), (255, 255, 255, 7, 15),
      (0, 0, 0, 0, 0), (210, 210, 210, 7, 7), (255, 255, 0, 3, 11),
    ] as [(UInt8, UInt8, UInt8, UInt8, UInt8)] {
      #expect(Palette.nearest(among: 8, red: red, green: green, blue: blue) % 8 == plain)
      #expect(Palette.nearest(among: 16, red: red, green: green, blue: blue) == bright)
    }
  }

  private func level(_ step: Int) -> UInt8 { UInt8(step == 0 ? 0 : 55 + 40 * step) }
}
