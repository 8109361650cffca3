import CTideLua

/// A published bug of the Lua interpreter that scripts can exploit unless the state guards against
/// it (`guards.c` of CTideLua). The guards require an interpreter with known structure layouts.
package struct LuaFault: Sendable {
  /// The release that fixed it: 8 for Lua 5.4.8.
  package let mendedIn: Int
  /// How a script can exploit it.
  package let summary: String

  /// All known bugs since Lua 5.4.4.
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
  /// Whether `scripts/lua` built the interpreter, as for programs built by `scripts/install`.
  package static var isOwnBuild: Bool { tide_interpreter_is_own_build() }

  /// Whether states guard against bugs of its release.
  package static var isGuarded: Bool { tide_interpreter_is_guarded() }

  /// The published bugs of its release that scripts can exploit; empty if states guard against
  /// them. A distribution may have fixed some of them under the same version number.
  package static var faults: [LuaFault] {
    if isGuarded { return [] }
    guard let release = version.split(separator: ".").last.flatMap({ Int($0) }) else {
      return LuaFault.all
    }
    return LuaFault.all.filter { release < $0.mendedIn }
  }
}
