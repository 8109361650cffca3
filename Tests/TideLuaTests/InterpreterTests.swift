import Glibc
import Testing

@testable import TideLua

@Suite struct `The Lua library` {
  @Test func `tells its release, and is of one that is used`() throws {
    let version = LuaInterpreter.version
    #expect(version.wholeMatch(of: /5\.4\.[0-9]+/) != nil, "\(version)")
    #expect(LuaInterpreter.isSupported && LuaInterpreter.problem == nil)
    // `scripts/interpreters` says which one it has put in the place of the system's.
    if let expected = getenv("TIDELOCK_INTERPRETER") {
      #expect(version == String(cString: expected))
    }
  }
}
