import Fuzzing
import Testing
import TideBindings
import TideLua
import TideSystem
import TideValues

@testable import TideScript

/// Models that peers fill beyond the memory of the app that shares them.
@Suite struct SharingIntakeTests {
  private static let memory = 8 << 20
  private static let capacity = SharingRoom.capacity(ofMemory: memory)
  private static let script = """
    room = shared("room", { members = list {} })
    function shown()
      local parts = {}
      for index = 1, #room.members do parts[index] = room.members[index]:sub(1, 8) end
      table.sort(parts)
      return table.concat(parts, " ")
    end
    """

  /// An engine whose peers write whatever they want, purge rows so that nobody hears of it, and
  /// replace it by an empty one.
  private final class PeerEngine: SharingEngine {
    private let state = Guarded(State())
    var largestUpdate: Int? { nil }
    var isReadOnly: Bool { false }

    private struct State {
      var changes: [SharingKey: SharingChange] = [:]
      var members: [Int: SharingMailbox] = [:]
      var joined = 0
      var revision = 0
      var bucket = 0

      var origin: SharingOrigin { SharingOrigin(name: "\(bucket)", revision: revision) }

      mutating func put(_ key: SharingKey, _ bytes: [UInt8]?) {
        revision += 1
        let change = SharingChange(key: key, revision: revision, bytes: bytes)
        changes[key] = change
        for mailbox in members.values { mailbox.put([change]) }
      }
    }

    private struct Channel: SharingChannel {
      let engine: PeerEngine
      let number: Int

      func send(_ updates: [SharingUpdate]) {
        engine.state.withLock { state in
          guard let mailbox = state.members[number] else { return }
          for update in updates {
            if update.base == state.changes[update.key]?.revision ?? 0 {
              state.put(update.key, update.bytes)
            } else {
              mailbox.refuse(update.key, update.number, .stale)
            }
          }
        }
      }

      func leave() { engine.state.withLock { $0.members[number] = nil } }
    }

    func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel {
      state.withLock { state in
        state.joined += 1
        state.members[state.joined] = mailbox
        mailbox.beginListing(isAnew: false)
        mailbox.put(Array(state.changes.values))
        mailbox.complete(state.origin)
        mailbox.put(.live, error: nil)
        return Channel(engine: self, number: state.joined)
      }
    }

    /// How often somebody has joined.
    var joined: Int { state.withLock(\.joined) }

    /// The rows that there are, with the bytes of each.
    var rows: [SharingKey: [UInt8]] {
      state.withLock { $0.changes.filter { $0.key != .model }.compactMapValues(\.bytes) }
    }

    /// What their values begin with, as the app shows it.
    var shown: String {
      let starts = rows.values.compactMap { bytes in
        SharedDocument(bytes)?[SharedDocument.value].map {
          String(decoding: $0.dropFirst().prefix(8), as: UTF8.self)
        }
      }
      return starts.sorted().joined(separator: " ")
    }

    func put(_ key: SharingKey, _ bytes: [UInt8]?) { state.withLock { $0.put(key, bytes) } }

    func purge(_ keys: [SharingKey]) {
      state.withLock { state in
        for key in keys { state.changes[key] = nil }
      }
    }

    func replace() {
      state.withLock { state in
        state.changes = [:]
        state.revision = 0
        state.bucket += 1
        for mailbox in state.members.values {
          mailbox.beginListing(isAnew: true)
          mailbox.complete(state.origin)
          mailbox.put(.live, error: nil)
        }
      }
    }
  }

  private final class World {
    let engine = PeerEngine()
    let runtime: Runtime
    var random: SeededGenerator
    private var lastValue = 0
    private(set) var mostHeld = 0

    init(seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      var configuration = Runtime.Configuration()
      configuration.shared = engine
      configuration.lua.memory = SharingIntakeTests.memory
      configuration.clock = VirtualClock()
      configuration.print = { _ in }
      runtime = try Runtime(file: "app.lua", configuration: configuration)
      try runtime.evaluate(SharingIntakeTests.script, as: Value.self)
      pass()
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Lets turns pass, and some time after them.
    func pass(turns: Int = 40, seconds: Double = 0) {
      for _ in 0..<turns {
        runtime.turn(timeout: 0)
        note()
      }
      if seconds > 0 { runtime.loop.advance(by: seconds) }
      note()
    }

    private func note() {
      let held = runtime.declarations.sharedModels.values.reduce(0) { $0 + $1.heldBytes }
      mostHeld = max(mostHeld, held)
    }

    func state() throws -> String { try runtime.evaluate("room.sync.state", as: String.self) }
    func shown() throws -> String { try runtime.evaluate("shown()", as: String.self) }

    /// Another row, or another value of one.
    func write(_ key: SharingKey? = nil, bytes: Int) {
      lastValue += 1
      let name = "v\(1_000_000 + lastValue)"
      var document = SharedDocument()
      document.begin(.init(writer: 7, number: lastValue), cause: "peer")
      document.set(SharedDocument.order, Array(name.utf8), isDefault: false)
      let text = "\"\(name)\(String(repeating: "x", count: bytes))\""
      document.set(SharedDocument.value, Array(text.utf8), isDefault: false)
      engine.put(key ?? .row(list: "members", id: name), document.bytes)
    }

    /// A row of those that there are, always the same with one seed.
    func anyKey() -> SharingKey? {
      engine.rows.keys.sorted { "\($0)" < "\($1)" }.randomElement(using: &random)
    }

    func step() {
      switch number(0...9) {
      case 0...4: write(bytes: number(100...60_000))
      case 5...6: write(anyKey(), bytes: number(100...60_000))
      case 7: if let key = anyKey() { engine.put(key, nil) }
      case 8: pass(turns: number(1...5))
      default: pass(turns: 1, seconds: Double(number(0...3)))
      }
    }

    /// Has peers write until the app has no memory for more.
    func fill() throws {
      for _ in 0..<200 where try state() != "connecting" {
        write(bytes: 60_000)
        pass(turns: 3)
      }
      pass()
    }

    /// The rows that are too much for the app.
    func surplus() -> [SharingKey] {
      var keys: [SharingKey] = []
      var left = engine.rows
      var bytes = left.values.reduce(0) { $0 + $1.count }
      while bytes > SharingIntakeTests.capacity / 4 || left.count > 20, let key = anyKey() {
        guard let row = left.removeValue(forKey: key) else { continue }
        bytes -= row.count
        keys.append(key)
      }
      return keys
    }

    /// As long as a model waits at most until it joins anew, several times.
    func calm() {
      for _ in 0..<8 {
        pass(seconds: 31)
        pass()
      }
    }
  }

  @Test(arguments: 0..<6)
  func `a model holds what its peers hold when they have removed or purged what was too much`(
    seed: Int
  ) throws {
    let world = try World(seed: UInt64(seed))
    for _ in 0..<60 { world.step() }
    try world.fill()
    #expect(try world.state() == "connecting", "seed \(seed)")
    #expect(
      try world.runtime.evaluate("room.sync.error", as: String.self).contains("memory"),
      "seed \(seed)")
    let surplus = world.surplus()
    if seed.isMultiple(of: 2) {
      for key in surplus { world.engine.put(key, nil) }
    } else {
      world.engine.purge(surplus)
    }
    world.calm()
    #expect(try world.shown() == world.engine.shown, "seed \(seed)")
    #expect(try world.state() == "live", "seed \(seed)")
    #expect(try world.runtime.evaluate("room.sync.error", as: String.self) == "", "seed \(seed)")
    #expect(world.mostHeld <= SharingIntakeTests.capacity, "seed \(seed): \(world.mostHeld)")
    let joined = world.engine.joined
    world.calm()
    #expect(world.engine.joined == joined, "seed \(seed)")
  }

  @Test func `a full model goes on with an engine that has lost everything`() throws {
    let world = try World(seed: 1)
    try world.fill()
    world.engine.replace()
    world.calm()
    #expect(try world.shown() == world.engine.shown)
    #expect(try world.state() == "live")
    world.write(bytes: 100)
    for key in world.surplus() { world.engine.put(key, nil) }
    world.calm()
    #expect(try world.shown() == world.engine.shown)
  }

  @Test func `a model that stays too large joins anew ever more rarely`() throws {
    let world = try World(seed: 2)
    try world.fill()
    let joined = world.engine.joined
    for _ in 0..<20 { world.pass(seconds: 30) }
    #expect((1...20).contains(world.engine.joined - joined), "\(world.engine.joined - joined)")
    #expect(try world.state() == "connecting")
    #expect(world.runtime.errors.count { $0.code == .sharing } == 1)
  }

  @Test func `a model hears of what came while its backlog was full until one part emptied it`()
    throws
  {
    let world = try World(seed: 3)
    // Four parts, since one takes about 1 MB; so much may also wait before no more is taken.
    let long = String(repeating: "x", count: 20_000)
    for index in 0..<212 {
      world.engine.put(.row(list: "members", id: "\(1000 + index)" + long.dropLast(4)), nil)
    }
    world.pass(turns: 1)
    world.write(bytes: 100)
    world.pass()
    #expect(try world.shown() == world.engine.shown)
    #expect(try world.state() == "live")
  }

  @Test func `a listing is taken from a mailbox whose changes wait`() {
    let mailbox = SharingMailbox {}
    let key = SharingKey.row(list: "members", id: "a")
    mailbox.put([SharingChange(key: key, revision: 1, bytes: [1])])
    #expect(mailbox.take(withChanges: false).changes.isEmpty)
    mailbox.beginListing(isAnew: true)
    mailbox.complete(SharingOrigin(name: "other", revision: 0))
    let contents = mailbox.take(withChanges: false)
    #expect(contents.hasBegunAnew && contents.isComplete && contents.changes.isEmpty)
    #expect(mailbox.isEmpty)
  }

  @Test func `a full replica admits removals, and what makes a row smaller`() {
    func change(_ revision: Int, _ size: Int?) -> SharingChange {
      var document = SharedDocument()
      document.set(SharedDocument.value, Array(repeating: 120, count: size ?? 0), isDefault: false)
      return SharingChange(
        key: .row(list: "members", id: "a"), revision: revision,
        bytes: size == nil ? nil : document.bytes)
    }
    var replica = SharedReplica()
    _ = replica.apply([change(1, 10_000)])
    func isAdmitted(_ change: SharingChange) -> Bool {
      var room = SharingRoom(memory: 4 * replica.heldBytes, held: replica.heldBytes)
      return room.admit(change, to: replica) == .admitted
    }
    #expect(isAdmitted(change(1, 10_000)))
    #expect(isAdmitted(change(2, 9000)))
    #expect(isAdmitted(change(2, nil)))
    #expect(!isAdmitted(change(2, 20_000)))
    _ = replica.apply([change(2, nil)])
    #expect(replica.heldBytes > 0)
    replica.forgetRemovals()
    #expect(replica.heldBytes == 0 && replica.entries.isEmpty)
  }
}
