import TideSystem

/// The Lua files below the project's folder, whether a spec has loaded them or not.
enum ScriptFiles {
  /// More are not looked for.
  private static let most = 20_000
  /// Folders of other people's modules, which are many.
  private static let foreign: Set<String> = ["lua_modules", "node_modules"]

  /// Files and those in folders; links to folders are not followed, nor hidden folders looked into.
  static func find(in roots: [String], within bounds: ProjectBounds?) -> [String] {
    var found: [String] = []
    for root in roots where bounds?.contains(root) != false { collect(root, &found) }
    return found
  }

  private static func collect(_ path: String, _ found: inout [String]) {
    var status = stat()
    guard found.count < most, stat(path, &status) == 0 else { return }
    switch status.st_mode & S_IFMT {
    case S_IFREG: if path.hasSuffix(".lua") { found.append(path) }
    case S_IFDIR:
      for name in (ReadableFile.names(in: path) ?? []).sorted() where isWanted(name) {
        let inner = path == "." ? name : "\(path)/\(name)"
        var kind = stat()
        let isLink = lstat(inner, &kind) == 0 && kind.st_mode & S_IFMT == S_IFLNK
        if !isLink { collect(inner, &found) }
      }
    default: break
    }
  }

  private static func isWanted(_ name: String) -> Bool {
    !name.hasPrefix(".") && !foreign.contains(name)
  }
}
