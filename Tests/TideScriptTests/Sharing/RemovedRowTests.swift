import Testing
import TideBindings
import TideValues

@testable import TideScript

/// Rows that one runtime adds and another one removes, before the first has heard that it is there.
@Suite struct RemovedRowTests {
  private static let script = """
    room = shared("room", { members = list {} })
    function members() return table.concat(room.members:totable(), " ") end
    """
  private static func row(_ number: Int) -> SharingKey { .row(list: "members", id: "r\(number)") }

  private final class World {
    let models: SharedModels
    let ann: Runtime
    let bob: Runtime

    init(capacity: Int = 256 << 20) throws {
      models = SharedModels(capacity: capacity)
      var configuration = Runtime.Configuration()
      configuration.shared = models
      func runtime() throws -> Runtime {
        let runtime = try Runtime(file: "app.lua", configuration: configuration)
        try runtime.evaluate(RemovedRowTests.script, as: Value.self)
        for _ in 0..<5 { runtime.turn(timeout: 0) }
        return runtime
      }
      (ann, bob) = (try runtime(), try runtime())
    }

    var shared: SharedModel {
      get throws { try #require(ann.declarations.sharedModels["room"]) }
    }

    /// Has Ann send a row without taking anything.
    func send(_ row: String) throws {
      try ann.evaluate("room.members:append(\(row))", as: Value.self)
      try shared.flush()
    }

    /// Has Bob take what has come, do something, and take what comes of it.
    func act(_ script: String) throws {
      for _ in 0..<5 { bob.turn(timeout: 0) }
      try bob.evaluate(script, as: Value.self)
      for _ in 0..<1000 {
        bob.turn(timeout: 0)
        if try bob.evaluate("room.sync.pending", as: Int.self) == 0 { return }
      }
      Issue.record("Bob's writes are not confirmed")
    }

    /// Has so many rows come and go that Ann's mailbox is replaced by a listing.
    func outgrow() throws {
      try act("for i = 1, 1200 do room.members:append('row' .. i) end")
      try act("room.members:clear()")
    }

    func settle() {
      for _ in 0..<50 {
        ann.turn(timeout: 0)
        bob.turn(timeout: 0)
      }
    }

    func text(_ runtime: Runtime, _ expression: String) throws -> String {
      try runtime.evaluate("tostring(\(expression))", as: String.self)
    }
  }

  @Test(arguments: [false, true])
  func `a removed row stays removed where its author gets a listing in place of the removal`(
    joinsAnew: Bool
  ) throws {
    let world = try World()
    try world.send("'ann'")
    try world.act("assert(members() == 'ann'); room.members:clear()")
    if joinsAnew { try world.shared.joinAnew() } else { try world.outgrow() }
    world.settle()
    for runtime in [world.ann, world.bob] {
      #expect(try world.text(runtime, "members() .. room.sync.pending") == "0")
    }
    // As where the removal itself comes.
    #expect(try world.text(world.ann, "room.sync.conflicts") == "1")
  }

  @Test(arguments: [false, true])
  func `a row that the engine has no room for stays with its author when a listing comes`(
    joinsAnew: Bool
  ) throws {
    let world = try World(capacity: 1 << 20)
    try world.send("string.rep('x', 2000000)")
    if joinsAnew { try world.shared.joinAnew() } else { try world.outgrow() }
    world.settle()
    #expect(try world.text(world.ann, "#room.members .. ' ' .. room.sync.pending") == "1 1")
    #expect(try world.text(world.ann, "room.sync.conflicts") == "0")
    #expect(try world.text(world.bob, "#room.members") == "0")
  }

  @Test func `a row that the listing has is not removed for want of memory`() {
    var replica = SharedReplica()
    _ = replica.finishListing(nil)
    replica.set(Self.row(1), SharedDocument.value, [1])
    let update = replica.takeUpdates()[0]
    replica.beginListing(isAnew: false)
    replica.leaveOut(SharingChange(key: Self.row(1), revision: 7, bytes: update.bytes))
    let outcome = replica.finishListing(nil, settled: update.number)
    #expect(outcome.conflicts.isEmpty && replica.pendingCount == 1)
  }

  @Test func `an update that the engine had not seen before its listing is not sent twice`() {
    var replica = SharedReplica()
    _ = replica.finishListing(nil)
    replica.set(Self.row(1), SharedDocument.value, [1])
    let first = replica.takeUpdates()[0]
    replica.set(Self.row(2), SharedDocument.value, [2])
    let second = replica.takeUpdates()[0]
    replica.beginListing(isAnew: false)
    _ = replica.finishListing(nil, settled: first.number)
    #expect(replica.entries[Self.row(1)] == nil)
    #expect(replica.awaits(Self.row(2), second.number))
    // Where nothing is known of it, it is.
    replica.beginListing(isAnew: false)
    _ = replica.finishListing(nil)
    let again = replica.takeUpdates().map(\.key)
    #expect(again == [Self.row(2)])
  }
}
