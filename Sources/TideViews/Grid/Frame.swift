/// A grid of cells with characters and styles: the content of a screen at one moment.
///
/// ```swift
/// let frame = Frame(size: Size(width: 5, height: 1))
/// frame.write("漢字", at: .zero)
/// frame.lines   // ["漢字"]
/// ```
///
/// Writes outside the frame have no effect, and a size beyond `Size.cellLimit` is cut to it. A wide
/// character takes two cells; overwriting one half blanks the other, so a frame never shows half a
/// character.
public final class Frame {
  /// Columns and rows.
  public let size: Size
  /// The table of characters of more than one scalar.
  package let glyphs: GlyphTable
  /// The position of the text cursor; nil hides it.
  public var caret: Point?
  /// The drawing characters. Without Unicode, each cell of a character beyond ASCII shows a
  /// question mark.
  var symbols = Symbols.unicode {
    didSet { isPlain = !symbols.isUnicode }
  }
  private(set) var isPlain = false
  package let cells: UnsafeMutableBufferPointer<Cell>

  /// Makes an empty frame; frames that share a table of glyphs compare faster.
  public init(size: Size, glyphs: GlyphTable = GlyphTable()) {
    let size = size.bounded
    self.size = size
    self.glyphs = glyphs
    cells = .allocate(capacity: size.width * size.height)
    cells.initialize(repeating: .blank)
  }

  deinit { cells.deallocate() }

  /// Columns.
  public var width: Int { size.width }
  /// Rows.
  public var height: Int { size.height }

  /// The cell at a point; blank outside.
  public subscript(x: Int, y: Int) -> Cell {
    guard x >= 0, y >= 0, x < size.width, y < size.height else { return .blank }
    return cells[y * size.width + x]
  }

  /// The character in a cell; a space for the right half of a wide one.
  public func character(of cell: Cell) -> Character {
    cell.isRightHalf ? " " : glyphs.character(for: cell.code)
  }

  /// The character at a position; a space outside the frame.
  public func character(x: Int, y: Int) -> Character { character(of: self[x, y]) }

  /// Accesses one row of cells, to compare and copy without a bounds check for each cell.
  ///
  /// - Throws: the error of the function.
  package func withRow<R>(_ y: Int, _ use: (UnsafeBufferPointer<Cell>) throws -> R) rethrows -> R {
    guard y >= 0, y < size.height else { return try use(UnsafeBufferPointer(start: nil, count: 0)) }
    return try use(UnsafeBufferPointer(rebasing: cells[y * width..<(y + 1) * width]))
  }

  /// Copies an area from a frame that shares the table of glyphs.
  public func copy(_ area: Rect, from other: Frame) {
    let area = area.intersection(Rect(size)).intersection(Rect(other.size))
    guard let target = cells.baseAddress, let source = other.cells.baseAddress else { return }
    if area.isEmpty { return }
    for y in area.y..<area.maxY {
      (target + y * width + area.x)
        .update(from: source + y * other.width + area.x, count: area.width)
    }
  }

  /// The rows as strings, without trailing spaces.
  public var lines: [String] {
    (0..<height).map { y in
      var line = ""
      var spaces = 0
      for x in 0..<width {
        let cell = cells[y * width + x]
        if cell.isRightHalf { continue }
        if cell.code == 0x20 {
          spaces += 1
          continue
        }
        for _ in 0..<spaces { line.append(" ") }
        spaces = 0
        line.append(glyphs.character(for: cell.code))
      }
      return line
    }
  }

  /// The rows joined by newlines, without empty rows at the end.
  public var text: String {
    var lines = lines
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }
}
