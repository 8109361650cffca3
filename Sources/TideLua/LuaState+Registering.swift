extension LuaState {
  /// Gives scripts a function under a global name; what was registered under it before is replaced.
  ///
  /// ```swift
  /// try state.register("half") { (n: Int) in n / 2 }
  /// ```
  ///
  /// - Throws: `LuaError` for a name of Lua's own, which scripts must be able to rely on: to replace
  ///   one all the same, set it among the `globals`.
  public func register(_ name: String, _ function: LuaFunction) throws(LuaError) {
    try register(name, .function(function))
  }

  /// The same for any value.
  func register(_ name: String, _ value: LuaValue) throws(LuaError) {
    if Self.ownNames.contains(name) {
      throw LuaError(
        .runtime, "'\(name)' is one of Lua's own names; register it under another one")
    }
    if Self.keywords.contains(name) {
      throw LuaError(.runtime, "'\(name)' is a word of the language; register it under another one")
    }
    try globals.rawSet(.string(name), value)
  }

  private static let ownNames: Set<String> = [
    "_G", "_VERSION", "assert", "collectgarbage", "coroutine", "debug", "dofile", "error",
    "getmetatable", "io", "ipairs", "load", "loadfile", "math", "next", "os", "package", "pairs",
    "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setmetatable",
    "string", "table", "tonumber", "tostring", "type", "utf8", "warn", "xpcall",
  ]

  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}
