import TideREPL
import TideSystem

/// The folders for the settings of apps, below the user's state folder.
enum SettingsFolder {
  /// `$XDG_STATE_HOME/tidelock/<app>`, or below `~/.local/state`; nil without either.
  ///
  /// The app's name is that of its script, or of the folder if the script is `app.lua`, followed by
  /// a hash of the whole path, so that apps of the same name have separate folders.
  static func path(ofApp script: String) -> String? {
    guard let state = stateFolder else { return nil }
    let whole = wholePath(of: script)
    return "\(state)/tidelock/\(RunningApp.name(ofScript: whole))-\(mark(of: whole))"
  }

  /// The file that lists the tests of a folder that failed last.
  static func path(ofTestsIn folder: String) -> String? {
    guard let state = stateFolder, let whole = SystemPath.real(folder) else { return nil }
    let name = whole.split(separator: "/").last.map(String.init) ?? "root"
    return "\(state)/tidelock/tests/\(name)-\(mark(of: whole))"
  }

  /// The path with symbolic links resolved, if the script exists.
  static func wholePath(of script: String) -> String {
    SystemPath.real(script) ?? script
  }

  private static var stateFolder: String? {
    // Relative paths are ignored, as the XDG specification requires.
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    return variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Eight hexadecimal digits of the path's FNV-1a hash.
  private static func mark(of path: String) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in path.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
