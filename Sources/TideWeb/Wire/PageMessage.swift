import NIOCore
import TideSystem

/// Operations for pages, as they are sent: encoded once, for however many viewers.
struct PageMessage: Sendable {
  let bytes: ByteBuffer

  /// Says why nothing more will come.
  static func end(_ text: String) -> Self {
    var wire = WireText()
    wire.raw("[\"end\",\(text.quotedForJSON)]")
    return Self(wire)
  }

  init(_ operations: WireText) { bytes = ByteBuffer(string: "[\(operations.text)]") }
}
