/// What the kernel says of one process.
struct ProcessFigures: Equatable {
  var pid: Int
  /// The program's name, cut at 15 bytes by the kernel; it may hold anything.
  var name: String
  /// `R` runs, `S` sleeps, `D` waits for a disk, `I` idles, `T` is stopped, `Z` has ended.
  var state: String
  var parent: Int
  var isKernelThread: Bool
  /// Processor time used, in clock ticks.
  var ticks: Int
  var threads: Int
  /// When it started, in clock ticks after the machine did. A pid and this are never used twice.
  var started: Int
  var residentPages: Int
  var user = ""
  /// The program with its arguments.
  var command = ""
}

extension ProcessFigures {
  /// Reads /proc/PID/stat; nil when it is not what it should be, as when the process has just gone.
  init?(parsing text: [UInt8]) {
    // The name is in parentheses, and may hold parentheses and spaces of its own.
    guard let opening = text.firstIndex(of: UInt8(ascii: "(")),
      let closing = text.lastIndex(of: UInt8(ascii: ")")), opening < closing
    else { return nil }
    var head = FigureScanner(text)
    var scanner = FigureScanner(text, from: closing + 1)
    guard let pid = head.integer(), let state = scanner.word(), let parent = scanner.integer()
    else { return nil }
    scanner.skip(4)
    guard let flags = scanner.integer() else { return nil }
    scanner.skip(4)
    guard let userTicks = scanner.integer(), let systemTicks = scanner.integer() else { return nil }
    scanner.skip(4)
    guard let threads = scanner.integer() else { return nil }
    scanner.skip(1)
    guard let started = scanner.integer() else { return nil }
    scanner.skip(1)
    guard let residentPages = scanner.integer() else { return nil }
    self.init(
      pid: pid, name: String(decoding: text[opening + 1..<closing], as: UTF8.self), state: state,
      parent: parent, isKernelThread: flags & Self.kernelThread != 0,
      ticks: userTicks + systemTicks, threads: threads, started: started,
      residentPages: residentPages)
  }

  private static let kernelThread = 0x20_0000

  /// Reads /proc/PID/cmdline, in which each argument ends with a zero. Kernel threads have none,
  /// nor has a process that has ended: they are shown by name, in brackets.
  func command(parsing text: [UInt8]) -> String {
    let arguments = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return arguments.isEmpty ? "[\(name)]" : arguments.joined(separator: " ")
  }
}
