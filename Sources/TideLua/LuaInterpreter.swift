import CTideLua

/// The Lua library that the program runs with, which need not be the release it was built with.
///
/// ```swift
/// LuaInterpreter.version       // "5.4.9"
/// LuaInterpreter.isSupported   // true
/// ```
public enum LuaInterpreter {
  /// The release, as three numbers; empty where it is unknown.
  public static var version: String { String(cString: tide_interpreter_version()) }

  /// The oldest release that is supported: earlier ones have faults that scripts can reach.
  public static var oldest: String { String(cString: tide_interpreter_oldest()) }

  /// Whether states can be opened.
  public static var isSupported: Bool { tide_interpreter_is_supported() }

  /// Whether it is a build that may use freed memory where a metatable joins values by `..`, which
  /// is worked around (`concat.c`).
  package static var hasConcatenationFault: Bool { tide_interpreter_has_concatenation_fault() }

  /// Why the library cannot be used; nil where it can.
  package static var problem: String? {
    if isSupported { return nil }
    let found = version.isEmpty ? "one of an unknown release" : "Lua \(version)"
    return "the Lua library is too old: \(found) was found, and \(oldest) or a later 5.4 is needed"
  }
}

extension LuaState {
  /// Whether the interpreter's structures are laid out as stopping a script requires, so that even
  /// an operation of the interpreter can be abandoned. Probed when a state is opened.
  package var isLayoutKnown: Bool { tide_interpreter_is_known() }
}
