import Testing

@testable import TideSystem

/// Bodies whose memory is reserved before they are read.
struct HTTPMemoryTests {
  let scene: HTTPScene

  private static let limit = 8 << 20

  private struct Meter: MemoryUse {
    let memoryUse = 0
    let memoryLimit = HTTPMemoryTests.limit
    func makeRoom() {}
  }

  init() throws {
    scene = try HTTPScene()
    let loop = scene.loop
    scene.client.memory = MemoryQueue(loop, Meter()) { [inbox = loop.inbox] in inbox.post {} }
  }

  /// Asks for many bodies at once, and gives the most that was reserved and how many came.
  private func ask(_ count: Int, for path: String) throws -> (most: Int, came: Int, lost: Int) {
    let memory = try #require(scene.client.memory)
    var (most, came, lost) = (0, 0, 0)
    for _ in 0..<count {
      scene.client.start(scene.request(path)) { result in
        if case .success = result { came += 1 } else { lost += 1 }
      }
    }
    try scene.wait {
      memory.retry()
      most = max(most, memory.account.reserved)
      return came + lost == count
    }
    return (most, came, lost)
  }

  @Test func `many at once wait for one another`() throws {
    let (most, came, lost) = try ask(20, for: "/bytes?2000000")
    #expect(came == 20 && lost == 0)
    #expect(most <= Self.limit)
    #expect(scene.client.memory?.account.reserved == 0)
  }

  @Test func `one that would not fit alone is an error`() throws {
    let failure = try scene.failure("/bytes?6000000")
    #expect(failure.kind == .noMemory)
    #expect(failure.message.hasPrefix("not enough memory for the body from 127.0.0.1"))
    #expect(try scene.text("/plain") != "")
    #expect(scene.client.memory?.account.reserved == 0)
  }

  @Test func `one that goes on for ever holds nothing any more when its error is told`() throws {
    let memory = try #require(scene.client.memory)
    var (failure, held): (HTTPFailure?, Int?)
    scene.client.start(scene.request("/endless")) { result in
      if case .failure(let error) = result { failure = error }
      held = memory.account.reserved
    }
    try scene.wait { failure != nil }
    #expect(failure?.kind == .noMemory)
    #expect(held == 0)
  }

  @Test func `a body that is sent counts, too`() throws {
    var request = scene.request("POST", "/echo")
    request.body = [UInt8](repeating: 120, count: 6 << 20)
    #expect(try scene.failure(request).kind == .noMemory)
    #expect(scene.client.memory?.account.reserved == 0)
  }
}
