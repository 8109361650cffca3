import CTideLua

extension LuaState {
  /// Which release of the interpreter is linked: "5.4.4".
  package static var release: String {
    String(cString: tide_interpreter_version())
  }

  /// Whether the interpreter's structures are laid out as the stopping of scripts takes them to be,
  /// which is probed when a state is made.
  package var isLayoutKnown: Bool { tide_interpreter_is_known() }
}
