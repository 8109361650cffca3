import TideBindings
import TideSystem

/// Finds scripts as `ScriptFiles` does, and asks the disk about each name once.
///
/// Its owner calls `forget()` when files may have been added or removed.
final class ScriptFinder {
  private var identities: [PathKey: String] = [:]
  private var modules: [PathKey: String?] = [:]
  private var apps: [PathKey: String?] = [:]
  private var listings: [PathKey: [String]] = [:]
  private var found: [[PathKey]: [ScriptFiles.Found]] = [:]

  /// Forgets all answers, so that the disk is asked again.
  func forget() {
    identities = [:]
    modules = [:]
    apps = [:]
    listings = [:]
    found = [:]
  }

  /// The Lua files that paths name.
  ///
  /// - Parameter isEdited: whether an editor has a text for a real path, even if no file is there.
  func found(
    at paths: [String], orWhere isEdited: (String) -> Bool
  ) throws(TideError) -> [ScriptFiles.Found] {
    let keys = paths.map(PathKey.init)
    if let known = found[keys] { return known }
    var files: [ScriptFiles.Found] = []
    for path in paths {
      // Even if a folder has that name.
      if isEdited(identity(of: path)) {
        files.append(ScriptFiles.Found(path: path))
      } else {
        files += try ScriptFiles.found(at: [path])
      }
    }
    found[keys] = files
    return files
  }

  /// The real path of a file, or the path itself if the file does not exist.
  func identity(of path: String) -> String {
    if let known = identities[path: path] { return known }
    let found = SystemPath.real(path) ?? path
    identities[path: path] = found
    return found
  }

  /// The file of a module that a script requires.
  func module(_ name: String, requiredBy path: String) -> String? {
    let key = PathKey(ScriptFiles.folder(of: path) + "\0" + name)
    if let known = modules[key] { return known }
    let found = ScriptFiles.module(name, requiredBy: path)
    modules[key] = .some(found)
    return found
  }

  /// The file of an app that a spec shows.
  func app(_ name: String, shownBy path: String) -> String? {
    let key = PathKey(ScriptFiles.folder(of: path) + "\0" + name)
    if let known = apps[key] { return known }
    let found = ScriptFiles.app(name, shownBy: path)
    apps[key] = .some(found)
    return found
  }

  /// The Lua files directly in a folder.
  func scripts(in folder: String) -> [String] {
    if let known = listings[path: folder] { return known }
    let found = ScriptFiles.scripts(in: folder)
    listings[path: folder] = found
    return found
  }

  /// Whether a script runs under the test runner: it is a spec, or lies below a folder `spec` or
  /// beside specs.
  func isSpec(_ path: String) -> Bool {
    if path.hasSuffix("_spec.lua") { return true }
    let folder = ScriptFiles.folder(of: path)
    let folders = folder.split(separator: "/")
    if folders.suffix(4).contains("spec") { return true }
    guard folders.suffix(2).contains(where: { $0 == "test" || $0 == "tests" }) else { return false }
    return scripts(in: folder).contains { $0.hasSuffix("_spec.lua") }
  }
}
