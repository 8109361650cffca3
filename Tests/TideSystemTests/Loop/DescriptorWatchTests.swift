import Testing

@testable import TideSystem

struct DescriptorWatchTests {
  let loop: EventLoop

  init() throws { loop = try EventLoop(clock: VirtualClock()) }

  @Test func `what can be read is told in every turn until it is read`() throws {
    let pipe = Pipe()
    defer { pipe.close() }
    var count = 0
    try loop.watch(descriptor: pipe.reading) { count += 1 }
    loop.turn(timeout: 0)
    #expect(count == 0)
    pipe.write("x")
    loop.turn()
    loop.turn()
    #expect(count == 2)
    #expect(pipe.read() == "x")
    loop.turn(timeout: 0)
    #expect(count == 2)
  }

  @Test func `what can be read is told between timers that take long`() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    defer { pipe.close() }
    let seen = Record<String>()
    for number in 1...2 {
      loop.after(0) {
        seen.add("timer \(number)")
        usleep(60_000)
      }
    }
    try loop.watch(descriptor: pipe.reading) { seen.add(pipe.read()) }
    pipe.write("x")
    while seen.all.count < 3 { loop.turn(timeout: 0) }
    #expect(seen.all == ["timer 1", "x", "timer 2"])
  }

  @Test func `a closed end is told, and cancelling ends it`() throws {
    let pipe = Pipe()
    defer { pipe.close() }
    var watch: DescriptorWatch?
    watch = try loop.watch(descriptor: pipe.reading, keepsRunning: true) { watch?.cancel() }
    #expect(loop.hasWork)
    pipe.closeWriting()
    #expect(loop.turn())
    #expect(!loop.hasWork)
    #expect(!loop.turn(timeout: 0))
  }

  @Test func `a watch may end another one that is ready too`() throws {
    let pipes = [Pipe(), Pipe()]
    defer { for pipe in pipes { pipe.close() } }
    var watches: [DescriptorWatch] = []
    var count = 0
    for pipe in pipes {
      pipe.write("x")
      watches.append(
        try loop.watch(descriptor: pipe.reading) {
          count += 1
          for watch in watches { watch.cancel() }
        })
    }
    loop.turn()
    #expect(count == 1)
    #expect(watches.allSatisfy { !$0.isEnabled })
  }

  @Test func `a descriptor that took over a number is not mistaken for the old one`() throws {
    let old = Pipe()
    defer { old.close() }
    let watch = try loop.watch(descriptor: old.reading) { Issue.record("the old one") }
    let new = Pipe()
    defer { new.close() }
    watch.cancel()
    dup2(new.reading, old.reading)
    var count = 0
    try loop.watch(descriptor: old.reading) { count += 1 }
    watch.cancel()
    new.write("x")
    loop.turn()
    #expect(count == 1)
  }

  @Test func `what cannot be watched is an error that says why`() throws {
    let pipe = Pipe()
    defer { pipe.close() }
    try loop.watch(descriptor: pipe.reading) {}
    #expect(
      message { try loop.watch(descriptor: pipe.reading) {} }.hasSuffix("it is watched already"))
    #expect(message { try loop.watch(descriptor: -1) {} }.contains("Bad file descriptor"))
    let file = open("/etc/passwd", O_RDONLY)
    defer { Glibc.close(file) }
    #expect(message { try loop.watch(descriptor: file) {} }.hasSuffix("can always be read"))
  }

  @Test func `time stands still while there is something to read`() throws {
    let pipe = Pipe()
    defer { pipe.close() }
    pipe.write("x")
    try loop.watch(descriptor: pipe.reading) { _ = pipe.read() }
    loop.after(10) {}
    loop.turn()
    #expect(loop.now() == 0)
    loop.turn()
    #expect(loop.now() == 10)
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)"
    }
  }
}

/// Two ends of a pipe.
final class Pipe {
  private(set) var reading: Int32
  private(set) var writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit { close() }

  func write(_ text: String) { _ = Glibc.write(writing, text, text.utf8.count) }

  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = Glibc.read(reading, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  func closeWriting() {
    Glibc.close(writing)
    writing = -1
  }

  func close() {
    for end in [reading, writing] where end >= 0 { Glibc.close(end) }
    (reading, writing) = (-1, -1)
  }
}
