/// The state of rows that are each as high as their content: the known heights, and the positions
/// of the visible rows.
///
/// The scroll position is stored as a line. The height above that line could only be estimated,
/// since rows that were never visible have not been measured.
///
///     skipped ┄ ┌──────────┐ ┄ the line `first`, which begins above the viewport
///     ══════════│══════════│══ the top of the viewport
///               └──────────┘
///               ┌──────────┐
///     ══════════│══════════│══ its bottom
///               └──────────┘ ┄ the line before `end`
///
/// Lines are those of `RowHeights`; distances are in cells.
struct FlexibleRows {
  var heights = RowHeights(count: 0)
  /// The row width, and the number of rows in a line, for which the heights were measured.
  var width = 0
  var perLine = 1
  /// The visible lines after the last layout.
  var window = Window()
  /// The vertical spans of the visible lines, relative to the top of the viewport.
  var spans: [Range<Int>] = []
  /// The distance scrolled since the last layout, positive downwards.
  var travel = 0
  /// The row to be visible after the next layout, or the end.
  var goal: Goal?
  /// The row of the caret, relative to the top of the row that contains it.
  var caret: Int?
  /// Whether the user has scrolled since the last layout, so that the selected row may be out of
  /// view.
  var isScrolled = false

  /// The visible lines.
  struct Window: Equatable {
    var first = 0
    /// The height of the first line's part above the viewport.
    var skipped = 0
    /// The index after the last visible line.
    var end = 0

    var lines: Range<Int> { first..<max(first, end) }
  }

  enum Goal: Equatable {
    case row(Int)
    case end
  }

  /// Determines which lines are visible.
  enum Anchor: Equatable {
    /// The line begins `skipped` cells above the top of the viewport, plus `travel` of scrolling.
    case start(of: Int, skipped: Int, travel: Int)
    /// The line ends at the bottom of the viewport.
    case end(of: Int)
  }

  /// The position of the last layout, plus the distance scrolled since.
  func anchor(_ line: Int) -> Anchor {
    .start(of: line, skipped: window.skipped, travel: travel)
  }

  /// The visible lines, by the known heights. There is no empty space below the last line unless
  /// all lines are visible.
  func window(_ anchor: Anchor, room: Int) -> Window {
    let last = heights.count - 1
    if last < 0 { return Window() }
    var window = Window()
    switch anchor {
    case .start(let line, let skipped, let travel):
      window.first = max(0, min(line, last))
      let most = heights.height(of: window.first) - 1
      window.skipped = max(0, min(skipped, most)) + travel
    case .end(let line):
      window.first = max(0, min(line, last))
      window.skipped = heights.height(of: window.first) - room
    }
    moveUp(&window)
    while window.first < last, window.skipped >= heights.height(of: window.first) {
      window.skipped -= heights.height(of: window.first)
      window.first += 1
    }
    window.end = window.first
    var rest = room + window.skipped
    while rest > 0, window.end <= last {
      rest -= heights.height(of: window.end)
      window.end += 1
    }
    if rest > 0 {
      window.skipped -= rest
      moveUp(&window)
    }
    return window
  }

  /// Moves to the line at the top of the viewport if that is above the first one.
  private func moveUp(_ window: inout Window) {
    while window.skipped < 0, window.first > 0 {
      window.first -= 1
      window.skipped += heights.height(of: window.first)
    }
    window.skipped = max(0, window.skipped)
  }

  /// The anchor that makes a line visible with the least scrolling; nil if it is visible. A line
  /// higher than the viewport is aligned with the top.
  func anchor(revealing line: Int, from window: Window, room: Int) -> Anchor? {
    if line < window.first || line == window.first && window.skipped > 0 {
      return .start(of: line, skipped: 0, travel: 0)
    }
    let height = heights.height(of: line)
    var end = height - window.skipped
    for above in window.lines where above < line { end += heights.height(of: above) }
    if line < window.end, end <= room || end == height && height > room { return nil }
    return height > room ? .start(of: line, skipped: 0, travel: 0) : .end(of: line)
  }

  /// Stores the positions of the visible lines.
  mutating func settle(_ window: Window) {
    self.window = window
    travel = 0
    goal = nil
    isScrolled = false
    var y = -window.skipped
    spans = window.lines.map { line in
      defer { y += heights.height(of: line) }
      return y..<y + heights.height(of: line)
    }
  }

  /// The vertical span of a line, relative to the top of the viewport; nil if it is not visible.
  func span(ofLine line: Int) -> Range<Int>? {
    let index = line - window.first
    return spans.indices.contains(index) ? spans[index] : nil
  }

  /// Applies edits of the rows.
  mutating func follow(_ edits: [RowEdit], count: Int) {
    if case .row(let row)? = goal {
      goal = .row(edits.reduce(row) { $1.nearestIndex(of: $0) })
    }
    if edits.count > Self.mostEdits {
      heights.forget(count: count)
    } else if perLine == 1 {
      for edit in edits { heights.follow(edit) }
    } else if let first = edits.map(\.firstRow).min() {
      // Later rows have moved to other lines.
      heights.forget(first / perLine..<heights.count)
    }
  }

  /// With more edits at once, measuring again is cheaper.
  private static let mostEdits = 256
}
