import TideLua

/// A line of a spec, with the data of Lua's `debug` library.
package struct SpecTrace: Sendable, Equatable {
  package var source: String
  /// The file's name for display, shortened if it is long.
  package var file: String
  package var line: Int
  /// `Lua` for a function, `main` for a file's main chunk.
  package var kind: String
  package var firstLine: Int
  package var lastLine: Int
  /// The stack trace, innermost call first.
  package var traceback: String?
}

extension SpecTrace {
  /// The full path; `file` may be shortened.
  var path: String { source.hasPrefix("@") ? String(source.dropFirst()) : file }

  /// Reads the results of `location` in words.lua: source, short source, line, kind, lines,
  /// traceback.
  init?(_ values: ArraySlice<LuaValue>) {
    let values = Array(values)
    guard values.count >= 6, let source = values[0].string, let file = values[1].string,
      let line = values[2].integer
    else { return nil }
    self.init(
      source: source, file: file, line: line, kind: values[3].string ?? "",
      firstLine: values[4].integer ?? -1, lastLine: values[5].integer ?? -1,
      traceback: values.count > 6 ? values[6].text : nil)
  }
}

extension LuaValue {
  /// The string, repaired if it is not UTF-8.
  var text: String? {
    switch self {
    case .string(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }
}
