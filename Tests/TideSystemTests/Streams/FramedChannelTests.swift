import Testing

@testable import TideSystem

@Suite struct FramedChannelTests {
  private let loop: EventLoop
  private let ends: [Int32]

  init() throws {
    loop = try EventLoop()
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    self.ends = ends
  }

  private func turn(until condition: () -> Bool) {
    let waker = loop.after(0.01, repeating: true) {}
    defer { waker.cancel() }
    let end = EventLoop.monotonicTime() + 10
    while !condition(), EventLoop.monotonicTime() < end { loop.turn() }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  @Test func `frames arrive whole, in order, however large they are`() throws {
    let (one, other) = (
      try FramedChannel(loop, ends[0], .init()), try FramedChannel(loop, ends[1], .init())
    )
    var received: [(UInt8, Int)] = []
    other.onFrame = { kind, content in received.append((kind, content.count)) }
    let sizes = [0, 1, 65_535, 3 << 20, 7]
    for (kind, size) in sizes.enumerated() {
      one.send(UInt8(kind), [UInt8](repeating: 1, count: size))
    }
    #expect(one.waitingBytes > 0)
    turn { received.count == sizes.count }
    #expect(received.map(\.1) == sizes)
    #expect(received.map(\.0) == [0, 1, 2, 3, 4])
    #expect(one.waitingBytes == 0)
  }

  @Test func `a frame in single bytes is put together`() throws {
    let channel = try FramedChannel(loop, ends[0], .init())
    var received: [UInt8] = []
    channel.onFrame = { kind, content in received = [kind] + content }
    for byte: UInt8 in [2, 0, 0, 0, 9, 65, 66] {
      write([byte], to: ends[1])
      loop.turn(timeout: 0)
    }
    turn { !received.isEmpty }
    #expect(received == [9, 65, 66])
    close(ends[1])
  }

  @Test func `a frame that is too long ends the channel before it has come`() throws {
    var limits = FramedChannel.Limits()
    limits.frame = 100
    let channel = try FramedChannel(loop, ends[0], limits)
    var ending: FramedChannel.Ending?
    channel.onEnd = { ending = $0 }
    write([101, 0, 0, 0, 1], to: ends[1])
    turn { ending != nil }
    #expect(ending == .tooLong)
    #expect(!channel.isOpen)
    close(ends[1])
  }

  @Test func `the other side's end is told once, after what it has sent`() throws {
    let channel = try FramedChannel(loop, ends[0], .init())
    var events: [String] = []
    channel.onFrame = { kind, _ in events.append("frame \(kind)") }
    channel.onEnd = { events.append("\($0)") }
    write([0, 0, 0, 0, 7], to: ends[1])
    close(ends[1])
    turn { events.count == 2 }
    #expect(events == ["frame 7", "closed"])
  }

  @Test func `who sends more frames than a second allows is read again in the next`() throws {
    var limits = FramedChannel.Limits()
    limits.framesEachSecond = 10
    let channel = try FramedChannel(loop, ends[0], limits)
    var count = 0
    channel.onFrame = { _, _ in count += 1 }
    write([UInt8](repeating: 0, count: 5 * 15), to: ends[1])
    turn { count == 11 }
    let start = EventLoop.monotonicTime()
    loop.turn(timeout: 0.05)
    #expect(count == 11)
    turn { count == 15 }
    #expect(count == 15)
    #expect(EventLoop.monotonicTime() - start > 0.05)
    close(ends[1])
  }

  @Test func `who costs more time than a second allows is taken on in the next`() throws {
    var limits = FramedChannel.Limits()
    limits.timeEachSecond = 0.01
    let channel = try FramedChannel(loop, ends[0], limits)
    var count = 0
    channel.onFrame = { _, _ in
      count += 1
      let end = EventLoop.threadTime() + 0.02
      while EventLoop.threadTime() < end {}
    }
    write([UInt8](repeating: 0, count: 5 * 3), to: ends[1])
    let start = EventLoop.monotonicTime()
    turn { count == 3 }
    #expect(count == 3)
    #expect(EventLoop.monotonicTime() - start > 1.5)
    close(ends[1])
  }

  @Test func `what is done for the other side counts as its own time`() throws {
    var limits = FramedChannel.Limits()
    limits.timeEachSecond = 0.01
    let channel = try FramedChannel(loop, ends[0], limits)
    var count = 0
    channel.onFrame = { _, _ in count += 1 }
    channel.measure {
      let end = EventLoop.threadTime() + 0.02
      while EventLoop.threadTime() < end {}
    }
    write([UInt8](repeating: 0, count: 5), to: ends[1])
    loop.turn(timeout: 0.05)
    #expect(count == 0)
    turn { count == 1 }
    #expect(count == 1)
    close(ends[1])
  }

  @Test func `the last frames are taken, whatever the limits say`() throws {
    var limits = FramedChannel.Limits()
    limits.framesEachSecond = 10
    let channel = try FramedChannel(loop, ends[0], limits)
    var count = 0
    channel.onFrame = { _, _ in count += 1 }
    write([UInt8](repeating: 0, count: 5 * 40), to: ends[1])
    turn { count == 11 }
    write([UInt8](repeating: 0, count: 5), to: ends[1])
    channel.readRest()
    #expect(count == 41)
    close(ends[1])
  }

  @Test func `closing it within its own function ends it there`() throws {
    let channel = try FramedChannel(loop, ends[0], .init())
    var count = 0
    channel.onFrame = { _, _ in
      count += 1
      channel.close()
    }
    write([0, 0, 0, 0, 1, 0, 0, 0, 0, 2], to: ends[1])
    turn { count > 0 }
    loop.turn(timeout: 0)
    #expect(count == 1)
    close(ends[1])
  }
}
