/// A place in a script or another text: a file, a line and, where it is known, a column, from 1.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The file, as messages name it.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1; nil where only the line is known.
  public var column: Int?

  /// Names a place in a file.
  public init(file: String, line: Int, column: Int? = nil) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `app.lua:12` or `app.lua:12:5`.
  public var description: String {
    column.map { "\(file):\(line):\($0)" } ?? "\(file):\(line)"
  }
}
