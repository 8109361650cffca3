/// Rows that are each as high as their content: what is known of their heights, and where those in
/// sight stand.
///
/// The scroll position is stored as a line. The height above that line would be an estimate, since
/// rows that were never in sight have not been measured.
///
///     skipped ┄ ┌──────────┐ ┄ the line `first`, which begins above the sight
///     ══════════│══════════│══ the beginning of the sight
///               └──────────┘
///               ┌──────────┐
///     ══════════│══════════│══ its end
///               └──────────┘ ┄ the line before `end`
///
/// Lines are those of `RowHeights`; distances are in cells.
struct FlexibleRows {
  var heights = RowHeights(count: 0)
  /// The width of the rows, and how many stand in a line, for which heights have been measured.
  var width = 0
  var perLine = 1
  /// The lines in sight after the last layout.
  var window = Window()
  /// Where these stand, below the beginning of the sight.
  var spans: [Range<Int>] = []
  /// How far it has been scrolled since, downwards.
  var travel = 0
  /// What is to be in sight after the next layout.
  var goal: Goal?
  /// Where the caret stood in the row that has the focus, from the row's top.
  var caret: Int?
  /// Somebody has scrolled since the last layout, so the selected row may leave the sight.
  var isScrolled = false

  /// Lines in sight.
  struct Window: Equatable {
    var first = 0
    /// How much of the first line is above the sight.
    var skipped = 0
    /// The line behind the last one.
    var end = 0

    var lines: Range<Int> { first..<max(first, end) }
  }

  enum Goal: Equatable {
    case row(Int)
    case end
  }

  /// What determines which lines are in sight.
  enum Anchor: Equatable {
    /// A line begins `skipped` cells above the top of the sight, plus `travel` of scrolling.
    case start(of: Int, skipped: Int, travel: Int)
    /// A line ends with the sight.
    case end(of: Int)
  }

  /// The position that was found last, with what has been scrolled since.
  func anchor(_ line: Int) -> Anchor {
    .start(of: line, skipped: window.skipped, travel: travel)
  }

  /// The lines in sight by what is known of their heights. There is no room below the last line
  /// unless all of them are in sight.
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

  /// Goes to the line that is at the beginning of the sight, where that is above the first one.
  private func moveUp(_ window: inout Window) {
    while window.skipped < 0, window.first > 0 {
      window.first -= 1
      window.skipped += heights.height(of: window.first)
    }
    window.skipped = max(0, window.skipped)
  }

  /// The anchor that brings a line into sight with the least scrolling, or nil if the line is in
  /// sight. For a line higher than the sight, its beginning is shown.
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

  /// Takes over where the lines in sight stand.
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

  /// Where a line stands, below the beginning of the sight; nil for one that is not in sight.
  func span(ofLine line: Int) -> Range<Int>? {
    let index = line - window.first
    return spans.indices.contains(index) ? spans[index] : nil
  }

  /// Takes over edits of the rows.
  mutating func follow(_ edits: [RowEdit], count: Int) {
    if case .row(let row)? = goal {
      goal = .row(edits.reduce(row) { $1.nearestIndex(of: $0) })
    }
    if edits.count > Self.mostEdits {
      heights.forget(count: count)
    } else if perLine == 1 {
      for edit in edits { heights.follow(edit) }
    } else if let first = edits.map(\.firstRow).min() {
      // Rows have gone on to other lines from there on.
      heights.forget(first / perLine..<heights.count)
    }
  }

  /// After more edits at once it is cheaper to measure again.
  private static let mostEdits = 256
}
