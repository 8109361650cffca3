import TideScript
import TideSystem

/// The globals that a project's settings list: those that its host program adds.
///
/// They come from `globals` and `read_globals` in `.luacheckrc`, and from `diagnostics.globals` in
/// `.luarc.json`, in the nearest folder with one of these files. `.luacheckrc` is a Lua file; only
/// its literal tables are read, and it is not run.
final class ProjectGlobals {
  private static let linterFile = ".luacheckrc"
  private static let editorFile = ".luarc.json"
  /// The names of the files that are read.
  static let fileNames = [linterFile, editorFile]

  private var known: [PathKey: Set<String>] = [:]

  /// Clears the cache, because files may have changed.
  func forget() { known = [:] }

  /// The globals for a script.
  func names(for script: String) -> Set<String> {
    names(in: SystemPath.folder(of: SystemPath.absolute(script)))
  }

  private func names(in folder: String) -> Set<String> {
    if let known = known[path: folder] { return known }
    let found: Set<String>
    if let own = Self.names(listedIn: folder) {
      found = own
    } else {
      let above = SystemPath.folder(of: folder)
      found = above == folder ? [] : names(in: above)
    }
    known[path: folder] = found
    return found
  }

  /// The names in the files of one folder; nil if it has none of these files.
  private static func names(listedIn folder: String) -> Set<String>? {
    let texts = fileNames.map { name in
      try? ScriptFile.bytes(of: SystemPath.joined(folder, name), limit: 1 << 20, "a settings file")
    }
    guard texts.contains(where: { $0 != nil }) else { return nil }
    return names(inLinterFile: texts[0] ?? []).union(names(inEditorFile: texts[1] ?? []))
  }

  // MARK: .luacheckrc

  private static let lists: Set<String> = [
    "globals", "read_globals", "new_globals", "new_read_globals",
  ]

  static func names(inLinterFile bytes: [UInt8]) -> Set<String> {
    guard var parser = try? LuaParser(bytes), let statements = try? parser.script() else {
      return []
    }
    var names: Set<String> = []
    for case .assignment(let targets, let values) in statements {
      for (target, value) in zip(targets, values) {
        switch target.kind {
        case .name(let list, nil) where lists.contains(list):
          names.formUnion(self.names(in: value))
        // `stds.host = { read_globals = … }`
        case .member(let base, _, _):
          guard case .name("stds", nil) = base.kind else { continue }
          for field in value.fields ?? [] where field.name.map({ lists.contains($0.text) }) == true
          {
            names.formUnion(self.names(in: field.value))
          }
        default: break
        }
      }
    }
    return names
  }

  /// `{ "query", "host.name", config = { fields = … } }`
  private static func names(in list: LuaExpression) -> [String] {
    (list.fields ?? []).compactMap { field in
      let name = field.isElement ? field.value.string?.text : field.name?.text
      return name.map { String($0.prefix { $0 != "." }) }
    }
  }

  // MARK: .luarc.json

  static func names(inEditorFile bytes: [UInt8]) -> Set<String> {
    guard let settings = try? JSONValue(parsing: withoutComments(bytes)) else { return [] }
    let lists = [
      settings["diagnostics.globals"], settings["Lua.diagnostics.globals"],
      settings["diagnostics"]["globals"], settings["Lua"]["diagnostics"]["globals"],
    ]
    return Set(lists.flatMap { $0.array ?? [] }.compactMap(\.string))
  }

  /// Replaces the comments of JSON by blanks, because lua-language-server accepts comments.
  private static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var index = 0
    var isText = false
    while index < bytes.count {
      if isText {
        if bytes[index] == UInt8(ascii: "\\") { index += 1 }
        isText = index >= bytes.count || bytes[index] != UInt8(ascii: "\"")
      } else if bytes[index] == UInt8(ascii: "\"") {
        isText = true
      } else if let end = end(ofCommentAt: index, in: bytes) {
        for place in index..<end where bytes[place] != UInt8(ascii: "\n") {
          bytes[place] = UInt8(ascii: " ")
        }
        index = end
        continue
      }
      index += 1
    }
    return bytes
  }

  private static func end(ofCommentAt start: Int, in bytes: [UInt8]) -> Int? {
    if bytes[start...].starts(with: "//".utf8) {
      return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }
    guard bytes[start...].starts(with: "/*".utf8) else { return nil }
    var end = start + 2
    while end < bytes.count, !bytes[end...].starts(with: "*/".utf8) { end += 1 }
    return min(end + 2, bytes.count)
  }
}
