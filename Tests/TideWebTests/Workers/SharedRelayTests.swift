import Testing
import TideScript
import TideSystem
import TideValues

@testable import TideWeb

@Suite struct SharedRelayTests {
  private final class Engine: SharingEngine {
    let isReadOnly: Bool
    var largestUpdate: Int? { 10 }

    init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }

    func join(_ model: String, _ mailbox: SharingMailbox) -> any SharingChannel { Channel() }
  }

  private struct Channel: SharingChannel {
    func send(_ updates: [SharingUpdate]) {}
    func leave() {}
  }

  /// Whether a worker may send an update of a size.
  private func admits(
    _ bytes: Int, _ engine: any SharingEngine, key: SharingKey = .model
  ) throws -> Bool {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { close(ends[1]) }
    let loop = try EventLoop()
    let relay = SharedRelay(loop, engine, try FramedChannel(loop, ends[0], FramedChannel.Limits()))
    defer { relay.leaveAll() }
    try relay.join(1, "room")
    let update = SharingUpdate(
      key: key, base: 0, number: 1, bytes: [UInt8](repeating: 0, count: bytes))
    do { try relay.send(1, [update]) } catch { return false }
    return true
  }

  @Test func `a worker sends nothing that the engine would refuse to its own app`() throws {
    #expect(try admits(10, Engine()))
    #expect(try !admits(11, Engine()))
    #expect(try !admits(1, Engine(isReadOnly: true)))
  }

  @Test func `a worker sends no key that is as large as a value`() throws {
    #expect(try admits(0, Engine(), key: .row(list: "members", id: "a1")))
    let long = String(repeating: "x", count: 1 << 20)
    #expect(try !admits(0, Engine(), key: .row(list: "members", id: long)))
    #expect(try !admits(0, Engine(), key: .row(list: long, id: "a1")))
  }

  @Test func `an update has to fit into a frame, whatever the engine takes`() throws {
    let engine = SharedModels()
    #expect(try admits(8 << 20, engine))
    #expect(try !admits((8 << 20) + 1, engine))
  }

  /// A model's contents as they come to a mailbox: so many rows of a size each, and refusals.
  private func contents(rows: Int, size: Int, refusals: Int = 0) -> SharingMailbox.Contents {
    let mailbox = SharingMailbox {}
    mailbox.beginListing(isAnew: true)
    mailbox.put(
      (0..<rows).map { row in
        SharingChange(
          key: .row(list: "rows", id: "\(row)"), revision: row + 1,
          bytes: [UInt8](repeating: 1, count: size))
      })
    mailbox.complete(SharingOrigin(name: "monday", revision: rows), settled: 9)
    mailbox.put(.live, error: nil)
    for number in 0..<refusals { mailbox.refuse(.model, number, .stale) }
    return mailbox.take()
  }

  @Test func `what a large model has comes in parts that fit into frames`() throws {
    let parts = contents(rows: 100, size: 1000, refusals: 100).parts(ofAtMost: 10_000)
    #expect(parts.count > 10)
    let together = SharingMailbox {}
    for (index, part) in parts.enumerated() {
      let (kind, content) = WorkerOrder.shared(7, part).frame
      #expect(content.count < 11_000)
      let order = try content.withUnsafeBytes { try WorkerOrder(kind, $0) }
      guard case .shared(7, let read) = order else {
        Issue.record("another order")
        return
      }
      #expect(read.isListing == (index == 0))
      #expect(read.isComplete == (index == parts.count - 1))
      #expect(read.settled == (read.isComplete ? 9 : nil))
      together.put(read)
    }
    let whole = together.take()
    #expect(whole.isListing && whole.hasBegunAnew && whole.isComplete)
    #expect(whole.origin?.revision == 100 && whole.settled == 9)
    #expect(whole.state == .live)
    #expect(whole.sortedChanges.map(\.revision) == Array(1...100))
    #expect(whole.refusals.map(\.number) == Array(0..<100))
  }

  /// A worker's models and the server's relay, with a socket between them.
  private final class Line {
    let models = RelayedModels(largestUpdate: nil, isReadOnly: false)
    private let loop: EventLoop
    private let relay: SharedRelay
    private let worker: FramedChannel
    private let reports = Guarded<[WorkerReport]>([])

    init(_ engine: any SharingEngine) throws {
      var ends: [Int32] = [-1, -1]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
      loop = try EventLoop()
      worker = try FramedChannel(loop, ends[1], .init())
      relay = SharedRelay(loop, engine, try FramedChannel(loop, ends[0], .init()))
      worker.onFrame = { [models] kind, content in
        guard case .shared(let number, let contents)? = try? WorkerOrder(kind, content) else {
          Issue.record("another order")
          return
        }
        models.take(number, contents)
      }
      models.connect { [reports] report in reports.withLock { $0.append(report) } }
    }

    deinit { relay.leaveAll() }

    /// Has the server take what the worker has sent.
    func deliver() throws {
      let taken = reports.withLock { reports in
        defer { reports = [] }
        return reports
      }
      for report in taken {
        switch report {
        case .join(let number, let model): try relay.join(number, model)
        case .update(let number, let updates): try relay.send(number, updates)
        case .leave(let number): try relay.leave(number)
        default: Issue.record("another report")
        }
      }
    }

    /// What a mailbox has when its listing is complete.
    func contents(of mailbox: SharingMailbox) throws -> SharingMailbox.Contents {
      let all = SharingMailbox {}
      for _ in 0..<1000 {
        try deliver()
        loop.turn(timeout: 0.01)
        let contents = mailbox.take()
        all.put(contents)
        if contents.isComplete { return all.take() }
      }
      Issue.record("no listing comes")
      return .init()
    }
  }

  @Test func `a worker that joins a model again hears first what was refused before`() throws {
    let line = try Line(SharedModels(capacity: 1000))
    let first = SharingMailbox {}
    var channel = line.models.join("room", first)
    #expect(try line.contents(of: first).settled == .max)
    for number in 1...3 {
      let bytes = [UInt8](repeating: 0, count: number == 2 ? 10 : 5000)
      let key = SharingKey.row(list: "members", id: "r\(number)")
      channel.send([SharingUpdate(key: key, base: 0, number: number, bytes: bytes)])
    }
    channel.leave()
    let second = SharingMailbox {}
    channel = line.models.join("room", second)
    let contents = try line.contents(of: second)
    #expect(contents.refusals.map(\.number) == [1, 3] && contents.settled == .max)
    #expect(contents.sortedChanges.map(\.key) == [.row(list: "members", id: "r2")])
    channel.leave()
  }

  @Test func `a worker believes that all is settled only where it knows the refusals`() {
    let models = RelayedModels(largestUpdate: nil, isReadOnly: false)
    func settled(_ number: Int, _ mailbox: SharingMailbox) -> Int? {
      var contents = SharingMailbox.Contents()
      (contents.isListing, contents.isComplete, contents.settled) = (true, true, .max)
      models.take(number, contents)
      return mailbox.take().settled
    }
    let (first, second) = (SharingMailbox {}, SharingMailbox {})
    let channel = models.join("room", first)
    #expect(settled(1, first) == .max)
    // An update may have been sent since.
    #expect(settled(1, first) == nil)
    channel.leave()
    let again = models.join("room", second)
    // The server had no room for the last refusals.
    #expect(settled(2, second) == nil)
    models.take(1, .lastRefusals([]))
    again.leave()
    models.take(2, .lastRefusals([]))
    let third = SharingMailbox {}
    let last = models.join("room", third)
    #expect(settled(3, third) == .max)
    last.leave()
  }

  @Test func `what is small comes in one part`() {
    #expect(contents(rows: 3, size: 10).parts(ofAtMost: 10_000).count == 1)
    #expect(contents(rows: 0, size: 0).parts(ofAtMost: 10_000).count == 1)
    #expect(contents(rows: 2, size: 50_000).parts(ofAtMost: 10_000).count == 2)
  }
}
