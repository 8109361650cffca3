import TideSystem

/// The folders to which a sandboxed run is confined, after resolving the project's paths and
/// symbolic links.
///
/// ```swift
/// let bounds = ProjectBounds(roots: ["spec"])
/// bounds.contains("src/fruit.lua")      // true
/// bounds.contains("../secret.lua")      // false
/// bounds.contains("linked.lua")         // false where the link leads out
/// ```
package struct ProjectBounds: Sendable {
  /// Real paths, without symbolic links.
  private let folders: [String]

  /// The working folder, and the projects of the given files and folders.
  package init(roots: [String] = []) {
    let named = roots.map { Self.isFolder($0) ? Self.project(of: $0 + "/") : Self.project(of: $0) }
    folders = (["."] + named).compactMap(SystemPath.real)
  }

  private static func project(of file: String) -> String { ProjectFolder(ofSpec: file).path }

  /// Whether a file is in one of the folders, or would be if it were created.
  package func contains(_ path: String) -> Bool {
    guard let real = Self.resolved(path) else { return false }
    return folders.contains { real == $0 || real.hasPrefix($0 == "/" ? $0 : $0 + "/") }
  }

  /// Whether the file's real path within one of the folders has a hidden file or folder in it.
  func isHidden(_ path: String) -> Bool {
    guard let real = Self.resolved(path) else { return false }
    let starts = folders.map { $0 == "/" ? $0 : $0 + "/" }.filter { real.hasPrefix($0) }
    return starts.contains { start in
      real.dropFirst(start.count).split(separator: "/").contains { $0.hasPrefix(".") }
    }
  }

  /// Throws if a file is outside. The message shows the path as given.
  func check(_ path: String, namedBy who: String) throws(TestSetupError) {
    if !contains(path) { throw TestSetupError(Self.refusal(of: path, namedBy: who)) }
  }

  static func refusal(of path: String, namedBy who: String) -> String {
    "\(who) names \(path), which lies outside of the project; --sandbox keeps to it, "
      + "unless the command line names the file"
  }

  /// The real path of a file that need not exist; nil for a dangling link.
  private static func resolved(_ path: String) -> String? {
    if let real = SystemPath.real(path) { return real }
    var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
    var missing: [String] = []
    while let last = parts.popLast() {
      let here = (path.hasPrefix("/") ? "/" : "") + (parts + [last]).joined(separator: "/")
      var status = stat()
      // A dangling link could lead outside once its target exists.
      if lstat(here, &status) == 0 || last == ".." { return nil }
      missing.insert(last, at: 0)
      let above = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
      guard let real = SystemPath.real(above.isEmpty ? "." : above) else { continue }
      return (real == "/" ? "" : real) + "/" + missing.joined(separator: "/")
    }
    return nil
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
