import TideSystem

/// A client that sends what it likes, over a connection to this machine.
package final class RawClient {
  private let descriptor: Int32
  private var received: [UInt8] = []

  package struct Failure: Error {}

  package init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 5, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    if !isConnected { throw Failure() }
  }

  deinit { close(descriptor) }

  /// Sends as much as is taken; false where the connection is gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        TideSystem.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  @discardableResult
  package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Reads once; false at the end, and where nothing comes for seconds.
  private func receive() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    var count = recv(descriptor, &buffer, buffer.count, 0)
    // A call with a time limit is not restarted after a signal.
    while count < 0, errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
    if count <= 0 { return false }
    received += buffer.prefix(count)
    return true
  }

  /// Everything up to the end of the connection, or as long as something comes.
  package func rest() -> String {
    while receive() {}
    return String(decoding: received, as: UTF8.self)
  }

  package var isClosed: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 0
  }

  /// The head of an answer.
  package func head() -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let index = received.firstRange(of: end)?.upperBound {
        let head = String(decoding: received[..<index], as: UTF8.self)
        received.removeFirst(index)
        return head
      }
      if !receive() { return String(decoding: received, as: UTF8.self) }
    }
  }

  // MARK: WebSocket

  /// A frame as clients send it, masked.
  package static func frame(
    _ payload: [UInt8], opcode: UInt8 = 1, isFinal: Bool = true, length: Int? = nil,
    isMasked: Bool = true
  ) -> [UInt8] {
    let length = length ?? payload.count
    var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | opcode]
    let mark: UInt8 = isMasked ? 0x80 : 0
    if length < 126 {
      bytes.append(mark | UInt8(length))
    } else if length < 65536 {
      bytes += [mark | 126, UInt8(length >> 8), UInt8(length & 0xFF)]
    } else {
      bytes.append(mark | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: length >> shift))
      }
    }
    if isMasked { bytes += [0, 0, 0, 0] }
    return bytes + payload
  }

  package func say(_ text: String) { send(Self.frame(Array(text.utf8))) }

  /// Whether something has come that was not read.
  package var hasInput: Bool {
    if !received.isEmpty { return true }
    var watch = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watch, 1, 0) > 0
  }

  /// The code and the reason with which the server has closed the connection, when `message` has
  /// read it.
  package private(set) var closing: (code: Int, reason: String)?

  /// The payload of the next frame; nil where none comes.
  package func message() -> String? {
    while true {
      if let (opcode, payload) = takeFrame() {
        if opcode == 1 { return String(decoding: payload, as: UTF8.self) }
        if opcode == 8 {
          closing = (
            payload.prefix(2).reduce(0) { $0 << 8 | Int($1) },
            String(decoding: payload.dropFirst(2), as: UTF8.self)
          )
          return nil
        }
        continue
      }
      if !receive() { return nil }
    }
  }

  private func takeFrame() -> (opcode: UInt8, payload: [UInt8])? {
    guard received.count >= 2 else { return nil }
    var length = Int(received[1] & 0x7F)
    var start = 2
    if length == 126 || length == 127 {
      let count = length == 126 ? 2 : 8
      guard received.count >= 2 + count else { return nil }
      length = received[2..<2 + count].reduce(0) { $0 << 8 | Int($1) }
      start = 2 + count
    }
    guard received.count >= start + length else { return nil }
    let frame = (received[0] & 0x0F, Array(received[start..<start + length]))
    received.removeFirst(start + length)
    return frame
  }
}
