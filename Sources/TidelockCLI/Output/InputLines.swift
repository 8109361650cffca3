import TideSystem

/// The lines of standard input or of a file, without line ends.
///
/// Replaces Swift's `readLine`, which loops endlessly if the input ends after a signal.
struct InputLines: Sequence, IteratorProtocol {
  private let descriptor: Int32
  private var bytes: [UInt8] = []
  private var start = 0
  private var hasEnded = false

  init(_ descriptor: Int32 = 0) { self.descriptor = descriptor }

  mutating func next() -> String? {
    while true {
      if let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
      }
      if hasEnded {
        defer { start = bytes.count }
        return start < bytes.count ? String(decoding: bytes[start...], as: UTF8.self) : nil
      }
      readMore()
    }
  }

  private mutating func readMore() {
    bytes.removeFirst(start)
    start = 0
    let room = 1 << 16
    let before = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: room))
    let count = bytes.withUnsafeMutableBytes { buffer in
      read(descriptor, buffer.baseAddress.map { $0 + before }, room)
    }
    bytes.removeLast(room - Swift.max(0, count))
    if count == 0 || (count < 0 && errno != EINTR) { hasEnded = true }
  }
}
