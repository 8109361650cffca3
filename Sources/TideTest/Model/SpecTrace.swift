import TideLua

/// A line of a spec, as Lua's `debug` library tells of it.
package struct SpecTrace: Sendable, Equatable {
  package var source: String
  /// The file as it is shown, shortened where it is long.
  package var file: String
  package var line: Int
  /// `Lua` in a function, `main` in a file's body.
  package var kind: String
  package var firstLine: Int
  package var lastLine: Int
  /// The calls that led there, innermost first.
  package var traceback: String?
}

extension SpecTrace {
  /// The whole path, where `file` may be shortened.
  var path: String { source.hasPrefix("@") ? String(source.dropFirst()) : file }

  /// Reads what `location` in words.lua gives: source, short source, line, kind, lines, traceback.
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
  /// A string, repaired where it is not UTF-8.
  var text: String? {
    switch self {
    case .string(let text): text
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    default: nil
    }
  }
}
