import CTideLua

extension LuaState {
  /// Which release of the interpreter is linked: "5.4.4".
  package static var release: String {
    let words = String(cString: tide_lua_ident()).split(separator: " ")
    guard let name = words.firstIndex(of: "Lua"), name + 1 < words.endIndex else { return "5.4" }
    return String(words[name + 1])
  }

  /// Whether the interpreter's structures are laid out as the stopping of scripts takes them to be,
  /// which is probed when a state is made.
  package var isLayoutKnown: Bool { tide_interpreter_is_known() }
}
