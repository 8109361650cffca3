import ArgumentParser
import TideSystem

/// A plugin for an editor: `--editor code` or `--editor nvim`.
enum EditorPlugin: String, CaseIterable, ExpressibleByArgument {
  case code, nvim

  /// The editor's name.
  var editor: String {
    switch self {
    case .code: "VS Code"
    case .nvim: "Neovim"
    }
  }

  /// File names relative to the plugin's folder, with contents.
  var files: [(name: String, text: String)] { EditorFiles.of(rawValue) }

  /// The plugin's folder in the editor's standard location; nil without a home folder.
  var usualFolder: String? {
    switch self {
    case .code:
      Self.home.map { "\($0)/.vscode/extensions/tidelock.tidelock-\(Self.version)" }
    case .nvim:
      Self.dataFolder.map { "\($0)/nvim/site/pack/tidelock/start/tidelock" }
    }
  }

  /// The folder for files that are installed as links; nil without a home folder.
  var keptFolder: String? { Self.dataFolder.map { "\($0)/tidelock/editors/\(rawValue)" } }

  /// The path of VS Code's archive; nil without a home folder.
  static var archivePath: String? {
    dataFolder.map { "\($0)/tidelock/editors/tidelock-\(version).vsix" }
  }

  /// The plugin as an archive that VS Code can install.
  ///
  /// VS Code notices a folder added to its extensions only while it is running.
  static var archive: [UInt8] {
    var archive = StoredArchive()
    for file in EditorFiles.of("vsix") { archive.add(file.name, Array(file.text.utf8)) }
    for file in code.files { archive.add("extension/\(file.name)", Array(file.text.utf8)) }
    return archive.bytes
  }

  private static var version: String { TidelockCommand.configuration.version }

  private static var home: String? { folder("HOME") }

  private static var dataFolder: String? {
    folder("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
  }

  /// Relative paths are ignored, as the XDG specification requires.
  private static func folder(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
