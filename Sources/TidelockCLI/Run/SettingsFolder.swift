import TideREPL
import TideSystem

/// Where `run` keeps the settings of an app: a folder for each app below the person's own.
enum SettingsFolder {
  /// `$XDG_STATE_HOME/tidelock/<app>`, or below `~/.local/state`; nil where there is neither.
  ///
  /// The app is known by the name of its script, or of the folder where that is `app.lua`, and by a
  /// number made of the whole path, so that two of one name do not share what they keep.
  static func path(ofApp script: String) -> String? {
    guard let state = stateFolder else { return nil }
    let whole = wholePath(of: script)
    return "\(state)/tidelock/\(RunningApp.name(ofScript: whole))-\(mark(of: whole))"
  }

  /// The file that says which tests in a folder failed last.
  static func path(ofTestsIn folder: String) -> String? {
    guard let state = stateFolder, let whole = SystemPath.real(folder) else { return nil }
    let name = whole.split(separator: "/").last.map(String.init) ?? "root"
    return "\(state)/tidelock/tests/\(name)-\(mark(of: whole))"
  }

  /// Without links in it, where the script is there.
  static func wholePath(of script: String) -> String {
    SystemPath.real(script) ?? script
  }

  private static var stateFolder: String? {
    // What is not absolute is to be ignored, as the XDG specification wants it.
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    return variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Eight hexadecimal digits of a path, by the hash FNV-1a.
  private static func mark(of path: String) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in path.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
