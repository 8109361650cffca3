import ArgumentParser
import TideBindings
import TideSystem

/// Installs a plugin for its editor: `tidelock new --editor`.
struct PluginInstallation {
  let plugin: EditorPlugin
  /// A custom folder instead of the editor's standard one.
  var destination: String?
  /// Whether to store the files in the user's data folder and install a link to them.
  var isLinked = false
  /// Whether to overwrite files that were changed.
  var isForced = false

  /// The result of an installation.
  enum Outcome: Equatable {
    case folder(String, files: [String])
    case linkedFolder(String, files: [String], link: String)
    case archive(String)
  }

  func run() throws -> Outcome {
    if isLinked { return try writeAndLink() }
    if plugin == .code, destination == nil {
      let path = try known(EditorPlugin.archivePath)
      try FolderWriter(folder: "/").replace(EditorPlugin.archive, String(path.dropFirst()))
      return .archive(path)
    }
    let folder = try known(destination ?? plugin.usualFolder)
    if let target = SystemPath.target(ofLink: folder) {
      throw ValidationError(
        "\(folder) is a link to \(target); use --link, or remove it and try again.")
    }
    return .folder(folder, files: try write(to: folder))
  }

  private func writeAndLink() throws -> Outcome {
    let link = try known(destination ?? plugin.usualFolder)
    let folder = try known(plugin.keptFolder)
    let target = SystemPath.target(ofLink: link)
    var status = stat()
    if target == nil, lstat(link, &status) == 0 {
      throw ValidationError("\(link) is there already, and no link; remove it and try again.")
    }
    if let target, target != folder, !isForced {
      throw ValidationError("\(link) is a link to \(target); --force makes it lead to \(folder).")
    }
    let files = try write(to: folder)
    if target != folder {
      let writer = FolderWriter(folder: ".")
      try writer.makeFolders(above: link)
      if target != nil { unlink(link) }
      guard symlink(folder, link) == 0 else { throw writer.failure("make the link", link) }
    }
    return .linkedFolder(folder, files: files, link: link)
  }

  private func write(to path: String) throws -> [String] {
    let folder = PluginFolder(path: path)
    let changes = folder.changes(from: plugin.files)
    guard changes.isEmpty || isForced else {
      throw ValidationError(
        """
        somebody has changed \(changes.joined(separator: ", ")) in \(path); --force writes over \
        that, and --into writes somewhere else.
        """)
    }
    try folder.write(plugin.files)
    return plugin.files.map(\.name)
  }

  private func known(_ path: String?) throws -> String {
    guard var path, !path.isEmpty else {
      throw ValidationError("there is no home folder; --into names the folder to write.")
    }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }
}
