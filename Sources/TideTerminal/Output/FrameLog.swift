package import TideViews

/// Copies of the rows that frames have changed, so that encoding waits until somebody wants to see
/// them.
///
/// ```swift
/// var log = FrameLog()
/// log.add(changes.frame, areas: changes.areas, at: now)
/// log.mark("tap add", at: now)
/// let cast = log.cast(title: "todo")
/// ```
///
/// Copying rows costs a small part of drawing them. If the copies become too large, those made so
/// far are encoded; a recording that becomes too large ends with a mark that says so.
package struct FrameLog {
  private enum Entry {
    case rows(Rows)
    case mark(String, at: Double)

    var time: Double {
      switch self {
      case .rows(let rows): rows.time
      case .mark(_, let time): time
      }
    }
  }

  private struct Rows {
    let time: Double
    let size: Size
    let glyphs: GlyphTable
    let caret: Point?
    /// The first row of the cells.
    let first: Int
    let cells: [Cell]
  }

  private var entries: [Entry] = []
  private var cellCount = 0
  /// The recording so far, and what continues it.
  private var text = ""
  private var encoder = CastEncoder()
  private var screen: Frame?
  private var isFull = false

  /// About 16 MB.
  private static let mostCells = 1 << 20
  private static let mostBytes = 32 << 20

  package init() {}

  package var isEmpty: Bool { entries.isEmpty && text.isEmpty }

  /// Adds a frame.
  ///
  /// - Parameter areas: the areas that may differ from the frame before; nil for the whole frame.
  package mutating func add(_ frame: Frame, areas: [Rect]?, at seconds: Double) {
    if isFull { return }
    var rows = 0..<frame.height
    if let areas {
      let first = areas.map(\.y).min() ?? 0, end = areas.map(\.maxY).max() ?? 0
      rows = max(0, first)..<max(0, first, min(end, frame.height))
    }
    let range = rows.lowerBound * frame.width..<rows.upperBound * frame.width
    entries.append(
      .rows(
        Rows(
          time: seconds, size: frame.size, glyphs: frame.glyphs, caret: frame.caret,
          first: rows.lowerBound,
          cells: Array(UnsafeMutableBufferPointer(rebasing: frame.cells[range])))))
    cellCount += range.count
    if cellCount > Self.mostCells { encode() }
  }

  /// Marks a moment.
  package mutating func mark(_ name: String, at seconds: Double) {
    if !isFull { entries.append(.mark(name, at: seconds)) }
  }

  /// The recording in the format asciicast v2; nil without a frame.
  package mutating func cast(title: String) -> String? {
    encode()
    guard let size = firstSize else { return nil }
    var header = CastEncoder()
    return header.header(size: size, title: title) + text
  }

  /// The last frame; nil without one.
  package mutating func lastFrame() -> Frame? {
    encode()
    return screen
  }

  private var firstSize: Size?

  private mutating func encode() {
    let entries = entries
    (self.entries, cellCount) = ([], 0)
    for entry in entries where !isFull {
      switch entry {
      case .rows(let rows): encode(rows)
      case .mark(let name, let time): text += CastEncoder.mark(name, at: time)
      }
      if text.utf8.count > Self.mostBytes {
        isFull = true
        text += CastEncoder.mark("the recording ends here, because it is too long", at: entry.time)
      }
    }
  }

  private mutating func encode(_ rows: Rows) {
    let known = screen.flatMap { $0.size == rows.size && $0.glyphs === rows.glyphs ? $0 : nil }
    let frame = known ?? Frame(size: rows.size, glyphs: rows.glyphs)
    screen = frame
    frame.caret = rows.caret
    let start = rows.first * frame.width
    for (index, cell) in rows.cells.enumerated() { frame.cells[start + index] = cell }
    if firstSize == nil {
      firstSize = rows.size
      _ = encoder.header(size: rows.size, title: "")
    }
    let height = rows.cells.count / max(1, frame.width)
    let area = Rect(x: 0, y: rows.first, width: frame.width, height: height)
    text += encoder.lines(frame, areas: [area], at: rows.time)
  }
}
