/// A width and a height in cells, never negative.
///
/// ```swift
/// Size(width: 80, height: 24).description   // "80x24"
/// ```
public struct Size: Hashable, Sendable {
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Makes a size; a negative width or height counts as 0.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// No cells.
  public static let zero = Size(width: 0, height: 0)

  /// Whether it holds no cell.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// The maximum number of cells of a frame: more than any screen, since a frame allocates every
  /// cell.
  package static let cellLimit = 1 << 22

  /// The size, cut to `cellLimit` cells.
  public var bounded: Size {
    let width = min(width, Self.cellLimit)
    return Size(width: width, height: min(height, Self.cellLimit / max(1, width)))
  }
}

extension Size: CustomStringConvertible, LosslessStringConvertible {
  /// `80x24`.
  public var description: String { "\(width)x\(height)" }

  /// Parses `80x24`; nil for anything else, and for sides beyond 10,000 cells.
  public init?(_ description: String) {
    let parts = description.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (0...10_000).contains(width), (0...10_000).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  /// Reads the size of a spec's screen, which has 1 to 2000 columns and rows.
  package init?(screen description: String) {
    self.init(description)
    guard (1...2000).contains(width), (1...2000).contains(height) else { return nil }
  }
}

/// A column and a row, counted from 0 at the top left corner.
///
/// ```swift
/// Rect(x: 0, y: 0, width: 4, height: 2).contains(Point(x: 3, y: 1))   // true
/// ```
public struct Point: Hashable, Sendable {
  /// The column, from 0 at the left.
  public var x: Int
  /// The row, from 0 at the top.
  public var y: Int

  /// Makes a point from its column and row.
  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  /// The top left corner.
  public static let zero = Point(x: 0, y: 0)
}

/// A rectangle of cells.
///
/// ```swift
/// let screen = Rect(Size(width: 80, height: 24))
/// screen.inset(by: Sides(all: 1)).width   // 78
/// ```
public struct Rect: Hashable, Sendable {
  /// Its first column.
  public var x: Int
  /// Its first row.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Makes a rectangle; a negative width or height counts as 0.
  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  /// Makes a rectangle of a size at the origin.
  public init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// No cells, at the top left corner.
  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  /// The column after its last.
  public var maxX: Int { x + width }
  /// The row after its last.
  public var maxY: Int { y + height }
  /// Its first cell.
  public var origin: Point { Point(x: x, y: y) }
  /// Its width and height.
  public var size: Size { Size(width: width, height: height) }
  /// Whether it holds no cell.
  public var isEmpty: Bool { width == 0 || height == 0 }

  /// Whether a cell lies in it.
  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// Whether another rectangle lies entirely in it.
  public func contains(_ other: Rect) -> Bool {
    other.x >= x && other.maxX <= maxX && other.y >= y && other.maxY <= maxY
  }

  /// The cells that lie in both rectangles.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
  }

  /// Its columns, from the first to the last.
  public var columns: Range<Int> { x..<maxX }
  /// Its rows, from the first to the last.
  public var rows: Range<Int> { y..<maxY }

  /// The smallest rectangle that contains both; an empty one adds nothing.
  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    let left = min(x, other.x)
    let top = min(y, other.y)
    return Rect(
      x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
  }

  /// The rectangle without the given sides.
  public func inset(by sides: Sides) -> Rect {
    let across = min(width, sides.left)
    let down = min(height, sides.top)
    return Rect(
      x: x + across, y: y + down, width: width - across - sides.right,
      height: height - down - sides.bottom)
  }
}

/// Numbers of cells at the four sides of a rectangle: a padding, a margin or a border.
///
/// ```swift
/// Sides(top: 1, left: 2).horizontal   // 2
/// ```
public struct Sides: Hashable, Sendable {
  /// Cells above.
  public var top: Int
  /// Cells at the right.
  public var right: Int
  /// Cells below.
  public var bottom: Int
  /// Cells at the left.
  public var left: Int

  /// Makes sides; the default of each is 0.
  public init(top: Int = 0, right: Int = 0, bottom: Int = 0, left: Int = 0) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }

  /// Makes four equal sides.
  public init(all amount: Int) {
    self.init(top: amount, right: amount, bottom: amount, left: amount)
  }

  /// 0 at every side.
  public static let zero = Sides()

  /// Left and right together.
  public var horizontal: Int { left + right }
  /// Top and bottom together.
  public var vertical: Int { top + bottom }
}
