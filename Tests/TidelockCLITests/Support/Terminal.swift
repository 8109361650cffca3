import Glibc
import Testing

/// A terminal that is no device: the test is at the keys and sees the screen's bytes.
final class Terminal {
  let main: Int32
  /// The device file of the program's end.
  let name: String
  private let device: Int32
  private(set) var screen = ""

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    var ends: (main: Int32, device: Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var room = [CChar](repeating: 0, count: 256)
    guard openpty(&ends.main, &ends.device, &room, nil, &size) == 0 else {
      throw Program.Failure(reason: "no pseudo-terminal")
    }
    (main, device) = ends
    name = String(decoding: room.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for descriptor in [main, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(main, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(main)
    close(device)
  }

  func type(_ text: String) { _ = write(main, text, text.utf8.count) }

  /// Types, and reads until the screen's bytes contain the answer.
  func type(
    _ text: String, until answer: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    type(text)
    wait(for: answer, sourceLocation: sourceLocation)
  }

  /// Whether typed lines are edited and shown by the terminal, as a shell expects.
  var isUsual: Bool {
    var mode = termios()
    tcgetattr(device, &mode)
    return mode.c_lflag & tcflag_t(ICANON) != 0 && mode.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Reads until the screen's bytes contain a text.
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for _ in 0..<2000 {
      read()
      if screen.contains(text) { return }
      usleep(5000)
    }
    Issue.record(
      "\"\(text)\" never came in \(screen.debugDescription)", sourceLocation: sourceLocation)
  }

  /// Forgets what was shown so far.
  func clear() {
    read()
    screen = ""
  }

  func read() {
    var room = [UInt8](repeating: 0, count: 16_384)
    while case let count = Glibc.read(main, &room, room.count), count > 0 {
      screen += String(decoding: room[..<count], as: UTF8.self)
    }
  }
}

/// A suite whose apps run in a terminal.
protocol LiveSuite: AppSuite {
  var terminal: Terminal { get }
}

extension LiveSuite {
  func startLive(_ script: String, _ arguments: [String] = []) throws -> Program {
    try start(script, arguments, output: .terminal(terminal.name))
  }

  /// Reads on, so that the program is not held up by a full terminal.
  func finishLive(_ program: Program) -> Program.Ending {
    let ending = program.finish(seconds: 10, meanwhile: terminal.read).status
    terminal.read()
    return ending
  }
}
