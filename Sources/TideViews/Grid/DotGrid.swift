/// Dots two to a cell across and four down, drawn as Braille characters.
struct DotGrid {
  let width: Int
  let height: Int
  private var cells: [UInt8]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    cells = Array(repeating: 0, count: width * height)
  }

  /// Sets the dot at a column and a row of dots, from the top left; outside nothing happens.
  mutating func set(_ x: Int, _ y: Int) {
    guard x >= 0, y >= 0, x < width * 2, y < height * 4 else { return }
    cells[y / 4 * width + x / 2] |= Self.bits[y % 4 * 2 + x % 2]
  }

  /// The bit of each dot in a Braille character, row by row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  func draw(at origin: Point, on canvas: Canvas) {
    for y in 0..<height {
      for x in 0..<width where cells[y * width + x] != 0 {
        guard let scalar = Unicode.Scalar(0x2800 + UInt32(cells[y * width + x])) else { continue }
        canvas.put(Character(scalar), x: origin.x + x, y: origin.y + y)
      }
    }
  }
}
