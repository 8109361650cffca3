import CTideTerminal
import TideSystem

/// Output printed while the renderer owns the terminal: the last lines for the log pane, and a file
/// in memory that is copied to standard output when the terminal is released. Some lines are for the
/// pane alone.
///
/// Both are bounded; a notice states how much was dropped.
struct OutputLog {
  /// The complete lines, newest last, without escape sequences.
  private(set) var lines: [String] = []
  private var unfinished: [UInt8] = []
  /// The offset up to which the file has been read.
  private var offset: Int64 = 0
  private var dropped = 0

  private static let lineLimit = 1000
  private static let lengthLimit = 10_000
  private static let fileLimit: Int64 = 8 << 20

  /// Starts with another file; the lines so far are kept.
  mutating func restart() {
    offset = 0
    dropped = 0
    unfinished = []
  }

  /// Appends one or more lines.
  mutating func append(_ line: String) {
    var bytes = Array(line.utf8)
    bytes.append(0x0a)
    let file = tide_terminal_log_descriptor()
    if file < 0 {
      take(bytes)
    } else {
      _ = write(file, bytes, bytes.count)
      _ = drain()
    }
  }

  /// Inserts lines for the pane alone, above an unfinished line.
  mutating func insert(_ text: String) {
    _ = drain()
    let started = unfinished
    unfinished = []
    take(Array(text.utf8) + [0x0a])
    unfinished = started
  }

  /// Reads new output from the file; returns whether there was any.
  mutating func drain() -> Bool {
    let file = tide_terminal_log_descriptor()
    var isNew = false
    while file >= 0 {
      let bytes = Self.read(file, from: offset, count: 65536)
      if bytes.isEmpty { break }
      offset += Int64(bytes.count)
      isNew = true
      take(bytes)
    }
    if offset > Self.fileLimit { trim(file) }
    return isNew
  }

  private static func read(_ file: Int32, from offset: Int64, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = max(0, pread(file, buffer.baseAddress, buffer.count, off_t(offset)))
    }
  }

  private mutating func take(_ bytes: [UInt8]) {
    for part in bytes.split(separator: 0x0a, omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { finishLine() }
      let room = Self.lengthLimit - unfinished.count
      if room > 0 { unfinished += part.element.prefix(room) }
    }
    // Trimmed in batches, because removing from the front moves all remaining lines.
    if lines.count > 2 * Self.lineLimit { lines.removeFirst(lines.count - Self.lineLimit) }
  }

  private mutating func finishLine() {
    lines.append(String(decoding: Self.withoutSequences(unfinished), as: UTF8.self))
    unfinished.removeAll(keepingCapacity: true)
  }

  /// Drops the older half of the file, up to the end of a line.
  private mutating func trim(_ file: Int32) {
    let middle = offset - Self.fileLimit / 2
    let old = Self.read(file, from: 0, count: Int(middle))
    guard let end = old.lastIndex(of: 0x0a) else { return }
    // The previous notice does not count as a line of output.
    dropped += old[...end].count { $0 == 0x0a } - (dropped > 0 ? 1 : 0)
    let notice = Array("(\(dropped) earlier lines of output were not kept)\n".utf8)
    let kept = offset - Int64(end) - 1
    tide_terminal_trim_log(Int64(end) + 1, notice, notice.count)
    offset = kept + Int64(notice.count)
  }
}
