/// One place of a frame: a character, or the right half of the wide one before it, and its style.
public struct Cell: Hashable, Sendable {
  /// The character's scalar, or a number of the frame's table of clusters, or the mark of a right
  /// half. Cells of frames that share a table are equal exactly when they look equal.
  var code: UInt32
  /// Its colours and attributes.
  public var style: CellStyle
  /// 1 or 2; 0 for the right half of a wide character, which draws nothing of its own.
  public internal(set) var width: UInt8

  /// A space.
  public static let blank = Cell(code: 0x20, style: .plain, width: 1)

  static func rightHalf(_ style: CellStyle) -> Cell {
    Cell(code: 0, style: style, width: 0)
  }

  /// Whether the character in the cell before it takes this one, too.
  public var isRightHalf: Bool { width == 0 }
}
