import Foundation
import Synchronization
public import Tidelock

/// A pseudo-terminal whose output is read and dropped.
public final class HiddenTerminal {
  /// The renderer that writes to it, for a scene to be mounted on.
  public let renderer: TerminalRenderer

  struct Failure: Error {}

  private final class Count: Sendable {
    let bytes = Atomic(0)
  }

  private let count = Count()

  /// How many bytes have come, when what was written has had time to.
  public func bytesRead() -> Int {
    usleep(100_000)
    return count.bytes.load(ordering: .relaxed)
  }

  /// Opens a pseudo-terminal of a size in cells, and throws when the system has none to give.
  public init(columns: UInt16, rows: UInt16) throws {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var reader: Int32 = -1, terminal: Int32 = -1
    guard openpty(&reader, &terminal, nil, nil, &size) == 0 else { throw Failure() }
    setenv("TERM", "xterm-256color", 1)
    renderer = TerminalRenderer(
      input: terminal, output: terminal, handlesSignals: false, capturesOutput: false)
    let output = reader
    Thread.detachNewThread { [count] in
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let length = read(output, &bytes, bytes.count)
        if length <= 0 { return }
        count.bytes.add(length, ordering: .relaxed)
      }
    }
  }
}
