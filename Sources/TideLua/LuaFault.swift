import CTideLua

/// A published fault of the interpreter that a script can reach unless the state guards against it
/// (`guards.c` of CTideLua), which takes an interpreter whose structures are the expected ones.
package struct LuaFault: Sendable {
  /// The release that mended it: 8 for Lua 5.4.8.
  package let mendedIn: Int
  /// What a script can do with it.
  package let summary: String

  /// All of them, since Lua 5.4.4.
  package static let all = [
    LuaFault(
      mendedIn: 5, summary: "a __concat set after setmetatable runs on a stack that has moved"),
    LuaFault(
      mendedIn: 8, summary: "a weak metatable's __newindex is used after it was freed"),
    LuaFault(
      mendedIn: 9, summary: "a value is freed that a metatable holds which is its own __newindex"),
  ]
}

extension LuaInterpreter {
  /// Whether `scripts/lua` built it, as for programs that `scripts/install` makes.
  package static var isOwnBuild: Bool { tide_interpreter_is_own_build() }

  /// Whether its release has faults that states guard against.
  package static var isGuarded: Bool { tide_interpreter_is_guarded() }

  /// The published faults of its release that scripts can reach, which are none where states guard
  /// against them. A distribution may have mended some of them without another number.
  package static var faults: [LuaFault] {
    if isGuarded { return [] }
    guard let release = version.split(separator: ".").last.flatMap({ Int($0) }) else {
      return LuaFault.all
    }
    return LuaFault.all.filter { release < $0.mendedIn }
  }
}
