extension Frame {
  /// Draws one character, clipped to `clip`. If only one half of a wide character is inside, that
  /// half becomes a space.
  func put(_ character: Character, width: Int, x: Int, y: Int, style: CellStyle, clip: Rect) {
    if isPlain && !character.isASCII {
      for x in x..<x + width {
        put(ascii: UInt8(ascii: "?"), x: x, y: y, style: style, clip: clip)
      }
      return
    }
    put(
      code: width == 1 ? glyphs.code(for: character) : 0, wide: width == 2 ? character : nil, x: x,
      y: y, style: style, clip: clip)
  }

  @inline(__always)
  func put(ascii: UInt8, x: Int, y: Int, style: CellStyle, clip: Rect) {
    put(code: UInt32(ascii), wide: nil, x: x, y: y, style: style, clip: clip)
  }

  private func put(
    code: UInt32, wide: Character?, x: Int, y: Int, style: CellStyle, clip: Rect
  ) {
    guard y >= clip.y, y < clip.maxY, x < clip.maxX else { return }
    let base = y * width
    if let wide {
      guard x + 1 >= clip.x else { return }
      if x >= clip.x && x + 1 < clip.maxX {
        separate(x, base)
        separate(x + 1, base)
        cells[base + x] = Cell(code: glyphs.code(for: wide), style: style, width: 2)
        cells[base + x + 1] = .rightHalf(style)
      } else {
        let visible = x >= clip.x ? x : x + 1
        separate(visible, base)
        cells[base + visible] = Cell(code: 0x20, style: style, width: 1)
      }
    } else {
      guard x >= clip.x else { return }
      separate(x, base)
      cells[base + x] = Cell(code: code, style: style, width: 1)
    }
  }

  /// Blanks the other half of a wide character before one of its halves is overwritten.
  @inline(__always)
  private func separate(_ x: Int, _ base: Int) {
    let old = cells[base + x].width
    if old == 1 { return }
    if old == 2 {
      if x + 1 < width { blank(base + x + 1) }
    } else if x > 0 {
      blank(base + x - 1)
    }
  }

  private func blank(_ index: Int) {
    cells[index] = Cell(code: 0x20, style: cells[index].style, width: 1)
  }

  /// Fills an area with spaces of a style.
  package func fill(_ area: Rect, style: CellStyle) {
    let area = area.intersection(Rect(size))
    if area.isEmpty { return }
    let cell = Cell(code: 0x20, style: style, width: 1)
    for y in area.y..<area.maxY {
      let base = y * width
      separate(area.x, base)
      separate(area.maxX - 1, base)
      for x in area.x..<area.maxX { cells[base + x] = cell }
    }
  }

  /// Adds the reverse attribute to all cells of an area.
  func reverse(_ area: Rect) {
    let area = area.intersection(Rect(size))
    if area.isEmpty { return }
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { cells[y * width + x].style.attributes.insert(.reverse) }
    }
  }

  /// Writes text from a point to the right, and returns the column after it.
  ///
  /// Control characters are shown as a replacement character, a tab as a space.
  @discardableResult
  public func write(
    _ text: some StringProtocol, at point: Point, style: CellStyle = .plain, clip: Rect? = nil
  ) -> Int {
    let clip = clip.map { $0.intersection(Rect(size)) } ?? Rect(size)
    if let end = writePlain(text, at: point, style, clip) { return end }
    var x = point.x
    for character in text {
      if x >= clip.maxX { break }
      if let ascii = character.asciiValue {
        let isPrintable = ascii >= 0x20 && ascii < 0x7F
        if isPrintable {
          put(ascii: ascii, x: x, y: point.y, style: style, clip: clip)
        } else {
          put(
            ascii == 9 ? " " : "\u{FFFD}", width: 1, x: x, y: point.y, style: style, clip: clip)
        }
        x += 1
        continue
      }
      let width = CharacterWidth.of(character)
      if width == 0 { continue }
      let isControl = character.unicodeScalars.first.map { (0x80..<0xA0).contains($0.value) }
      if isControl == true {
        put("\u{FFFD}", width: 1, x: x, y: point.y, style: style, clip: clip)
        x += 1
        continue
      }
      put(character, width: width, x: x, y: point.y, style: style, clip: clip)
      x += width
    }
    return x
  }
}

extension Frame {
  /// Writes a text of printable ASCII byte by byte; returns nil for any other text.
  private func writePlain(
    _ text: some StringProtocol, at point: Point, _ style: CellStyle, _ clip: Rect
  ) -> Int? {
    text.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
      for byte in bytes where byte < 0x20 || byte > 0x7E { return nil }
      let end = point.x + bytes.count
      guard point.y >= clip.y, point.y < clip.maxY else { return end }
      let first = max(point.x, clip.x)
      let last = min(end, clip.maxX)
      if first >= last { return end }
      let base = point.y * width
      separate(first, base)
      separate(last - 1, base)
      for x in first..<last {
        cells[base + x] = Cell(code: UInt32(bytes[x - point.x]), style: style, width: 1)
      }
      return end
    } ?? nil
  }
}

extension Frame: Equatable {
  /// Whether two frames look the same, the caret included.
  public static func == (left: Frame, right: Frame) -> Bool {
    guard left.size == right.size, left.caret == right.caret else { return false }
    if left.glyphs === right.glyphs { return left.cells.elementsEqual(right.cells) }
    return zip(left.cells, right.cells).allSatisfy { a, b in
      a.style == b.style && a.width == b.width && left.character(of: a) == right.character(of: b)
    }
  }
}
