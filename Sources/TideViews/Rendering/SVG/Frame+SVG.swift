import TideSystem

extension Frame {
  /// The frame as an SVG document. It looks the same in every viewer, since text is aligned to the
  /// grid, and lines, blocks and Braille dots are drawn as shapes.
  ///
  /// ```swift
  /// let picture = scene.frame.svg(title: "fruit")
  /// ```
  ///
  /// - Parameters:
  ///   - theme: the default colours of the medium.
  ///   - title: the text of a window's title bar; nil leaves out the title bar.
  public func svg(theme: SVGTheme = .dark, title: String? = nil) -> String {
    var picture = SVGPicture(self, theme, title: title)
    return picture.document()
  }
}

/// A rectangle of an SVG picture, in its units.
package struct SVGRect: Equatable, Sendable {
  package let x, y, width, height: Double
}

extension Frame {
  /// The rectangle of cells in the picture made by `svg`.
  package static func svgRect(of cells: Rect, isTitled: Bool) -> SVGRect {
    SVGPicture.rect(of: cells, isTitled: isTitled)
  }
}

/// Converts one frame to SVG. Lengths are in user units; a cell is 8.4 by 17 units.
struct SVGPicture {
  static let cellWidth = 8.4
  static let cellHeight = 17.0
  private static let margin = 10.0
  private static let titleHeight = 28.0
  /// The distance from the top of a cell to the baseline of its text.
  private static let baseline = 12.9

  private let frame: Frame
  private let theme: SVGTheme
  private let title: String?
  private let top: Double
  private var lines: [String] = []

  init(_ frame: Frame, _ theme: SVGTheme, title: String?) {
    self.frame = frame
    self.theme = theme
    self.title = title
    top = Self.top(isTitled: title != nil)
  }

  private static func top(isTitled: Bool) -> Double {
    isTitled ? titleHeight + margin / 2 : margin
  }

  static func rect(of cells: Rect, isTitled: Bool) -> SVGRect {
    SVGRect(
      x: Double(cells.x) * cellWidth + margin,
      y: Double(cells.y) * cellHeight + top(isTitled: isTitled),
      width: Double(cells.width) * cellWidth, height: Double(cells.height) * cellHeight)
  }

  mutating func document() -> String {
    let width = Double(frame.width) * Self.cellWidth + Self.margin * 2
    let height = Double(frame.height) * Self.cellHeight + top + Self.margin
    lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(n(width)) \(n(height))" \
      width="\(n(width))" height="\(n(height))" font-size="14" xml:space="preserve" \
      font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace">
      """,
      // Chromium no longer supports xml:space, and other viewers do not support white-space.
      "<style>text{white-space:pre}</style>",
      """
      <rect width="\(n(width))" height="\(n(height))" rx="8" fill="\(theme.background)"/>
      """,
    ]
    if let title { drawTitle(title, width) }
    for y in 0..<frame.height { drawBackgrounds(of: y) }
    for y in 0..<frame.height { drawCharacters(of: y) }
    drawCaret()
    lines.append("</svg>")
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func drawTitle(_ title: String, _ width: Double) {
    let middle = Self.titleHeight / 2 + 1
    // Replaces characters that reverse text or control a terminal that prints the SVG.
    let shown = title.escaping { $0.steersTerminals ? "\u{FFFD}" : nil }
    for (index, color) in [1, 3, 2].enumerated() {
      lines.append(
        "<circle cx=\"\(n(18 + Double(index) * 18))\" cy=\"\(n(middle))\" r=\"5.5\" "
          + "fill=\"\(theme.palette[color])\"/>")
    }
    lines.append(
      "<text x=\"\(n(width / 2))\" y=\"\(n(middle + 4.5))\" text-anchor=\"middle\" "
        + "font-size=\"12.5\" fill=\"\(theme.palette[8])\">\(shown.escapedForXML)</text>")
  }

  private mutating func drawBackgrounds(of y: Int) {
    var x = 0
    while x < frame.width {
      let color = colors(of: frame[x, y].style).background
      var end = x + 1
      while end < frame.width, colors(of: frame[end, y].style).background == color { end += 1 }
      if color != theme.background {
        lines.append(
          "<rect x=\"\(n(left(x)))\" y=\"\(n(upper(y)))\" "
            + "width=\"\(n(Double(end - x) * Self.cellWidth))\" height=\"\(n(Self.cellHeight))\" "
            + "fill=\"\(color)\"/>")
      }
      x = end
    }
  }

  private mutating func drawCharacters(of y: Int) {
    var x = 0
    while x < frame.width {
      let cell = frame[x, y]
      let character = frame.character(of: cell)
      if cell.isRightHalf || (character == " " && !cell.style.attributes.contains(.underline)) {
        x += 1
      } else if let path = SVGShapes.path(of: character, x: left(x), y: upper(y)) {
        drawShapes(from: &x, y, path)
      } else {
        drawText(from: &x, y)
      }
    }
  }

  /// Draws this shape and the following shapes of the same style.
  private mutating func drawShapes(from x: inout Int, _ y: Int, _ first: SVGShapes.Path) {
    let style = frame[x, y].style
    var paths = first
    x += 1
    while x < frame.width, frame[x, y].style == style,
      let next = SVGShapes.path(of: frame.character(x: x, y: y), x: left(x), y: upper(y))
    {
      paths.fill += next.fill
      paths.light += next.light
      paths.heavy += next.heavy
      paths.dashed += next.dashed
      x += 1
    }
    let color = colors(of: style).foreground
    let opacity = style.attributes.contains(.dim) ? " opacity=\"0.55\"" : ""
    if !paths.fill.isEmpty {
      let edges = paths.fill.contains("a") ? "" : " shape-rendering=\"crispEdges\""
      lines.append("<path d=\"\(paths.fill)\" fill=\"\(color)\"\(opacity)\(edges)/>")
    }
    let strokes = [
      (paths.light, "1.2"), (paths.heavy, "2.6"), (paths.dashed, "1\" stroke-dasharray=\"1.4 2.8"),
    ]
    for (line, width) in strokes where !line.isEmpty {
      lines.append(
        "<path d=\"\(line)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width)\"\(opacity)/>"
      )
    }
  }

  /// Draws a run of characters of one style; a wide or multi-scalar character is a run by itself.
  private mutating func drawText(from x: inout Int, _ y: Int) {
    let first = frame[x, y]
    let start = x
    var text = String(frame.character(of: first))
    x += max(1, Int(first.width))
    while x < frame.width, isSimple(text) {
      let cell = frame[x, y]
      let character = frame.character(of: cell)
      guard cell.style == first.style, cell.width == 1, isSimple(String(character)),
        SVGShapes.path(of: character, x: 0, y: 0) == nil
      else { break }
      text.append(character)
      x += 1
    }
    if !first.style.attributes.contains(.underline) {
      while text.last == " " { text.removeLast() }
    }
    let cells = isSimple(text) ? text.count : x - start
    var attributes = "fill=\"\(colors(of: first.style).foreground)\""
    if first.style.attributes.contains(.bold) { attributes += " font-weight=\"bold\"" }
    if first.style.attributes.contains(.italic) { attributes += " font-style=\"italic\"" }
    if first.style.attributes.contains(.underline) {
      attributes += " text-decoration=\"underline\""
    }
    if first.style.attributes.contains(.dim) { attributes += " opacity=\"0.55\"" }
    lines.append(
      "<text x=\"\(n(left(start)))\" y=\"\(n(upper(y) + Self.baseline))\" "
        + "textLength=\"\(n(Double(cells) * Self.cellWidth))\" lengthAdjust=\"spacingAndGlyphs\" "
        + "\(attributes)>\(text.escapedForXML)</text>")
  }

  private func isSimple(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value < 0x500 && CharacterWidth.of($0) == 1 }
  }

  private mutating func drawCaret() {
    guard let caret = frame.caret else { return }
    lines.append(
      "<rect x=\"\(n(left(caret.x)))\" y=\"\(n(upper(caret.y) + 1))\" width=\"1.8\" "
        + "height=\"\(n(Self.cellHeight - 2))\" fill=\"\(theme.foreground)\"/>")
  }

  private func left(_ x: Int) -> Double { Double(x) * Self.cellWidth + Self.margin }
  private func upper(_ y: Int) -> Double { Double(y) * Self.cellHeight + top }

  private func colors(of style: CellStyle) -> (foreground: String, background: String) {
    let foreground = theme.text(of: style.foreground, isBackground: false)
    let background = theme.text(of: style.background, isBackground: true)
    return style.attributes.contains(.reverse)
      ? (background, foreground) : (foreground, background)
  }

  private func n(_ number: Double) -> String { SVGShapes.text(number) }
}

extension String {
  /// The text with markup characters escaped. Control characters, which XML cannot represent, are
  /// replaced.
  package var escapedForXML: String {
    escaping { scalar in
      let isUnsayable =
        scalar.value < 0x20 || scalar.value == 0x7F || scalar.value & 0xFFFE == 0xFFFE
      return isUnsayable ? "\u{FFFD}" : scalar.escapeInXML
    }
  }
}
