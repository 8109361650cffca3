#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where `run` keeps the settings of an app: a folder for each app below the person's own.
enum SettingsFolder {
  /// `$XDG_STATE_HOME/tidelock/<app>`, or below `~/.local/state`; nil where there is neither.
  ///
  /// The app is known by the name of its script, or of the folder where that is `app.lua`, and by a
  /// number made of the whole path, so that two of one name do not share what they keep.
  static func path(ofApp script: String) -> String? {
    guard let state = stateFolder else { return nil }
    let full = realpath(script, nil).map { pointer in
      defer { free(pointer) }
      return String(cString: pointer)
    }
    let whole = full ?? script
    return "\(state)/tidelock/\(name(of: whole))-\(mark(of: whole))"
  }

  private static var stateFolder: String? {
    // What is not absolute is to be ignored, as the XDG specification wants it.
    if let folder = variable("XDG_STATE_HOME"), folder.hasPrefix("/") { return folder }
    return variable("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  private static func name(of script: String) -> String {
    let parts = script.split(separator: "/")
    var name = parts.last.map(String.init) ?? "app"
    if name.hasSuffix(".lua") { name.removeLast(4) }
    if ["app", "main", "init"].contains(name), parts.count > 1 {
      name = String(parts[parts.count - 2])
    }
    let plain = name.unicodeScalars.map {
      $0.properties.isAlphabetic || $0.isDigit ? String($0) : "-"
    }
    return plain.joined()
  }

  /// Eight hexadecimal digits of a path, by the hash FNV-1a.
  private static func mark(of path: String) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in path.utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { properties.numericType == .decimal }
}
