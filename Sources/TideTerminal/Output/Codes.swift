import TideViews

/// Writes the codes of one `ESC [ … m`; writes nothing if there are none.
struct Codes {
  private var isOpen = false

  mutating func append(_ code: Int, _ bytes: inout [UInt8]) {
    if isOpen {
      bytes.append(0x3b)
    } else {
      bytes.append(0x1b)
      bytes.append(0x5b)
      isOpen = true
    }
    bytes.append(decimal: code)
  }

  mutating func change(
    from old: CellStyle.Attributes, to new: CellStyle.Attributes, _ bytes: inout [UInt8]
  ) {
    if old == new { return }
    var current = old
    let weights: CellStyle.Attributes = [.bold, .dim]
    if !old.intersection(weights).isSubset(of: new) {
      // One code switches off both.
      append(22, &bytes)
      current.subtract(weights)
    }
    for (attribute, on, off) in Self.table
    where new.contains(attribute) != current.contains(attribute) {
      append(new.contains(attribute) ? on : off, &bytes)
    }
  }

  private static let table: [(attribute: CellStyle.Attributes, on: Int, off: Int)] = [
    (.bold, 1, 22), (.dim, 2, 22), (.italic, 3, 23), (.underline, 4, 24), (.reverse, 7, 27),
  ]

  func finish(_ bytes: inout [UInt8]) {
    if isOpen { bytes.append(0x6d) }
  }
}
