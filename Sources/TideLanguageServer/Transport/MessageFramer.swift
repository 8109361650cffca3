import TideSystem

/// Splits a stream of bytes into messages of the base protocol.
///
/// ```
/// Content-Length: 17\r\n
/// \r\n
/// {"jsonrpc":"2.0"}
/// ```
///
/// Header lines may end with LF alone, as hand-written clients send them. Fields other than
/// `Content-Length` are ignored. After an invalid header the start of the next message is unknown,
/// so the connection ends.
package struct MessageFramer {
  package struct Fault: Error, Equatable {
    package let message: String
  }

  /// The maximum size of a header, in bytes.
  package static let headerLimit = 4 << 10
  /// The maximum size of a message, in bytes.
  package static let messageLimit = 64 << 20

  private var header: [UInt8] = []
  private var message: [UInt8] = []
  /// The size of the message being read; nil within a header.
  private var length: Int?

  package init() {}

  /// Whether the bytes so far end with a complete message.
  package var isBetweenMessages: Bool { length == nil && header.isEmpty }

  /// Calls a function with each message that the bytes complete.
  package mutating func add(
    _ bytes: UnsafeRawBufferPointer, _ body: ([UInt8]) -> Void
  ) throws(Fault) {
    var rest = bytes[...]
    while true {
      if let length {
        let part = rest.prefix(length - message.count)
        message.append(contentsOf: part)
        rest = rest.dropFirst(part.count)
        if message.count < length { return }
        body(message)
        message = []
        self.length = nil
      } else if let byte = rest.popFirst() {
        header.append(byte)
        if byte == UInt8(ascii: "\n") && Self.isComplete(header) {
          length = try Self.length(in: header)
          header = []
          message.reserveCapacity(min(length ?? 0, 1 << 20))
        } else if header.count >= Self.headerLimit {
          throw Fault(message: "a message's header has more than \(Self.headerLimit) bytes")
        }
      } else {
        return
      }
    }
  }

  /// A message with its header.
  package static func frame(_ message: [UInt8]) -> [UInt8] {
    Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
  }

  private static func isComplete(_ header: [UInt8]) -> Bool {
    header == [0x0a] || header == [0x0d, 0x0a] || header.suffix(2) == [0x0a, 0x0a]
      || header.suffix(4) == [0x0d, 0x0a, 0x0d, 0x0a]
  }

  private static func length(in header: [UInt8]) throws(Fault) -> Int {
    var length: Int?
    for line in header.split(whereSeparator: { $0 == 0x0a || $0 == 0x0d }) {
      let text = String(decoding: line, as: UTF8.self)
      guard let colon = text.firstIndex(of: ":") else {
        throw Fault(message: "a message's header has a line without a colon: \(shortened(text))")
      }
      guard trimmed(text[..<colon]).lowercased() == "content-length" else { continue }
      let value = trimmed(text[text.index(after: colon)...])
      guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(value) else {
        throw Fault(message: "invalid Content-Length: \(shortened(value))")
      }
      guard number <= messageLimit else {
        throw Fault(
          message: "a message has \(number) bytes; at most \(messageLimit >> 20) MiB are read")
      }
      length = number
    }
    guard let length else { throw Fault(message: "a message's header lacks Content-Length") }
    return length
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { String(start[...$0]) } ?? ""
  }

  private static func shortened(_ text: String) -> String {
    text.count > 60 ? text.prefix(60) + "…" : text
  }
}
