package import TideBindings

/// Splits a byte stream into lines and limits their length.
package struct LineBuffer {
  private var bytes: [UInt8] = []
  /// The index of the first unread line's first byte.
  private var start = 0
  /// The index up to which no line end was found.
  private var searched = 0
  private let limit: Int

  package init(limit: Int = Message.longest) { self.limit = limit }

  var isEmpty: Bool { start == bytes.count }

  /// Throws for a line that is too long; the buffer must not be used afterwards.
  package mutating func add(_ piece: some Collection<UInt8>) throws(TideError) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += piece
    guard bytes.count > limit else { return }
    let end = bytes[searched...].firstIndex(of: 0x0A) ?? bytes.endIndex
    guard end > limit else { return }
    bytes = []
    (start, searched) = (0, 0)
    throw TideError(
      .attach, "the message is longer than \(limit >> 20) MiB, which is the most it may have")
  }

  /// The next complete line without its line end; nil if there is none yet. Skips empty lines.
  package mutating func next() -> ArraySlice<UInt8>? {
    while let end = bytes[searched...].firstIndex(of: 0x0A) {
      let line = bytes[start..<end]
      start = end + 1
      searched = start
      if !line.isEmpty, line != [0x0D] { return line }
    }
    searched = bytes.count
    return nil
  }
}
