import TideSystem

/// Standard output, a line at a time, each written at once.
final class StandardOutput {
  /// Called once, with the reason, when nothing can be written any more.
  var onFailure: (String) -> Void = { _ in }
  private(set) var hasFailed = false
  private let descriptor: Int32

  /// - Parameter descriptor: another one where standard output itself is for something else.
  init(_ descriptor: Int32 = 1) { self.descriptor = descriptor }

  func writeLine(_ line: String) {
    var line = line
    line.withUTF8 { writeLine(UnsafeRawBufferPointer($0)) }
  }

  /// Writes bytes as they are, and an end of line.
  func writeLine(_ line: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    // In one piece, so that nothing of anybody else's comes between.
    withUnsafeTemporaryAllocation(byteCount: line.count + 1, alignment: 1) { room in
      room.copyMemory(from: line)
      room[line.count] = UInt8(ascii: "\n")
      write(UnsafeRawBufferPointer(room))
    }
  }

  /// Writes bytes as they are.
  func write(_ bytes: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    let number = StandardStreams.write(bytes, to: descriptor)
    guard number != 0 else { return }
    hasFailed = true
    switch number {
    case EPIPE: onFailure("nobody reads it any more")
    case EBADF: onFailure("it is closed")
    default: onFailure(String(cString: strerror(number)))
    }
  }
}
