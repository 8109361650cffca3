public import CTideSlots

extension String {
  /// Decodes bytes; nil if they are not UTF-8.
  @inlinable
  package init?(exactly bytes: UnsafeRawBufferPointer) {
    let kind = tide_text_kind(bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), bytes.count)
    if kind == TIDE_TEXT_OTHER { return nil }
    guard kind == TIDE_TEXT_ASCII && bytes.count <= 15 else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    // A short string stores its bytes inline; copying them takes half as long as decoding.
    self.init(unsafeUninitializedCapacity: 15) { room in
      UnsafeMutableRawBufferPointer(room).copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Decodes any bytes, with U+FFFD for invalid UTF-8, as `String(decoding:as:)` does.
  ///
  /// - Throws: `WorkError` if the turn has no time or memory left for it. A script can quickly
  ///   create megabytes of invalid UTF-8, which triple in size when they are repaired.
  package init(repairing bytes: UnsafeRawBufferPointer) throws(WorkError) {
    let (text, outcome) = Self.repair(bytes)
    switch outcome {
    case TIDE_REPAIR_TIME: throw .time
    case TIDE_REPAIR_MEMORY: throw .memory
    default: self = text
    }
  }

  /// Decodes any bytes, for code that cannot throw: as many of them as the turn has time and memory
  /// for.
  package static func repaired(_ bytes: UnsafeRawBufferPointer) -> String { repair(bytes).text }

  package static func repaired(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { repaired($0) }
  }

  /// Decodes no more than the given number of bytes, for messages.
  package static func repaired(_ bytes: [UInt8], atMost limit: Int) -> String {
    if bytes.count <= limit { return repaired(bytes) }
    return bytes.withUnsafeBytes { repaired(UnsafeRawBufferPointer(rebasing: $0[..<limit])) }
  }

  /// Decodes any bytes for a message. Long text that is not UTF-8 is truncated.
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
