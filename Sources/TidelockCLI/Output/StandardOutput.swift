import TideSystem

/// Standard output, unbuffered and written line by line.
final class StandardOutput {
  /// Called once, with the reason, when writing fails.
  var onFailure: (String) -> Void = { _ in }
  private(set) var hasFailed = false
  private let descriptor: Int32

  /// - Parameter descriptor: another descriptor if standard output itself is used otherwise.
  init(_ descriptor: Int32 = 1) { self.descriptor = descriptor }

  func writeLine(_ line: String) {
    var line = line
    line.withUTF8 { writeLine(UnsafeRawBufferPointer($0)) }
  }

  /// Writes raw bytes and a line end.
  func writeLine(_ line: UnsafeRawBufferPointer) {
    guard !hasFailed else { return }
    // In a single call, so that other output cannot interleave.
    withUnsafeTemporaryAllocation(byteCount: line.count + 1, alignment: 1) { room in
      room.copyMemory(from: line)
      room[line.count] = UInt8(ascii: "\n")
      write(UnsafeRawBufferPointer(room))
    }
  }

  /// Writes raw bytes.
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
