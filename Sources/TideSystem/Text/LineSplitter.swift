/// Splits a stream of bytes into lines.
///
/// ```swift
/// var lines = LineSplitter(longest: 1 << 20)
/// try lines.add(bytes) { line in print(line.count) }
/// lines.finish { line in print(line.count) }      // the last one, without an end
/// ```
///
/// A line ends with LF or CRLF; neither is part of the line.
package struct LineSplitter {
  /// The maximum length of a line, in bytes.
  package let longest: Int
  /// The start of an incomplete line.
  private var rest: [UInt8] = []

  package init(longest: Int) { self.longest = longest }

  /// The memory of the incomplete line in bytes; 0 for a short one.
  package var heldBytes: Int { rest.count < 1 << 12 ? 0 : rest.capacity }

  /// Calls a function with each line that the bytes complete. Returns false if a line is too long;
  /// the line is dropped.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows -> Bool {
    var start = 0
    while start < bytes.count {
      let left = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard let base = left.baseAddress,
        let found = memchr(base, Int32(UInt8(ascii: "\n")), left.count)
      else {
        guard rest.count + left.count <= longest else { return drop() }
        rest.append(contentsOf: left)
        return true
      }
      let count = base.distance(to: UnsafeRawPointer(found))
      guard rest.count + count <= longest else { return drop() }
      let line = UnsafeRawBufferPointer(rebasing: left[..<count])
      if rest.isEmpty {
        try body(Self.trimmed(line))
      } else {
        rest.append(contentsOf: line)
        try rest.withUnsafeBytes { try body(Self.trimmed($0)) }
        rest.removeAll(keepingCapacity: rest.count < 1 << 16)
      }
      start += count + 1
    }
    return true
  }

  /// Calls a function with the incomplete last line, if any.
  package mutating func finish(
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    if rest.isEmpty { return }
    defer { rest = [] }
    try rest.withUnsafeBytes { try body(Self.trimmed($0)) }
  }

  private mutating func drop() -> Bool {
    rest = []
    return false
  }

  private static func trimmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard line.last == UInt8(ascii: "\r") else { return line }
    return UnsafeRawBufferPointer(rebasing: line.dropLast())
  }
}
