import TideGraph

/// Splits text into lines that fit a width.
///
/// Each function reads only as much text as its result needs: a label may have a million characters
/// and show ten. When the time budget of the turn is used up, a function stops and returns what it
/// has found so far.
enum TextLines {
  static let tabStop = 8

  /// The lines of a text, up to a limit.
  static func split(_ text: String, limit: Int = .max) -> [Substring] {
    if limit <= 0 { return [] }
    var lines: [Substring] = []
    eachLine(of: text) { line in
      lines.append(line)
      return lines.count < limit
    }
    return lines
  }

  /// Visits the lines of a text until the visitor returns false: a text of a megabyte may have a
  /// million lines.
  private static func eachLine(of text: String, _ tell: (Substring) -> Bool) {
    var start = text.startIndex
    var index = start
    let bytes = text.utf8
    var clock = WorkClock()
    while index < text.endIndex, clock.hasTime() {
      // Every line end begins with one of these bytes.
      switch bytes[index] {
      case 0x0A...0x0D, 0xC2, 0xE2:
        // A lone carriage return is drawn as a control character. As a line end it would hide the
        // rest of the text in views of one row.
        let character = text[index]
        guard character.isNewline, character != "\r" else { break }
        if !tell(text[start..<index]) { return }
        start = text.index(after: index)
        index = start
        continue
      default: break
      }
      index = bytes.index(after: index)
    }
    _ = tell(text[start...])
  }

  /// The width of the widest line and the number of lines.
  static func size(of text: String) -> Size {
    if let width = plainWidth(text) { return Size(width: width, height: 1) }
    var size = Size.zero
    eachLine(of: text) { line in
      size.width = max(size.width, cells(of: line))
      size.height += 1
      return true
    }
    return size
  }

  /// The width of a text of printable ASCII; nil for any other text.
  static func plainWidth(_ text: String) -> Int? {
    let isPlain = text.utf8.withContiguousStorageIfAvailable { bytes in
      for byte in bytes where byte < 0x20 || byte > 0x7E { return false }
      return true
    }
    return isPlain ?? text.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E } ? text.utf8.count : nil
  }

  /// The width of a line in cells; counting stops as soon as it exceeds `limit`.
  static func cells(of line: Substring, atMost limit: Int = .max) -> Int {
    var used = 0
    var index = line.startIndex
    var clock = WorkClock()
    while index < line.endIndex && used <= limit && clock.hasTime() {
      let step = line.step(index)
      used += step.width
      index = step.next
    }
    return used
  }

  /// The text with each tab expanded to spaces, up to the next multiple of 8 columns.
  static func withoutTabs(_ text: String) -> String {
    // A label calls this at each drawing, for text of any length, so the search is over plain
    // bytes.
    let hasTabs = text.utf8.withContiguousStorageIfAvailable { $0.contains(9) }
    if !(hasTabs ?? text.utf8.contains(9)) { return text }
    // Without memory for the spaces the tabs stay, and frames draw each as one space.
    let spaces = text.utf8.count { $0 == 9 } * (tabStop - 1)
    if spaces > 1 << 16, (try? WorkBudget.admit(bytes: text.utf8.count + spaces)) == nil {
      return text
    }
    var shown = ""
    var clock = WorkClock()
    eachLine(of: text) { line in
      if line.startIndex > text.startIndex { shown.append("\n") }
      var column = 0
      var start = line.startIndex
      var index = start
      while index < line.endIndex, clock.hasTime() {
        let step = line.step(index)
        if line.utf8[index] == 9 {
          let width = tabStop - column % tabStop
          shown += line[start..<index]
          shown += String(repeating: " ", count: width)
          column += width
          start = step.next
        } else {
          column += step.width
        }
        index = step.next
      }
      shown += line[start...]
      return true
    }
    return shown
  }

  /// Wraps lines between words, and within a word that is wider than the width; returns at most
  /// `limit` lines.
  static func wrapped(_ text: String, width: Int, limit: Int = .max) -> [Substring] {
    if width <= 0 || limit <= 0 { return [] }
    var lines: [Substring] = []
    eachLine(of: text) { line in
      wrap(line, width) {
        lines.append($0)
        return lines.count < limit
      }
    }
    return lines
  }

  /// The number of lines of the wrapped text.
  static func height(of text: String, width: Int) -> Int {
    if width <= 0 { return 0 }
    var height = 0
    eachLine(of: text) { line in
      wrap(line, width) { _ in
        height += 1
        return true
      }
    }
    return height
  }

  /// Visits the wrapped parts of a line until the visitor returns false; returns whether it visited
  /// all.
  private static func wrap(_ line: Substring, _ width: Int, _ tell: (Substring) -> Bool) -> Bool {
    var start = line.startIndex
    var used = 0
    // The last position where the line may break: before the spaces, and after them.
    var breakEnd: Substring.Index?
    var breakNext = start
    var widthToBreak = 0
    var wasSpace = false
    var index = start
    var clock = WorkClock()
    while index < line.endIndex, clock.hasTime() {
      let step = line.step(index)
      let own = step.width
      if step.isSpace {
        if !wasSpace { breakEnd = index }
        breakNext = step.next
        widthToBreak = used + own
        wasSpace = true
      } else {
        wasSpace = false
        if used + own > width {
          if let end = breakEnd {
            if !tell(line[start..<end]) { return false }
            start = breakNext
            used -= widthToBreak
            breakEnd = nil
          }
          if used + own > width && index > start {
            if !tell(line[start..<index]) { return false }
            start = index
            used = 0
          }
        }
      }
      used += own
      index = step.next
    }
    return tell(trimmed(line[start...], to: width, used))
  }

  /// Drops trailing spaces beyond the width of the last line, which need no further line.
  private static func trimmed(_ line: Substring, to width: Int, _ cells: Int) -> Substring {
    var line = line
    var cells = cells
    while cells > width, line.last == " " {
      line.removeLast()
      cells -= 1
    }
    return line
  }

  /// The beginning of a line that fits the width, with an ellipsis if text is cut off.
  static func truncated(_ line: some StringProtocol, width: Int, ellipsis: Character) -> String {
    if width <= 0 { return "" }
    let line = Substring(line)
    var used = 0
    var index = line.startIndex
    // The end of the text that fits together with the ellipsis.
    var end = index
    while index < line.endIndex {
      let step = line.step(index)
      used += step.width
      if used > width { return line[..<end] + String(ellipsis) }
      index = step.next
      if used < width { end = index }
    }
    return String(line)
  }
}

extension Substring {
  /// The index after a character, its width in cells, and whether a line may break before it.
  fileprivate func step(_ index: Index) -> (next: Index, width: Int, isSpace: Bool) {
    let byte = utf8[index]
    let after = utf8.index(after: index)
    // An ASCII character is a cluster of its own unless a combining character may follow.
    if byte < 0x80 && (after == endIndex || utf8[after] < 0x80) {
      return (after, 1, byte == 0x20)
    }
    let character = self[index]
    return (self.index(after: index), CharacterWidth.of(character), character == " ")
  }
}
