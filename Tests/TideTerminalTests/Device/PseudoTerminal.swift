import Glibc
import TideTerminal

/// Both ends of a terminal that is no device: tests type and look at one, programs use the other.
final class PseudoTerminal {
  let master: Int32
  let slave: Int32

  init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
    // Closed to programs from the start: one that another test starts meanwhile would hold it open.
    let flags = O_RDWR | O_NOCTTY | O_CLOEXEC
    master = open("/dev/ptmx", flags)
    var isLocked: Int32 = 0
    guard master >= 0, ioctl(master, Self.unlock, &isLocked) == 0 else {
      throw Failure(reason: "no pseudo-terminal")
    }
    slave = ioctl(master, Self.openSlave, flags)
    guard slave >= 0 else { throw Failure(reason: "no pseudo-terminal") }
    resize(columns: columns, rows: rows)
  }

  // Linux's TIOCSPTLCK and TIOCGPTPEER, which Glibc's module does not declare.
  private static let unlock: UInt = 0x4004_5431
  private static let openSlave: UInt = 0x5441

  struct Failure: Error { let reason: String }

  private var isMasterClosed = false

  deinit {
    close(slave)
    if !isMasterClosed { close(master) }
  }

  func closeMaster() {
    close(master)
    isMasterClosed = true
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Everything that was written so far; waits a moment for the first byte.
  func output(wait milliseconds: Int32 = 20) -> [UInt8] {
    var result: [UInt8] = []
    var wait = milliseconds
    while true {
      guard waitForInput(on: master, wait) else { return result }
      let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, count in
        count = max(0, read(master, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return result }
      result += bytes
      wait = 0
    }
  }

  /// Whether keys come line by line and are echoed, as a shell's user expects.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(slave, &settings)
    return settings.c_lflag & UInt32(ECHO | ICANON) == UInt32(ECHO | ICANON)
  }
}

/// Whether there is something to read within so many milliseconds. The timers of interpreters on
/// the same thread may interrupt the waiting, which then goes on.
func waitForInput(on descriptor: Int32, _ milliseconds: Int32) -> Bool {
  var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  var found: Int32
  repeat { found = poll(&ready, 1, milliseconds) } while found < 0 && errno == EINTR
  return found > 0 && ready.revents & Int16(POLLIN) != 0
}

extension PseudoTerminal {
  /// Hands bytes to a renderer in one piece, so that a case always runs alike.
  func hand(_ bytes: [UInt8], to renderer: TerminalRenderer) {
    _ = write(master, bytes, bytes.count)
    var waiting: Int32 = 0
    for _ in 0..<2000 {
      _ = ioctl(slave, UInt(FIONREAD), &waiting)
      if waiting >= Int32(bytes.count) { break }
      usleep(100)
    }
    renderer.readInput()
  }
}
