import TideBindings
import TideSystem

/// The server's end of one connection, on the socket thread.
struct Connection {
  let number: Int
  let descriptor: Int32
  var lines = LineBuffer()
  /// Whether the client has asked for a session.
  var isAttached = false
  /// Whether the client has closed its end, or its input is no longer read.
  var isInputOver = false
  /// Whether the connection closes once its pending bytes are written.
  var isEnding = false
  /// The time at which the connection is closed in any case, in seconds of the thread's clock.
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
    /// End of input.
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

  /// Writes as much as the socket accepts. Returns the number of bytes, or nil if the peer is gone.
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
