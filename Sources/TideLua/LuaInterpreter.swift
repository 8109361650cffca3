import CTideLua

/// The Lua library that the program runs with, which need not be the one that it was built with.
///
/// ```swift
/// LuaInterpreter.version       // "5.4.6"
/// LuaInterpreter.isSupported   // true
/// ```
public enum LuaInterpreter {
  /// The release, with three numbers.
  public static var version: String { String(cString: tide_interpreter_version()) }

  /// The oldest release that is used: earlier ones have faults that scripts can reach.
  public static var oldest: String { String(cString: tide_interpreter_oldest()) }

  /// Whether states can be opened.
  public static var isSupported: Bool { tide_interpreter_is_supported() }

  /// Why it cannot be used; nil where it can.
  package static var problem: String? {
    if isSupported { return nil }
    let found = version.isEmpty ? "one that does not tell its release" : "Lua \(version)"
    return "the Lua library is too old: \(found) was found, and \(oldest) or a later 5.4 is needed"
  }
}
