import TideCheck
import TideSystem

/// The scripts of an app as currently edited, and the main script to run.
struct PreviewApp: Equatable, Sendable {
  struct Script: Equatable, Sendable {
    /// The path relative to the app's folder.
    let name: String
    let bytes: [UInt8]
  }

  /// The folder of the main script.
  let folder: String
  let main: String
  let scripts: [Script]

  /// The app of a script; nil if none of its scripts shows a view, or if one has a syntax error.
  init?(of path: String, in snapshot: WorkspaceSnapshot) {
    let scripts = snapshot.appScripts(of: path)
    let own = scripts.first { $0.path == path }
    // A script required by others is shown as part of its app.
    let shown = [own].compactMap(\.self).filter { $0.showsView && !$0.isRequired }
    guard
      let main = shown.first ?? scripts.first(where: { $0.showsView && !$0.isRequired })
        ?? (own?.showsView == true ? own : scripts.first { $0.showsView })
    else { return nil }
    let folder = SystemPath.folder(of: main.path)
    self.folder = folder
    self.main = Self.name(of: main.path, in: folder)
    self.scripts = scripts.compactMap { script in
      // Scripts outside of the folder cannot be required by the app.
      guard script.path.hasPrefix(folder == "/" ? folder : folder + "/") else { return nil }
      return Script(
        name: Self.name(of: script.path, in: folder), bytes: script.bytes)
    }
  }

  /// The part of a path below a folder; `/` already includes its separator.
  private static func name(of path: String, in folder: String) -> String {
    String(path.utf8.dropFirst(folder == "/" ? 1 : folder.utf8.count + 1)) ?? path
  }
}
