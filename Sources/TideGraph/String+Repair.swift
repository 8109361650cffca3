import CTideSlots

extension String {
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
  package static func repaired(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { repair($0).text }
  }

  /// The same of the beginning, for messages: what is left out is not read.
  package static func repaired(_ bytes: [UInt8], atMost limit: Int) -> String {
    if bytes.count <= limit { return repaired(bytes) }
    return bytes.withUnsafeBytes { repair(UnsafeRawBufferPointer(rebasing: $0[..<limit])).text }
  }

  private static func repair(
    _ bytes: UnsafeRawBufferPointer
  ) -> (text: String, outcome: TideRepair) {
    if let text = String(utf8: bytes) { return (text, TIDE_REPAIR_WHOLE) }
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
