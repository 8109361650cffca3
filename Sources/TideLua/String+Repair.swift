import CTideLua

extension String {
  /// Text of any bytes, with U+FFFD for what is not UTF-8.
  ///
  /// - Throws: `LuaError` of kind `time` or `memory` when the turn has none left for it.
  init(repairing bytes: UnsafeRawBufferPointer) throws(LuaError) {
    let (text, outcome) = Self.repair(bytes)
    switch outcome {
    case TIDE_REPAIR_TIME: throw LuaError(.time, "the turn took too long")
    case TIDE_REPAIR_MEMORY: throw .memory
    default: self = text
    }
  }

  /// The same where nothing can be thrown: as much of it as the turn has time and memory for.
  static func repaired(_ bytes: UnsafeRawBufferPointer) -> String { repair(bytes).text }

  /// The same for messages: of broken text that is longer than any person reads, the beginning.
  static func repairedMessage(_ bytes: UnsafeRawBufferPointer) -> String {
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
