import NIOCore
import TideSystem

/// Operations for pages, as they are sent: encoded once, for however many viewers.
struct PageMessage: Sendable {
  let bytes: ByteBuffer
  /// Of a last message, why nothing more will come.
  private(set) var text: String?

  /// Says why nothing more will come.
  static func end(_ text: String) -> Self {
    var wire = WireText()
    wire.raw("[\"end\",\(text.quotedForJSON)]")
    var message = Self(wire)
    message.text = text
    return message
  }

  init(_ operations: WireText) { bytes = ByteBuffer(string: "[\(operations.text)]") }

  /// Takes one that a worker has made, and that was checked.
  init(checked bytes: [UInt8]) { self.bytes = ByteBuffer(bytes: bytes) }
}
