import ArgumentParser
import TideSystem

/// A plugin for an editor: `--editor code` or `--editor nvim`.
enum EditorPlugin: String, CaseIterable, ExpressibleByArgument {
  case code, nvim

  /// The editor's name for people.
  var editor: String {
    switch self {
    case .code: "VS Code"
    case .nvim: "Neovim"
    }
  }

  /// Names from the plugin's folder, and texts.
  var files: [(name: String, text: String)] { EditorFiles.of(rawValue) }

  /// Where the editor looks for plugins, this one's folder; nil where there is no home.
  var usualFolder: String? {
    switch self {
    case .code:
      Self.home.map { "\($0)/.vscode/extensions/tidelock.tidelock-\(Self.version)" }
    case .nvim:
      Self.dataFolder.map { "\($0)/nvim/site/pack/tidelock/start/tidelock" }
    }
  }

  /// Where files are kept that links lead to; nil where there is no home.
  var keptFolder: String? { Self.dataFolder.map { "\($0)/tidelock/editors/\(rawValue)" } }

  /// Where the archive for VS Code is put; nil where there is no home.
  static var archivePath: String? {
    dataFolder.map { "\($0)/tidelock/editors/tidelock-\(version).vsix" }
  }

  /// The plugin as VS Code installs it: an archive with its files and what they are.
  ///
  /// VS Code takes a folder that is put among its extensions only if it runs at that moment.
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

  /// What is not absolute is to be ignored, as the XDG specification wants it.
  private static func folder(_ variable: String) -> String? {
    getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
