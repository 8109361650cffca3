import Foundation

/// A program that shows the newest of the lines that it reads from a pipe.
struct Follower {
  let command: [String]

  static let tidelock = Follower(
    command: [
      Program.tidelock, "run",
      URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../examples/logs/app.lua").standardized.path,
    ])
  static let less = Follower(command: ["/usr/bin/less", "+F"])
  static let lnav = Follower(command: ["/usr/bin/lnav"])
}

/// Lines as a server writes them, some seventy bytes each.
private func lines(_ range: Range<Int>) -> [UInt8] {
  var text: [UInt8] = []
  text.reserveCapacity(range.count * 80)
  for number in range {
    text +=
      "2024-11-21T10:15:30 info request \(number) GET /items/\(number % 997) 200 in 12 ms\n".utf8
  }
  return text
}

/// No text that is on the screen before has one of these letters, so that all of them are drawn.
private let mark = Array("@@@@@@@@".utf8)

/// What comes out of a program's terminal.
private final class Screen {
  let program: Program
  /// How often something was drawn, and the longest time that nothing was.
  private(set) var frames = 0
  private(set) var longestGap = 0.0
  private var last = 0.0
  private var tail: [UInt8] = []
  private(set) var hasMark = false

  init(_ program: Program) { self.program = program }

  /// Bytes less than this apart belong to one frame.
  private static let within = 0.004

  /// Reads what is drawn until the mark shows, or until a time.
  func read(until end: Double) {
    defer { if last > 0 { longestGap = max(longestGap, secondsNow() - last) } }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while !hasMark {
      let left = end - secondsNow()
      guard left > 0 else { return }
      var waiting = pollfd(fd: program.output, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else { continue }
      let count = Foundation.read(program.output, &bytes, bytes.count)
      guard count > 0 else { return }
      let now = secondsNow()
      if now - last > Self.within {
        frames += 1
        if last > 0 { longestGap = max(longestGap, now - last) }
      }
      last = now
      tail = tail.suffix(mark.count - 1) + bytes[..<count]
      hasMark = tail.contains(mark)
    }
  }

  /// Begins to count anew.
  func reset() {
    frames = 0
    longestGap = 0
    last = secondsNow()
  }
}

/// What lines cost at a pace, and how many a program takes when they come as fast as it reads.
@MainActor
func measureFollowing(_ follower: Follower) throws {
  guard FileManager.default.isExecutableFile(atPath: follower.command[0]) else { driver.refuse() }
  signal(SIGPIPE, SIG_IGN)
  try withFolder { folder in
    try measurePace(follower, in: folder)
    try measureFlood(follower, in: folder)
  }
}

/// 200,000 lines a second.
@MainActor
private func measurePace(_ follower: Follower, in folder: URL) throws {
  let program = try Program(follower.command, in: folder, onTerminal: true)
  let screen = Screen(program)
  // It starts, and shows a first line.
  program.write(lines(0..<1))
  screen.read(until: secondsNow() + 1.5)
  screen.reset()
  let parts = 800, before = program.processorTime, start = secondsNow()
  // Made before they are needed, because making them takes longer than writing them.
  let texts = (0..<8).map { lines($0 * 1000..<($0 + 1) * 1000) }
  let writer = Thread {
    for part in 0..<parts {
      program.write(texts[part % texts.count])
      let left = start + Double(part + 1) * 0.005 - secondsNow()
      if left > 0 { usleep(UInt32(left * 1e6)) }
    }
    program.write(mark + [10])
  }
  writer.start()
  screen.read(until: start + Double(parts) * 0.005)
  let taken = secondsNow() - start
  driver.report("share", (program.processorTime - before) / taken * 100)
  driver.report("frames", Double(screen.frames) / taken)
  driver.report("gap", screen.longestGap * 1000)
  screen.read(until: start + 60)
  guard screen.hasMark else { throw Program.Failure(description: "the last line never showed") }
  driver.report("behind", max(0, secondsNow() - start - Double(parts) * 0.005) * 1000)
  _ = program.end(by: SIGKILL)
}

/// A million lines at once.
@MainActor
private func measureFlood(_ follower: Follower, in folder: URL) throws {
  let program = try Program(follower.command, in: folder, onTerminal: true)
  let screen = Screen(program)
  program.write(lines(0..<1))
  screen.read(until: secondsNow() + 1.5)
  let count = 1_000_000, text = lines(0..<count), start = secondsNow()
  let writer = Thread {
    program.write(text)
    program.write(mark + [10])
  }
  writer.start()
  screen.read(until: start + 120)
  guard screen.hasMark else { throw Program.Failure(description: "the last line never showed") }
  driver.report("flood", Double(count) / (secondsNow() - start) / 1000)
  _ = program.end(by: SIGKILL)
}
