import CTideTerminal
public import TideBindings
import TideSystem
import TideViews

/// The terminal of this process: acquired once, and restored on every way out.
///
/// Code that must run in signal handlers is in `CTideTerminal`.
struct TerminalDevice {
  let input: Int32
  let output: Int32
  var handlesSignals = true
  var capturesOutput = false

  /// Acquires the whole terminal.
  func take(_ capabilities: TerminalCapabilities) throws(TideError) {
    let (enter, leave) = Sequences.screenModes(capabilities)
    var options = 0
    if handlesSignals { options |= TIDE_TERMINAL_SIGNALS }
    if capturesOutput { options |= TIDE_TERMINAL_CAPTURE }
    let failure = tide_terminal_take(
      input, output, enter, enter.count, leave, leave.count, Int32(options))
    if failure != 0 { throw Self.error(failure) }
  }

  /// Acquires the terminal for a prompt: raw keys and bracketed pastes, on the current screen.
  /// Input typed while no prompt is shown is kept for the next one.
  func takeLine(_ capabilities: TerminalCapabilities) throws(TideError) {
    let (enter, leave) = Sequences.promptModes(capabilities)
    let failure = tide_terminal_take(
      input, output, enter, enter.count, leave, leave.count,
      Int32(TIDE_TERMINAL_SIGNALS | TIDE_TERMINAL_KEEP_INPUT))
    if failure != 0 { throw Self.error(failure) }
  }

  func release() { tide_terminal_release() }

  /// The size of the terminal; 80 by 24 if it is unknown.
  var size: Size {
    var columns: Int32 = 0
    var rows: Int32 = 0
    guard tide_terminal_size(&columns, &rows) else { return Size(width: 80, height: 24) }
    return Size(width: Int(columns), height: Int(rows))
  }

  /// Writes all bytes in one piece if the terminal accepts them; returns false while the process
  /// does not own the terminal.
  func write(_ bytes: [UInt8]) throws(TideError) -> Bool {
    let failure = tide_terminal_write(bytes, bytes.count)
    if failure == EAGAIN { return false }
    if failure != 0 { throw Self.error(failure) }
    return true
  }

  enum Reading {
    case bytes([UInt8])
    case nothing
    case closed
  }

  func read() -> Reading {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 65536) { buffer, initialized in
      count = tide_terminal_read(buffer.baseAddress, buffer.count)
      initialized = max(0, count)
    }
    return count > 0 ? .bytes(bytes) : count == 0 ? .nothing : .closed
  }

  private static func error(_ number: Int32) -> TideError {
    let reason =
      switch number {
      case ENOTTY: "standard input is not a terminal"
      case EBADF: "standard input or output is closed"
      case EPIPE, EIO, ENXIO: "the terminal has been closed"
      case EBUSY: "another renderer of this process has it"
      default: String(cString: strerror(number))
      }
    return TideError(.terminal, "the terminal cannot be used: \(reason)")
  }
}

extension TideError.Code {
  /// The terminal is missing, was closed, or is not a terminal.
  public static let terminal = Self("terminal", 320)
}
