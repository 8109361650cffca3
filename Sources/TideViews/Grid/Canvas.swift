/// The part of a frame that a view draws on, with the view's top left corner at 0, 0.
///
/// ```swift
/// canvas.write("42 %", x: 0, y: 0)
/// canvas.write("!", x: canvas.size.width - 1, y: 0, style: canvas.style.with(.bold))
/// ```
///
/// Drawing is clipped to the view and to the visible part of its superviews.
public struct Canvas {
  let frame: Frame
  let origin: Point
  let clip: Rect
  /// The view's size.
  public let size: Size
  /// The area inside padding and border.
  public let content: Rect
  /// The style of the view's text.
  public let style: CellStyle
  /// The characters for borders, marks and curves.
  public var symbols: Symbols { frame.symbols }

  /// The visible part of an area of the view. A view in a scroll view may be a million cells wide,
  /// so code that draws cell by cell must visit only this part.
  public func shown(_ area: Rect) -> Rect {
    area.intersection(
      Rect(x: clip.x - origin.x, y: clip.y - origin.y, width: clip.width, height: clip.height))
  }

  /// Writes text from a point to the right, and returns the column after it.
  @discardableResult
  public func write(
    _ text: some StringProtocol, x: Int, y: Int, style: CellStyle? = nil, within area: Rect? = nil
  ) -> Int {
    var clip = clip
    if let area {
      clip = clip.intersection(
        Rect(x: area.x + origin.x, y: area.y + origin.y, width: area.width, height: area.height))
    }
    return frame.write(
      text, at: Point(x: x + origin.x, y: y + origin.y), style: style ?? self.style, clip: clip)
      - origin.x
  }

  /// Draws one character, clipped to the canvas.
  public func put(_ character: Character, x: Int, y: Int, style: CellStyle? = nil) {
    frame.put(
      character, width: CharacterWidth.of(character), x: x + origin.x, y: y + origin.y,
      style: style ?? self.style, clip: clip)
  }

  /// Fills an area with spaces.
  public func fill(_ area: Rect, style: CellStyle) {
    let area = Rect(
      x: area.x + origin.x, y: area.y + origin.y, width: area.width, height: area.height)
    frame.fill(area.intersection(clip), style: style)
  }
}

extension CellStyle {
  /// The same style with more attributes.
  public func with(_ attributes: Attributes) -> CellStyle {
    var style = self
    style.attributes.formUnion(attributes)
    return style
  }

  /// The same style with another text colour.
  public func with(foreground: Color) -> CellStyle {
    var style = self
    style.foreground = foreground
    return style
  }

  func without(_ attributes: Attributes...) -> CellStyle {
    var style = self
    for attribute in attributes { style.attributes.remove(attribute) }
    return style
  }
}

extension Canvas {
  /// Draws a border around the whole view, with a title in its top line. `reserved` cells at the
  /// end of that line stay free of the title.
  func drawBorder(title: String = "", reserved: Int = 0) {
    let width = size.width
    let height = size.height
    if width < 2 || height < 2 { return }
    let border = symbols.border
    let plain = style.line
    for x in shown(Rect(x: 1, y: 0, width: width - 2, height: height)).columns {
      put(border[0], x: x, y: 0, style: plain)
      put(border[0], x: x, y: height - 1, style: plain)
    }
    for y in shown(Rect(x: 0, y: 1, width: width, height: height - 2)).rows {
      put(border[1], x: 0, y: y, style: plain)
      put(border[1], x: width - 1, y: y, style: plain)
    }
    put(border[2], x: 0, y: 0, style: plain)
    put(border[3], x: width - 1, y: 0, style: plain)
    put(border[4], x: width - 1, y: height - 1, style: plain)
    put(border[5], x: 0, y: height - 1, style: plain)
    if title.isEmpty || width < 6 { return }
    let shown = TextLines.truncated(title, width: width - 6 - reserved, ellipsis: symbols.ellipsis)
    if shown.isEmpty { return }
    write(" \(shown) ", x: 2, y: 0, style: style.with(.bold))
  }
}
