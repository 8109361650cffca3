import Fuzzing
import Testing
import TideBindings

@testable import TideViews

/// Rows of texts where every one of them is measured.
private struct MeasuredRows {
  var texts: [String]
  var size: Size
  /// The row at the beginning of the sight, and how many of its lines are above.
  var first = 0
  var skipped = 0
  var hadSelection = false
  private var known: [String: [String]] = [:]

  init(_ texts: [String], _ size: Size) {
    self.texts = texts
    self.size = size
  }

  /// Rows leave room for a scroll bar.
  private var width: Int { size.width - (size.width > 2 ? 1 : 0) }

  /// The lines of a text, as a label alone shows them.
  private mutating func lines(of text: String) -> [String] {
    let key = "\(width) \(text)"
    if let lines = known[key] { return lines }
    let label = LabelView(text)
    label[.wrap] = true
    let height = max(1, label.naturalHeight(forWidth: width))
    let shown = label.snapshot(size: Size(width: width, height: height))
    var lines = shown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.count < height { lines.append("") }
    known[key] = lines
    return lines
  }

  private mutating func start(of row: Int) -> Int {
    var start = 0
    for text in texts.prefix(row) { start += lines(of: text).count }
    return start
  }

  /// The rows after an edit are others; the first one in sight stays where it is.
  mutating func edit(_ edit: RowEdit, _ texts: [String]) {
    if first > 0 || skipped > 0 {
      if edit.index(of: first) == nil { skipped = 0 }
      first = edit.nearestIndex(of: first)
    }
    self.texts = texts
  }

  /// What a person or the program has done since the last picture.
  struct Change {
    var travel = 0
    var wanted: Int?
    var keepsSelection = true
  }

  mutating func picture(_ change: Change, selection: Int?) -> [String] {
    if size.width == 0 || size.height == 0 { return [] }
    if texts.isEmpty {
      (first, skipped, hadSelection) = (0, 0, false)
      return Array(repeating: "", count: size.height)
    }
    let total = start(of: texts.count)
    first = max(0, min(first, texts.count - 1))
    skipped = max(0, min(skipped, lines(of: texts[first]).count - 1))
    let end = max(0, total - size.height)
    var y = max(0, min(start(of: first) + skipped + change.travel, end))
    if let wanted = change.wanted { y = revealing(wanted, y, end) }
    if hadSelection, change.keepsSelection, let selection { y = revealing(selection, y, end) }
    first = 0
    while first + 1 < texts.count, start(of: first + 1) <= y { first += 1 }
    skipped = y - start(of: first)
    hadSelection = selection.map { isInSight($0, y) } ?? false
    var picture: [String] = []
    for text in texts { picture += lines(of: text) }
    picture += Array(repeating: "", count: size.height)
    return Array(picture[y..<y + size.height])
  }

  private mutating func revealing(_ row: Int, _ y: Int, _ end: Int) -> Int {
    let (top, height) = (start(of: row), lines(of: texts[row]).count)
    if top < y { return min(top, end) }
    if top + height <= y + size.height || top == y { return y }
    return min(end, height > size.height ? top : top + height - size.height)
  }

  private mutating func isInSight(_ row: Int, _ y: Int) -> Bool {
    let (top, height) = (start(of: row), lines(of: texts[row]).count)
    return top >= y && top + height <= y + size.height || top == y && height > size.height
  }

  /// How far a page scrolls in a selected row that is higher than the sight; nil in any other.
  mutating func step(_ pages: Int, selection: Int?) -> Int? {
    guard let selection, selection < texts.count else { return nil }
    let y = start(of: first) + skipped
    let (top, height) = (start(of: selection) - y, lines(of: texts[selection]).count)
    guard height > size.height, top < size.height, top + height > 0 else { return nil }
    let step = pages > 0 ? min(size.height, top + height - size.height) : max(-size.height, top)
    return step != 0 && (step > 0) == (pages > 0) ? step : nil
  }
}

@Suite struct FlexibleRowsLaw {
  private static func text(using random: inout SeededGenerator, _ number: Int) -> String {
    let words = (0..<Int.random(in: 0...9, using: &random)).map { _ in
      ["a", "some", "longer words", "漢字", "e\u{301}tude", "\n"].randomElement(using: &random) ?? ""
    }
    return words.isEmpty ? "" : "\(number) " + words.joined(separator: " ")
  }

  @Test(arguments: UInt64(1)...30)
  func `random edits, widths and scrolls show what rows show that are all measured`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    var next = 0
    func newText() -> String {
      next += 1
      return Self.text(using: &random, next)
    }
    let texts = (0..<Int.random(in: 0...40, using: &random)).map { _ in newText() }
    let rows = ValueList(texts.map { .string($0) })
    let list = ListView(viewClass: .list)
    try list.set("rowHeight", "auto")
    list[.items] = .object(rows)
    let size = Size(width: 12, height: 6)
    let shown = try ShownView(list, size.width, size.height)
    list.focus()
    var model = MeasuredRows(texts, size)
    _ = model.picture(.init(), selection: nil)
    _ = try shown.text
    for step in 0..<60 {
      var change = MeasuredRows.Change()
      let count = rows.count
      func row(_ most: Int) -> Int { Int.random(in: 0...most, using: &random) }
      let former = list[.selectedIndex]
      let isEmpty = model.size.width == 0 || model.size.height == 0
      switch row(11) {
      case 0:
        let at = row(count)
        let added = (0..<row(3)).map { _ in newText() }
        if added.isEmpty { continue }
        try rows.insert(contentsOf: added.map { .string($0) }, at: at)
        model.edit(.insertion(at..<at + added.count), rows.values.map { $0.text ?? "" })
      case 1 where count > 0:
        let at = row(count - 1)
        let removed = 1 + row(min(2, count - 1 - at))
        try rows.remove(at: at, count: removed)
        model.edit(.removal(at..<at + removed), rows.values.map { $0.text ?? "" })
      case 2 where count > 0:
        let (from, to) = (row(count - 1), row(count - 1))
        if from == to { continue }
        try rows.move(from: from, to: to)
        model.edit(.move(from: from, to: to), rows.values.map { $0.text ?? "" })
      case 3 where count > 0:
        let at = row(count - 1)
        try rows.replace(at: at, with: .string(newText()))
        model.edit(.replacement(at..<at + 1), rows.values.map { $0.text ?? "" })
      case 4, 5:
        model.size = Size(width: row(30), height: row(10))
        shown.scene.resize(model.size)
      case 6 where !isEmpty, 7 where !isEmpty:
        // Rows beyond the next page are passed without being measured.
        let most = model.size.height
        change.travel = Int.random(in: -most...most, using: &random)
        change.keepsSelection = false
        list.scroll(by: change.travel)
      case 8 where count > 0 && !isEmpty:
        change.wanted = row(count - 1)
        change.keepsSelection = false
        list.scroll(toRow: change.wanted ?? 0)
      case 9 where count > 0 && !isEmpty:
        let index = row(count - 1)
        list[.selectedIndex] = index
        if index != former { change.wanted = index }
      default:
        if count == 0 || isEmpty { continue }
        let key = ["Up", "Down", "Home", "End", "PageUp", "PageDown"].randomElement(using: &random)
        let pages = ["PageUp": -1, "PageDown": 1][key ?? "Up"]
        let within = pages.flatMap { model.step($0, selection: former) }
        try shown.press(key ?? "Up")
        change.travel = within ?? 0
        change.keepsSelection = within == nil
        if within == nil { change.wanted = list[.selectedIndex] }
      }
      let expected = model.picture(change, selection: list[.selectedIndex])
      let bar = model.size.width > 2 ? 1 : 0
      let found = try shown.lines.map { line in
        // The last column is the scroll bar's, and wide characters take two.
        var text = line
        if bar > 0, CharacterWidth.of(text) == model.size.width { text.removeLast() }
        while text.last == " " { text.removeLast() }
        return text
      }
      if model.size.width == 0 || model.size.height == 0 { continue }
      #expect(found == expected, "seed \(seed), step \(step)")
      if found != expected { return }
    }
  }
}
