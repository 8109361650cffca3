import TideBindings
import TideLua
import TideSystem

/// The memory of a runtime, for readers that wait until there is room for a script's data.
final class SourceMemory: MemoryUse {
  private let lua: LuaState
  /// The interpreter's total allocations at the last garbage collection.
  private var grantedAtCollection: UInt64?

  init(_ lua: LuaState) { self.lua = lua }

  var memoryUse: Int { lua.memorySettled }
  var memoryLimit: Int { lua.memoryLimit }

  func makeRoom() {
    // Measures what scripts hold, which is otherwise estimated.
    _ = lua.memoryHeld
    let granted = lua.grantedBytes.pointee
    let least = UInt64(max(memoryLimit / 16, 1 << 16))
    if let before = grantedAtCollection, granted < before + least { return }
    // Collecting after every small request would be too slow.
    lua.collectGarbage()
    grantedAtCollection = lua.grantedBytes.pointee
  }
}

extension Runtime {
  /// Creates the queue of readers that wait for memory. Their reservations count from then on.
  func makeMemoryQueue() -> MemoryQueue {
    let queue = MemoryQueue(loop, SourceMemory(lua)) { [home, inbox = loop.inbox] in
      inbox.post { home.runtime?.memory.retry() }
    }
    lua.follow(inFlight: queue.account.counter)
    return queue
  }

  /// Returns received bytes, which are already reserved, as a script's text.
  ///
  /// - Throws: `scriptMemory` if the interpreter has no room for its copy.
  func admittedText(_ bytes: [UInt8], of what: String) throws -> LuaValue {
    if !lua.fits(bytes.count) {
      lua.collectGarbage()
      guard lua.fits(bytes.count) else { throw TideError.noRoom(for: what) }
    }
    return Self.luaText(bytes)
  }
}

extension TideError {
  /// The error for input that does not fit into a script's memory.
  static func noRoom(for what: String) -> TideError {
    TideError(
      .scriptMemory,
      "not enough memory for \(what); read less at a time, or raise the budget of memory")
  }
}
