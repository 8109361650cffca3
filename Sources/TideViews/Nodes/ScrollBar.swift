/// A scroll bar of a view: the position of its thumb, its drawing, and its response to the mouse.
///
/// ```swift
/// let bar = ScrollBar(
///   axis: .vertical, origin: Point(x: 19, y: 0), length: 10, total: 100, shown: 10, offset: 45)
/// bar.draw(on: canvas)
/// switch mouse.kind {
/// case .press(.left) where bar.contains(mouse.position):
///   grip = bar.grip(at: mouse.position)          // kept by the view until the release
///   offset = bar.offset(pressedAt: mouse.position)
/// case .drag(.left): offset = bar.offset(draggedTo: mouse.position, grip: grip)
/// ```
///
/// `total`, `shown` and `offset` are in the unit that is scrolled, rows or cells. Positions are in
/// cells, relative to the view's own corner. A press beside the thumb scrolls a page towards it.
/// Dragging continues when the mouse leaves the bar sideways. Nothing is drawn if all content is
/// visible.
struct ScrollBar {
  var axis: Axis
  /// The first cell of the bar.
  var origin: Point
  /// The length of the bar in cells.
  var length: Int
  /// The total length of the content.
  var total: Int
  /// The length of the visible part.
  var shown: Int
  /// The length of the content before the visible part.
  var offset: Int

  var isNeeded: Bool { total > shown && length > 0 }

  /// The largest offset that still fills the view.
  var lastOffset: Int { max(0, total - max(0, shown)) }

  /// The cells of the thumb, relative to the beginning of the bar. If the bar is long enough, the
  /// thumb touches an end only if there is no more content there.
  var thumb: Range<Int> {
    guard isNeeded else { return 0..<max(0, length) }
    let part = Double(length) * Double(max(0, shown)) / Double(total)
    let size = max(1, min(length - 1, Int(part.rounded())))
    let room = length - size
    if room <= 0 { return 0..<max(1, length) }
    let offset = max(0, min(offset, lastOffset))
    var start = Int((Double(room) * Double(offset) / Double(lastOffset)).rounded())
    if room > 1 {
      if offset > 0 { start = max(1, start) }
      if offset < lastOffset { start = min(room - 1, start) }
    }
    return start..<start + size
  }

  /// Whether a point is on the bar.
  func contains(_ point: Point) -> Bool {
    guard isNeeded else { return false }
    return axis == .vertical
      ? point.x == origin.x && point.y >= origin.y && point.y < origin.y + length
      : point.y == origin.y && point.x >= origin.x && point.x < origin.x + length
  }

  /// The distance of a press from the beginning of the thumb; nil for a press beside it.
  func grip(at point: Point) -> Int? {
    let position = position(of: point)
    return thumb.contains(position) ? position - thumb.lowerBound : nil
  }

  /// The offset after a press beside the thumb: one page back or forward.
  func offset(pressedAt point: Point) -> Int {
    let position = position(of: point)
    let page = max(1, shown)
    if position < thumb.lowerBound { return max(0, offset - page) }
    if position >= thumb.upperBound { return min(lastOffset, offset + page) }
    return offset
  }

  /// The offset after dragging the thumb, which was pressed at `grip`.
  func offset(draggedTo point: Point, grip: Int) -> Int {
    let room = length - thumb.count
    if room <= 0 { return 0 }
    let start = max(0, min(room, position(of: point) - grip))
    return Int((Double(lastOffset) * Double(start) / Double(room)).rounded())
  }

  func draw(on canvas: Canvas) {
    guard isNeeded else { return }
    let thumb = thumb
    let symbols = canvas.symbols
    let style = canvas.style.hint
    let isVertical = axis == .vertical
    let shown = canvas.shown(
      Rect(
        x: origin.x, y: origin.y, width: isVertical ? 1 : length, height: isVertical ? length : 1))
    for position in isVertical ? shown.rows : shown.columns {
      let isThumb = thumb.contains(position - (isVertical ? origin.y : origin.x))
      if isVertical {
        canvas.put(
          isThumb ? symbols.thumb : symbols.track, x: origin.x, y: position, style: style)
      } else {
        canvas.put(
          isThumb ? symbols.flatThumb : symbols.flatTrack, x: position, y: origin.y,
          style: style)
      }
    }
  }

  private func position(of point: Point) -> Int {
    axis == .vertical ? point.y - origin.y : point.x - origin.x
  }
}
