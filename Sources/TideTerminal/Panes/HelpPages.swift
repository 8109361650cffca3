package import TideViews

/// Help for keys, in pages that fit an overlay.
///
/// ```swift
/// let pages = HelpPages(scene.keyHelp, room: terminal.overlayRoom).pages
/// terminal.overlay = pages[0]
/// ```
///
/// Keys have a column of their own, with wrapped descriptions beside them. A section that does not
/// fit on the current page begins on the next one.
package struct HelpPages {
  package private(set) var pages: [[String]] = []
  private let room: Size
  private let keyWidth: Int

  package init(_ sections: [KeyHelp.Section], room: Size) {
    self.room = Size(width: max(12, room.width), height: max(1, room.height))
    let widest = sections.flatMap(\.lines).map { CharacterWidth.of($0.keys) }.max() ?? 0
    keyWidth = min(widest, self.room.width / 2)
    for section in sections { add(section) }
    mark()
  }

  /// The number of lines for content; the rest is for the page number.
  private var height: Int { max(1, room.height - 2) }

  private mutating func add(_ section: KeyHelp.Section) {
    var lines = section.lines.flatMap { rows(of: $0) }
    if !section.title.isEmpty { lines.insert(section.title, at: 0) }
    if let last = pages.last, !last.isEmpty {
      if last.count + 1 + lines.count <= height {
        pages[pages.count - 1] += [""] + lines
        return
      }
    }
    var rest = lines[...]
    while !rest.isEmpty {
      pages.append(Array(rest.prefix(height)))
      rest = rest.dropFirst(height)
    }
  }

  /// Adds the page number to each page, if there are several.
  private mutating func mark() {
    if pages.count < 2 { return }
    for index in pages.indices {
      let more = index + 1 < pages.count ? "? goes on" : "? closes"
      pages[index] += ["", "\(index + 1) of \(pages.count), \(more)"]
    }
  }

  private func rows(of line: KeyHelp) -> [String] {
    let keys = WordWrap.lines(line.keys, width: keyWidth)
    let action = WordWrap.lines(line.action, width: room.width - keyWidth - 4)
    return (0..<max(keys.count, action.count)).map { index in
      let key = index < keys.count ? keys[index] : ""
      let text = index < action.count ? action[index] : ""
      let gap = String(repeating: " ", count: max(0, keyWidth - CharacterWidth.of(key)) + 2)
      return text.isEmpty ? "  " + key : "  " + key + gap + text
    }
  }
}
