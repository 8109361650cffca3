import NIOCore

/// Operations for pages, as they are sent: encoded once, for however many viewers.
struct PageMessage: Sendable {
  let bytes: ByteBuffer

  init(_ operations: WireText) { bytes = ByteBuffer(string: "[\(operations.text)]") }
}
