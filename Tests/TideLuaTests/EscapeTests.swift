import Glibc
import Testing
import TideLua

/// What the timer must leave in the middle of an operation, because no hook runs in it. The stack
/// is deep, so that Lua's own work before and after a protected call takes long, and is met by the
/// timer, too; an error that was raised there would end the program.
@Suite(.serialized) struct `Operations that never end` {
  /// A table that is called through itself, below many calls.
  private static let stuck = """
    local t = {}
    setmetatable(t, { __call = t })
    local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 1 + t() end

    """

  /// Milliseconds after which they are stopped. Unwinding takes a sanitizer minutes.
  private static func moments(every step: Int) -> [Int] {
    getenv("TIDELOCK_SANITIZER") == nil ? Array(stride(from: 20, through: 60, by: step)) : [20]
  }

  private func makeState(_ milliseconds: Int) throws -> LuaState {
    var configuration = LuaConfiguration()
    configuration.turn = .milliseconds(milliseconds)
    configuration.memory = 256 << 20
    return try LuaState(configuration)
  }

  private func check(_ body: () throws -> Void) {
    let error = #expect(throws: LuaError.self) { try body() }
    #expect(error?.kind == .time)
  }

  @Test(.timeLimit(.minutes(10)), arguments: moments(every: 2))
  func `are left on a coroutine of the host's`(milliseconds: Int) throws {
    let state = try makeState(milliseconds)
    let function = try state.load(
      Self.stuck + "while true do pcall(deep, 190000) end", name: "=stuck")
    check { _ = try function.start([]) }
  }

  @Test(.timeLimit(.minutes(10)), arguments: moments(every: 4))
  func `are left where Swift was called from a coroutine`(milliseconds: Int) throws {
    let state = try makeState(milliseconds)
    let inner = try state.load(
      Self.stuck + "while true do pcall(deep, 90000) end", name: "=inner")
    var kind: LuaError.Kind?
    try state.register("call") { call in
      do throws(LuaError) { _ = try inner.call([]) } catch {
        kind = error.kind
        throw error
      }
    }
    let outer = try state.load(
      "local function deep(n) if n > 0 then return 1 + deep(n - 1) end return 1 + call() end deep(90000)",
      name: "=outer")
    check { _ = try outer.start([]) }
    // Where it was reached in time, the frame of Swift's between has been left as any other.
    #expect(kind == nil || kind == .time)
  }

  @Test(.timeLimit(.minutes(10)), arguments: moments(every: 4))
  func `are left in coroutines within each other`(milliseconds: Int) throws {
    let state = try makeState(milliseconds)
    let function = try state.load(
      Self.stuck + "while true do pcall(coroutine.wrap(deep), 190000) end", name: "=stuck")
    check { _ = try function.start([]) }
    let main = try makeState(milliseconds)
    check { try main.run(Self.stuck + "deep(190000)", name: "=stuck") }
  }
}
