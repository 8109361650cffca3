import TideBindings
import TideSystem

/// One end of a socket, as the thread sees it that reads and writes it.
struct Connection {
  let number: Int
  let descriptor: Int32
  var lines = LineBuffer()
  /// Whether it has said that it wants a session.
  var isAttached = false
  /// The other end writes no more, or nothing more is taken from it.
  var isInputOver = false
  /// Ended as soon as what waits has been written.
  var isEnding = false
  /// When it is closed, ready or not, in seconds of the thread's clock.
  var deadline: Double?
  private var writing: [UInt8] = []
  private var written = 0

  init(number: Int, descriptor: Int32) {
    self.number = number
    self.descriptor = descriptor
  }

  enum Reading {
    case bytes([UInt8])
    case nothing
    /// Nothing more comes.
    case over
    case broken
  }

  mutating func read() -> Reading {
    var count = 0
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { room, initialized in
      repeat {
        count = recv(descriptor, room.baseAddress, room.count, 0)
      } while count < 0
        && errno == EINTR
      failure = errno
      initialized = max(0, count)
    }
    if count > 0 { return .bytes(bytes) }
    if count == 0 { return .over }
    return failure == EAGAIN ? .nothing : .broken
  }

  var hasSomethingToWrite: Bool { written < writing.count }

  mutating func write(next bytes: [UInt8]) {
    writing = bytes
    written = 0
  }

  /// Writes what the socket takes; how many bytes, nil where the other end is gone.
  mutating func write() -> Int? {
    let start = written
    while written < writing.count {
      let count = writing.withUnsafeBytes {
        send(
          descriptor, $0.baseAddress.map { $0 + written }, writing.count - written,
          Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        break
      } else if errno != EINTR {
        return nil
      }
    }
    return written - start
  }
}
