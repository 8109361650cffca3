import TideViews

/// The position of the terminal's cursor, if known, and the shortest sequences to move it.
struct Cursor {
  private(set) var x: Int?
  private(set) var y: Int?
  /// Whether the last column was written: the cursor stays there, and terminals differ in the
  /// effect of the next character.
  private var isAtEdge = false

  mutating func forget() {
    x = nil
    y = nil
    isAtEdge = false
  }

  mutating func advance(by width: Int, in columns: Int) {
    guard let from = x else { return }
    isAtEdge = from + width >= columns
    x = isAtEdge ? nil : from + width
  }

  mutating func move(to target: Point, _ bytes: inout [UInt8]) {
    if x == target.x && y == target.y { return }
    write(target, &bytes)
    x = target.x
    y = target.y
    isAtEdge = false
  }

  private func write(_ target: Point, _ bytes: inout [UInt8]) {
    if let y, x != nil || isAtEdge, target.x == 0, target.y == y || target.y == y + 1 {
      bytes.append(0x0d)
      if target.y > y { bytes.append(0x0a) }
      return
    }
    if let x, y == target.y {
      let distance = target.x - x
      if distance > 0 {
        bytes.append(control: "C", distance)
      } else if distance >= -3 {
        for _ in 0..<(-distance) { bytes.append(0x08) }
      } else {
        bytes.append(control: "D", -distance)
      }
      return
    }
    bytes.append(0x1b)
    bytes.append(0x5b)
    if target.x > 0 || target.y > 0 { bytes.append(decimal: target.y + 1) }
    if target.x > 0 {
      bytes.append(0x3b)
      bytes.append(decimal: target.x + 1)
    }
    bytes.append(0x48)
  }
}
