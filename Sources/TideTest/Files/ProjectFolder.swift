import FoundationEssentials
import TideBindings
import TideScript
import TideSystem

/// The project folder of a spec: the parent of its folder `spec`, `test` or `tests`.
///
///     examples/todo/app.lua
///     examples/todo/spec/todo_spec.lua     its project is examples/todo
///
/// The project of any other spec is the spec's own folder.
struct ProjectFolder {
  let path: String

  init(ofSpec file: String) {
    var folders = file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let own = Array(folders)
    while let name = folders.last, !["spec", "test", "tests"].contains(name) {
      folders = folders.dropLast()
    }
    let isFound = !folders.isEmpty
    let found = isFound ? Array(folders.dropLast()) : own
    let joined = found.joined(separator: "/")
    path = joined.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : joined
  }

  /// Finds an app's file by name in the project, else in the working folder.
  ///
  /// - Parameter isConfined: whether files outside of both are refused, as in the sandbox.
  func find(_ name: String, isConfined: Bool = false) throws -> String {
    if isConfined {
      // Checked before any look-up, because a hint would reveal the names of files.
      guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
        throw Self.outside(name)
      }
      let file = try find(name)
      guard [path, "."].contains(where: { Self.lies(file, below: $0) }) else {
        throw Self.outside(name)
      }
      return file
    }
    if name.hasPrefix("/") { return name }
    let candidates = path == "." ? [name] : [path + "/" + name, name]
    if let found = candidates.first(where: { access($0, F_OK) == 0 }) { return found }
    let hint = Self.nearestFile(to: candidates[0])
    throw TideError(
      .scriptFile,
      "there is no file \(candidates.joined(separator: ", nor "))"
        + (hint.isEmpty
          ? "; ui.mount takes a path from the folder that holds the spec's folder" : hint))
  }

  private static func outside(_ name: String) -> TideError {
    TideError(
      .scriptFile,
      "\(name) lies outside of the project, where the sandbox lets ui.mount take no files from")
  }

  private static func lies(_ file: String, below folder: String) -> Bool {
    // Symbolic links could lead outside.
    guard let file = SystemPath.real(file), let folder = SystemPath.real(folder)
    else { return false }
    return file.hasPrefix(folder == "/" ? folder : folder + "/")
  }

  private static func nearestFile(to path: String) -> String {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: folder.isEmpty ? "." : String(folder))
    let scripts = (names ?? []).filter { $0.hasSuffix(".lua") }.sorted()
    return NearestName.hint(
      for: String(path.dropFirst(folder.count)), in: scripts, spelledAs: { folder + $0 })
  }
}
