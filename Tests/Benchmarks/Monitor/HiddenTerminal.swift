import Foundation
import Tidelock

/// A pseudo-terminal whose output is read and dropped.
final class HiddenTerminal {
  let renderer: TerminalRenderer

  struct Failure: Error {}

  init(columns: UInt16, rows: UInt16) throws {
    let master = posix_openpt(O_RDWR | O_NOCTTY)
    guard master >= 0, grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else {
      throw Failure()
    }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { throw Failure() }
    let terminal = open(name, O_RDWR | O_NOCTTY)
    guard terminal >= 0 else { throw Failure() }
    setenv("TERM", "xterm-256color", 1)
    renderer = TerminalRenderer(
      input: terminal, output: terminal, handlesSignals: false, capturesOutput: false)
    Thread.detachNewThread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while read(master, &bytes, bytes.count) > 0 {}
    }
  }
}
