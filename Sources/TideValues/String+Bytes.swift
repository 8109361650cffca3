public import CTideSlots

extension String {
  /// The text of bytes; nil when they are not UTF-8.
  @inlinable
  package init?(exactly bytes: UnsafeRawBufferPointer) {
    let kind = tide_text_kind(bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), bytes.count)
    if kind == TIDE_TEXT_OTHER { return nil }
    guard kind == TIDE_TEXT_ASCII && bytes.count <= 15 else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    // A short string holds its bytes itself; filling it takes half as long as decoding.
    self.init(unsafeUninitializedCapacity: 15) { room in
      UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Text of any bytes, with U+FFFD for what is not UTF-8, as `String(decoding:as:)` makes it.
  ///
  /// - Throws: `WorkError` when the turn has no time or memory for it. A script makes megabytes of
  ///   broken text in no time, and they become three times as many.
  package init(repairing bytes: UnsafeRawBufferPointer) throws(WorkError) {
    let (text, outcome) = Self.repair(bytes)
    switch outcome {
    case TIDE_REPAIR_TIME: throw .time
    case TIDE_REPAIR_MEMORY: throw .memory
    default: self = text
    }
  }

  /// The same where nothing can be thrown: as much of it as the turn has time and memory for.
  package static func repaired(_ bytes: UnsafeRawBufferPointer) -> String { repair(bytes).text }

  package static func repaired(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { repaired($0) }
  }

  /// The same of the beginning, for messages: what is left out is not read.
  package static func repaired(_ bytes: [UInt8], atMost limit: Int) -> String {
    if bytes.count <= limit { return repaired(bytes) }
    return bytes.withUnsafeBytes { repaired(UnsafeRawBufferPointer(rebasing: $0[..<limit])) }
  }

  /// The same for messages that may be long: of broken text that nobody would read to the end, the
  /// beginning.
  package static func repairedMessage(_ bytes: UnsafeRawBufferPointer) -> String {
    let limit = 64 << 10
    if bytes.count <= limit { return repaired(bytes) }
    if let text = String(exactly: bytes) { return text }
    return repaired(UnsafeRawBufferPointer(rebasing: bytes[..<limit]))
      + "… (\(bytes.count) bytes in all)"
  }

  private static func repair(
    _ bytes: UnsafeRawBufferPointer
  ) -> (text: String, outcome: TideRepair) {
    if let text = String(exactly: bytes) { return (text, TIDE_REPAIR_WHOLE) }
    var text = ""
    let outcome = withUnsafeMutablePointer(to: &text) { target in
      tide_text_repair(bytes.baseAddress, bytes.count, target) { target, piece, count in
        guard let text = target?.assumingMemoryBound(to: String.self) else { return }
        guard let piece else { return text.pointee.reserveCapacity(count) }
        text.pointee += String(
          decoding: UnsafeRawBufferPointer(start: piece, count: count), as: UTF8.self)
      }
    }
    return (text, outcome)
  }
}
