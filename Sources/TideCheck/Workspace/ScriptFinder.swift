import TideBindings
import TideScript
import TideSystem

/// Finds scripts like `ScriptFiles`, with a cache of the file system's answers.
///
/// Its owner calls `forget()` when files may have been added or removed.
package final class ScriptFinder {
  private var identities: [PathKey: String] = [:]
  /// The scripts that exist only in editors, by the real paths under which they will be saved.
  private var unsaved: Set<PathKey> = []
  private var modules: [PathKey: String?] = [:]
  private var specModules: [PathKey: (file: String, home: String)?] = [:]
  private var modulePaths: [PathKey: SpecModulePath] = [:]
  private var appFolders: [PathKey: [String]] = [:]
  private var apps: [PathKey: String?] = [:]
  private var listings: [PathKey: [String]] = [:]
  private var found: [[PathKey]: [ScriptFiles.Found]] = [:]

  /// Whether a file contains the word `require`, by its real path. These answers survive
  /// `forget()`, because the file's stamp shows whether it has changed.
  private var requiring: [PathKey: (stamp: FileStamp, answer: Bool)] = [:]

  package init() {}

  /// Clears the cache.
  package func forget() {
    identities = [:]
    modules = [:]
    specModules = [:]
    modulePaths = [:]
    appFolders = [:]
    apps = [:]
    listings = [:]
    found = [:]
  }

  /// The Lua files at paths.
  ///
  /// - Parameter isEdited: whether a real path is edited, even if no file exists there.
  func found(
    at paths: [String], orWhere isEdited: (String) -> Bool
  ) throws(TideError) -> [ScriptFiles.Found] {
    let keys = paths.map(PathKey.init)
    if let known = found[keys] { return known }
    var files: [ScriptFiles.Found] = []
    for path in paths {
      // An edited path counts as a file even if a folder has its name.
      if isEdited(identity(of: path)) {
        files.append(ScriptFiles.Found(path: path))
      } else {
        files += try ScriptFiles.found(at: [path])
      }
    }
    found[keys] = files
    return files
  }

  /// The real path of a file. For a missing file it is the path under which it will be saved.
  func identity(of path: String) -> String {
    if let known = identities[path: path] { return known }
    let found = SystemPath.real(path) ?? Self.futurePath(of: path)
    identities[path: path] = found
    return found
  }

  private static func futurePath(of path: String) -> String {
    var folder = SystemPath.absolute(path)
    var missing: [Substring] = []
    while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
      missing.append(folder[folder.index(after: slash)...])
      folder = String(folder[..<slash])
      if let real = SystemPath.real(folder) {
        return SystemPath.joined(real, missing.reversed().joined(separator: "/"))
      }
    }
    return path
  }

  /// Records whether a file is edited. An edited file counts as existing before it is saved.
  func setEdited(_ path: String, _ isEdited: Bool) {
    let key = PathKey(identity(of: path))
    let isUnsaved = isEdited && access(path, F_OK) != 0
    guard unsaved.contains(key) != isUnsaved else { return }
    if isUnsaved { unsaved.insert(key) } else { unsaved.remove(key) }
    modules = [:]
  }

  /// The files below a folder that exist only in editors.
  func unsaved(below folder: String) -> [String] {
    let folder = identity(of: folder)
    return unsaved.map(\.path).filter { SystemPath.isBelow($0, folder) }.sorted()
  }

  /// The file of a module of the app in a folder; nil if none can be read. A link that leads out of
  /// the folder counts as missing, as it does when the app runs.
  func module(_ name: String, in folder: String) -> String? {
    let key = PathKey(folder + "\0" + name)
    if let known = modules[key] { return known }
    let found = ScriptFiles.candidates(ofModule: name, in: folder)?.first { file in
      if access(file, R_OK) == 0 { return SystemPath.isWithin(file, folder) }
      let identity = identity(of: file)
      return unsaved.contains(PathKey(identity))
        && SystemPath.isBelow(identity, self.identity(of: folder))
    }
    modules[key] = .some(found)
    return found
  }

  /// The module that a spec requires.
  func module(_ name: String, requiredBySpec path: String) -> (file: String, home: String)? {
    let key = PathKey(ScriptFiles.folder(of: path) + "\0" + name)
    if let known = specModules[key] { return known }
    let found = ScriptFiles.module(name, requiredBySpec: path) { modulePath(in: $0) }
    specModules[key] = .some(found)
    return found
  }

  /// The search path of the runner for the modules of specs below a folder.
  func modulePath(in folder: String) -> SpecModulePath {
    if let known = modulePaths[path: folder] { return known }
    let found = SpecModulePath(in: folder)
    modulePaths[path: folder] = found
    return found
  }

  /// The folders of the apps to which a script may belong, starting with its own folder.
  func appFolders(of path: String) -> [String] {
    let folder = ScriptFiles.folder(of: path)
    if let known = appFolders[path: folder] { return known }
    let found = ScriptFiles.appFolders(from: folder)
    appFolders[path: folder] = found
    return found
  }

  /// Whether a file is worth parsing because it may require others. Folders may contain large files
  /// of data beside an app.
  func mayRequire(_ file: String) -> Bool {
    let identity = identity(of: file)
    let stamp = FileStamp(file)
    if let stamp, let known = requiring[path: identity], known.stamp == stamp {
      return known.answer
    }
    let bytes = try? ScriptFile.bytes(of: file, limit: ScriptCheck.sizeLimit, "a script file")
    let answer = bytes?.contains(word: "require") ?? false
    if let stamp { requiring[path: identity] = (stamp, answer) }
    return answer
  }

  /// The file of an app that a spec shows.
  func app(_ name: String, shownBy path: String) -> String? {
    let key = PathKey(ScriptFiles.folder(of: path) + "\0" + name)
    if let known = apps[key] { return known }
    let found = ScriptFiles.app(name, shownBy: path)
    apps[key] = .some(found)
    return found
  }

  /// Whether a folder contains a script with the usual name of a main script, without reading it.
  func holdsMainScript(_ folder: String) -> Bool {
    scripts(in: folder).contains { $0.hasSuffix("/app.lua") || $0.hasSuffix("/main.lua") }
  }

  /// The Lua files directly in a folder.
  func scripts(in folder: String) -> [String] {
    if let known = listings[path: folder] { return known }
    let found = ScriptFiles.scripts(in: folder)
    listings[path: folder] = found
    return found
  }

  /// Whether a script runs under the test runner: it is a spec, is below a folder `spec`, or is in
  /// a folder of tests with specs.
  func isSpec(_ path: String) -> Bool {
    if path.hasSuffix("_spec.lua") { return true }
    let folder = ScriptFiles.folder(of: path)
    let folders = folder.split(separator: "/")
    if folders.suffix(4).contains("spec") { return true }
    guard folders.suffix(2).contains(where: { $0 == "test" || $0 == "tests" }) else { return false }
    return scripts(in: folder).contains { $0.hasSuffix("_spec.lua") }
  }
}
