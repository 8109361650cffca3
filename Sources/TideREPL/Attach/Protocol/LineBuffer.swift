import TideBindings

/// Cuts what arrives in pieces into lines, and holds no more than one line may have.
struct LineBuffer {
  private var bytes: [UInt8] = []
  /// Where the first line begins that has not been taken.
  private var start = 0
  /// Up to where there is no end of line.
  private var searched = 0
  private let limit: Int

  init(limit: Int = Message.longest) { self.limit = limit }

  var isEmpty: Bool { start == bytes.count }

  /// Throws for a line that is too long; it must not be asked again then.
  mutating func add(_ piece: some Collection<UInt8>) throws(TideError) {
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

  /// The next whole line without its end; nil when there is none yet. Empty lines are passed over.
  mutating func next() -> ArraySlice<UInt8>? {
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
