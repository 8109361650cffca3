import TideBindings

/// A script's text, and which line and column each of its bytes has.
struct LuaSource {
  let path: String
  let lines: ScriptLines

  var bytes: [UInt8] { lines.bytes }

  init(path: String, bytes: [UInt8]) {
    self.path = path
    lines = ScriptLines(bytes)
  }

  /// The place of a byte; its column counts bytes from 1.
  func location(of offset: Int) -> SourceLocation {
    let place = lines.place(of: offset)
    return SourceLocation(file: path, line: place.line, column: place.column)
  }
}
