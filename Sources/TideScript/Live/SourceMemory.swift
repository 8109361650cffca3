import TideBindings
import TideLua
import TideSystem

/// What a runtime holds, for those that wait for memory before they read something for its scripts.
final class SourceMemory: MemoryUse {
  private let lua: LuaState
  /// What the interpreter had been given in all when garbage was last collected.
  private var grantedAtCollection: UInt64?

  init(_ lua: LuaState) { self.lua = lua }

  var memoryUse: Int { lua.memorySettled }
  var memoryLimit: Int { lua.memoryLimit }

  func makeRoom() {
    // Measures what scripts hold, which until then is estimated.
    _ = lua.memoryHeld
    let granted = lua.grantedBytes.pointee
    let least = UInt64(max(memoryLimit / 16, 1 << 16))
    if let before = grantedAtCollection, granted < before + least { return }
    // Not after every small request.
    lua.collectGarbage()
    grantedAtCollection = lua.grantedBytes.pointee
  }
}

extension Runtime {
  /// Makes the queue of those that wait for memory; what they reserve counts from then on.
  func makeMemoryQueue() -> MemoryQueue {
    let queue = MemoryQueue(loop, SourceMemory(lua)) { [home, inbox = loop.inbox] in
      inbox.post { home.runtime?.memory.retry() }
    }
    lua.follow(inFlight: queue.account.counter)
    return queue
  }

  /// Bytes from outside, which are reserved, as a script's text.
  ///
  /// - Throws: `scriptMemory` where the interpreter has no room for its copy.
  func admittedText(_ bytes: [UInt8], of what: String) throws -> LuaValue {
    if !lua.fits(bytes.count) {
      lua.collectGarbage()
      guard lua.fits(bytes.count) else { throw TideError.noRoom(for: what) }
    }
    return Self.luaText(bytes)
  }
}

extension TideError {
  /// Says that what a script reads does not fit into its memory.
  static func noRoom(for what: String) -> TideError {
    TideError(
      .scriptMemory,
      "not enough memory for \(what); read less at a time, or raise the budget of memory")
  }
}
