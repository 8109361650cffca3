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
  private func admits(_ bytes: Int, _ engine: Engine) throws -> Bool {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { close(ends[1]) }
    let loop = try EventLoop()
    let relay = SharedRelay(loop, engine, try FramedChannel(loop, ends[0], FramedChannel.Limits()))
    defer { relay.leaveAll() }
    try relay.join(1, "room")
    let update = SharingUpdate(
      key: .model, base: 0, number: 1, bytes: [UInt8](repeating: 0, count: bytes))
    do { try relay.send(1, [update]) } catch { return false }
    return true
  }

  @Test func `a worker sends nothing that the engine would refuse to its own app`() throws {
    #expect(try admits(10, Engine()))
    #expect(try !admits(11, Engine()))
    #expect(try !admits(1, Engine(isReadOnly: true)))
  }
}
