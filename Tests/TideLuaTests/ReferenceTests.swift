import CTideLua
import Foundation
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

  /// Eight threads drop while the owner goes on making references and running scripts.
  @Test(.timeLimit(.minutes(10))) func `a million drops on eight threads leave nothing behind`()
    async throws
  {
    let state = try LuaState()
    let table = try state.table()
    let function = try await state.evaluate("function(t) return t end", as: LuaFunction.self)
    _ = try state.run("return 1", name: "=t")
    let before = tide_reference_count(state.raw)
    let memory = state.memoryUsed
    let queues = (0..<8).map { _ in Shared<[Parcel]>([]) }
    let isDone = Shared(false)
    let droppers = queues.map { queue in
      Thread {
        while true {
          let parcels = queue.withLock { parcels in
            defer { parcels = [] }
            return parcels
          }
          for parcel in parcels { parcel.values = [] }
          guard parcels.isEmpty else { continue }
          if isDone.withLock({ $0 }) { return }
          Thread.sleep(forTimeInterval: 0.001)
        }
      }
    }
    for dropper in droppers { dropper.start() }
    for round in 0..<500 {
      for queue in queues {
        let parcel = Parcel([])
        for _ in 0..<250 { parcel.values.append(try function(.table(table))) }
        queue.withLock { $0.append(parcel) }
      }
      if round % 50 == 0 { _ = try state.run("return 1", name: "=t") }
    }
    isDone.withLock { $0 = true }
    while droppers.contains(where: { !$0.isFinished }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    _ = try state.run("return 1", name: "=t")
    #expect(tide_reference_count(state.raw) == before)
    state.collectGarbage()
    // The list of references only grows to what was held at once.
    #expect(state.memoryUsed < memory + (64 << 20))
    #expect(try function(.table(table)) == .table(table))
  }

  /// Behind a lock that the thread sanitizer knows.
  private final class Shared<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
      lock.withLock { body(&value) }
    }
  }

  @Test func `a released reference is used again`() throws {
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
