/// A scroll bar at one side of a view: where its thumb stands, how it looks, and where the mouse
/// moves it to.
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
/// `total`, `shown` and `offset` are in whatever is scrolled, rows or cells; positions are in cells
/// from the view's own corner. A press beside the thumb goes a page towards it; dragging goes on
/// when the mouse leaves the bar sideways. Nothing is drawn when everything is in sight.
struct ScrollBar {
  var axis: Axis
  /// Its first cell.
  var origin: Point
  /// In cells.
  var length: Int
  /// How much there is.
  var total: Int
  /// How much of it is in sight.
  var shown: Int
  /// How much of it is before what is in sight.
  var offset: Int

  var isNeeded: Bool { total > shown && length > 0 }

  /// The largest offset that still fills the view.
  var lastOffset: Int { max(0, total - max(0, shown)) }

  /// The cells of the thumb, from the bar's beginning. It touches an end only where there is
  /// nothing more to see beyond it, as far as the bar's length lets it.
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

  /// How far from the thumb's beginning it was taken hold of; nil when the press is beside it.
  func grip(at point: Point) -> Int? {
    let position = position(of: point)
    return thumb.contains(position) ? position - thumb.lowerBound : nil
  }

  /// Where a press leads: a page back before the thumb, a page on behind it.
  func offset(pressedAt point: Point) -> Int {
    let position = position(of: point)
    let page = max(1, shown)
    if position < thumb.lowerBound { return max(0, offset - page) }
    if position >= thumb.upperBound { return min(lastOffset, offset + page) }
    return offset
  }

  /// Where the thumb leads that was taken hold of at `grip`.
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
