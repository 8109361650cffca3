import NIOCore
import TideSystem

/// The operations of one message to pages, encoded once for all viewers.
struct PageMessage: Sendable {
  let bytes: ByteBuffer
  /// The reason, if this is the last message of a connection.
  private(set) var text: String?

  /// The last message of a connection, with the reason for its end.
  static func end(_ text: String) -> Self {
    var wire = WireText()
    wire.raw("[\"end\",\(text.quotedForJSON)]")
    var message = Self(wire)
    message.text = text
    return message
  }

  init(_ operations: WireText) { bytes = ByteBuffer(string: "[\(operations.text)]") }

  /// Wraps the bytes of a worker's message, which has been checked.
  init(checked bytes: [UInt8]) { self.bytes = ByteBuffer(bytes: bytes) }
}
