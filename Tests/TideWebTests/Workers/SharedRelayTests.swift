import Testing
import TideScript
import TideSystem

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

  @Test func `what is small comes in one part`() {
    #expect(contents(rows: 3, size: 10).parts(ofAtMost: 10_000).count == 1)
    #expect(contents(rows: 0, size: 0).parts(ofAtMost: 10_000).count == 1)
    #expect(contents(rows: 2, size: 50_000).parts(ofAtMost: 10_000).count == 2)
  }
}
