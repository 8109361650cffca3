/// The layout of the titles in a menu bar: all of them, or, in a narrow bar, as many as fit up to
/// the open one, with a mark for the rest at each side.
struct MenuStrip {
  /// The span of each title with the space at its sides; empty for a hidden title.
  private(set) var spans: [Rect]
  /// The number of titles hidden at the left.
  private(set) var before = 0
  /// The first title hidden at the right; the number of titles if none is.
  private(set) var after: Int

  private let area: Rect
  /// A mark and a space.
  private static let markWidth = 2

  init(widths: [Int], area: Rect, showing shown: Int) {
    self.area = area
    after = widths.count
    spans = widths.map { _ in .zero }
    if area.isEmpty || widths.isEmpty { return }
    if widths.reduce(0, +) > area.width {
      before = Self.first(showing: min(shown, widths.count - 1), widths, in: area.width)
    }
    var x = area.x + (before > 0 ? Self.markWidth : 0)
    for index in before..<widths.count {
      let restFits = x + widths[index...].reduce(0, +) <= area.maxX
      let needsMark = index < widths.count - 1 && !restFits
      let room = max(0, area.maxX - x - (needsMark ? Self.markWidth : 0))
      // The first visible title is always shown, if only in part.
      if widths[index] > room && index > before {
        after = index
        return
      }
      let width = min(widths[index], room)
      spans[index] = Rect(x: x, y: area.y, width: width, height: 1)
      x += width
    }
  }

  /// The leftmost first title for which another one is visible.
  private static func first(showing shown: Int, _ widths: [Int], in room: Int) -> Int {
    for first in 0...shown {
      let end = (first > 0 ? markWidth : 0) + widths[first...shown].reduce(0, +)
      if end + (shown < widths.count - 1 ? markWidth : 0) <= room { return first }
    }
    return shown
  }

  /// The title at a position, or the next hidden one at a mark.
  func title(at point: Point) -> Int? {
    if let index = spans.firstIndex(where: { $0.contains(point) }) { return index }
    guard area.contains(point) else { return nil }
    if before > 0 && point.x < area.x + Self.markWidth { return before - 1 }
    return after < spans.count && point.x >= area.maxX - Self.markWidth ? after : nil
  }
}

/// The open items at one depth of a menu.
final class MenuLevel {
  let items: [MenuItem]
  let pane: ChoicePane

  init(_ items: [MenuItem]) {
    self.items = items
    pane = ChoicePane(count: items.count) { index in
      let item = items[index]
      return ChoicePane.Row(
        title: item.title, detail: item.key?.description ?? "", isEnabled: item.isEnabled,
        isSeparator: item.isSeparator, hasMore: item.hasItems, isTicked: item.isTicked)
    }
  }

  /// The next item after the highlighted one whose title begins with a character.
  func find(_ character: Character) -> Int? {
    let wanted = character.lowercased()
    let start = (pane.highlighted ?? -1) + 1
    for step in items.indices {
      let index = (start + step) % items.count
      if items[index].title.lowercased().hasPrefix(wanted) { return index }
    }
    return nil
  }
}
