import CTideLua
import Testing
@testable import TideLua

/// Hands references to other threads, which may only drop them.
private final class Parcel: @unchecked Sendable {
  var values: [LuaValue]
  init(_ values: [LuaValue]) { self.values = values }
}

@Suite struct `References` {
  @Test func `references dropped on eight threads are all released`() async throws {
    let state = try LuaState()
    state.collectGarbage()
    let before = tide_reference_count(state.raw)
    for _ in 0..<5 {
      var parcels: [Parcel] = []
      for _ in 0..<8 {
        parcels.append(Parcel(try (0..<1000).map { .table(try state.table([.integer($0)])) }))
      }
      await withTaskGroup(of: Void.self) { group in
        for parcel in parcels { group.addTask { parcel.values = [] } }
        parcels = []
        await group.waitForAll()
      }
      _ = try state.run("return 1", name: "=t")
      #expect(tide_reference_count(state.raw) == before)
    }
  }

  @Test func `a released place is used again`() throws {
    let state = try LuaState()
    for _ in 0..<10_000 { _ = try state.table() }
    let used = state.memoryUsed
    for _ in 0..<100_000 { _ = try state.table() }
    state.collectGarbage()
    #expect(state.memoryUsed < used + 100_000)
  }

  @Test func `references outlive their state`() throws {
    var table: LuaTable?
    do {
      let state = try LuaState()
      table = try state.table([1])
    }
    #expect(table?.state == nil)
    #expect(throws: LuaError.self) { try table?[1] }
    table = nil
  }

  @Test func `a value is held exactly as long as its reference`() throws {
    let state = try LuaState()
    try state.run("weak = setmetatable({}, { __mode = 'v' })", name: "=t")
    var table: LuaTable? = try state.table([1])
    try state.globals["weak"].table?.set(1, .table(try #require(table)))
    state.collectGarbage()
    #expect(try state.run("return weak[1] ~= nil", name: "=t") == [true])
    table = nil
    _ = try state.run("return 1", name: "=t")
    state.collectGarbage()
    #expect(try state.run("return weak[1] == nil", name: "=t") == [true])
  }
}
