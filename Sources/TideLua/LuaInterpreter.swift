import CTideLua

/// The Lua library in use, which may differ from the release at build time.
///
/// ```swift
/// LuaInterpreter.version       // "5.4.9"
/// LuaInterpreter.isSupported   // true
/// ```
public enum LuaInterpreter {
  /// The release, as three numbers; empty if unknown.
  public static var version: String { String(cString: tide_interpreter_version()) }

  /// The oldest supported release: earlier ones have bugs that scripts can exploit.
  public static var oldest: String { String(cString: tide_interpreter_oldest()) }

  /// Whether states can be opened.
  public static var isSupported: Bool { tide_interpreter_is_supported() }

  /// Whether the build may use freed memory when a metatable handles `..`; a workaround exists
  /// (`concat.c`).
  package static var hasConcatenationFault: Bool { tide_interpreter_has_concatenation_fault() }

  /// The reason why the library cannot be used; nil if it can.
  package static var problem: String? {
    if isSupported { return nil }
    let found = version.isEmpty ? "one of an unknown release" : "Lua \(version)"
    return "the Lua library is too old: \(found) was found, and \(oldest) or a later 5.4 is needed"
  }
}

extension LuaState {
  /// Whether the layouts of the interpreter's structures are as expected, so that a script can be
  /// stopped even within an interpreter operation. Probed when a state is opened.
  package var isLayoutKnown: Bool { tide_interpreter_is_known() }
}
