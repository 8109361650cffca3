import TideViews

/// Composes the terminal's frame: the scene's frame, the status line below it, and the panes drawn
/// over them.
struct Composition {
  /// Lines in a box over everything else.
  var overlay: [String]?
  /// What the box leaves in sight, because it takes the keys; nil for nothing.
  var besideOverlay: () -> Rect? = { nil }
  var isLogShown = false
  /// The keys that work in the log, shown in its heading.
  var logHint: String?
  var status: StatusLine? {
    didSet { if status != oldValue { isStatusStale = true } }
  }
  /// The tooltip of the focused view, shown in the status line, or, without one, over the left end
  /// of the last row.
  var hint: String? {
    didSet { if hint != oldValue { isStatusStale = true } }
  }
  private var isStatusStale = true
  /// The scene's frame with the status line, reused for each frame.
  private var joined: Frame?
  /// Whether panes covered parts of the last composed frame.
  private var wasCovered = false

  private func isCovered(in size: Size) -> Bool {
    overlay != nil || isLogShown || floatingHint(in: size) != nil
  }

  private func floatingHint(in size: Size) -> String? {
    status == nil && size.height >= StatusLine.leastHeight ? hint : nil
  }

  /// The size that remains for the scene in a terminal of the given size.
  func sceneSize(in size: Size) -> Size {
    hasStatus(in: size) ? Size(width: size.width, height: size.height - 1) : size
  }

  private func hasStatus(in size: Size) -> Bool {
    status != nil && size.height >= StatusLine.leastHeight
  }

  /// Resets the state after the content of the terminal has become unknown.
  mutating func forget() {
    joined = nil
    isStatusStale = true
  }

  /// Composes the frame in the terminal's size, and returns the areas that may have changed; nil
  /// means everywhere.
  mutating func compose(
    _ frame: Frame, areas: [Rect]?, size: Size, log: [String]
  ) -> (frame: Frame, areas: [Rect]?) {
    let areas = wasCovered ? nil : areas
    let (whole, changed) =
      hasStatus(in: size) ? join(frame, areas: areas, size: size) : (frame, areas)
    wasCovered = isCovered(in: size)
    if !wasCovered { return (whole, changed) }
    let copy = Frame(size: whole.size, glyphs: whole.glyphs)
    copy.copy(Rect(whole.size), from: whole)
    copy.caret = whole.caret
    if let hint = floatingHint(in: size) { HintPane.draw(hint, on: copy) }
    if isLogShown { LogPane.draw(log, hint: logHint, on: copy) }
    if let overlay { OverlayPane.draw(overlay, on: copy, beside: besideOverlay()) }
    return (copy, nil)
  }

  private mutating func join(
    _ frame: Frame, areas: [Rect]?, size: Size
  ) -> (frame: Frame, areas: [Rect]?) {
    let known = joined.flatMap { $0.size == size && $0.glyphs === frame.glyphs ? $0 : nil }
    let whole = known ?? Frame(size: size, glyphs: frame.glyphs)
    joined = whole
    whole.caret = frame.caret
    var changed = known == nil ? nil : areas
    for area in changed ?? [Rect(frame.size)] {
      // A wide character at the edge extends one cell further.
      whole.copy(
        Rect(x: area.x - 1, y: area.y, width: area.width + 2, height: area.height), from: frame)
    }
    if known == nil || isStatusStale {
      status?.draw(on: whole, hint: hint)
      changed?.append(Rect(x: 0, y: size.height - 1, width: size.width, height: 1))
      isStatusStale = false
    }
    return (whole, changed)
  }
}
