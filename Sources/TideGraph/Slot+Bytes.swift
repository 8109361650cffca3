import CTideSlots

// A string has two forms: Swift writes a Swift string, Lua a reference-counted buffer. The tag says
// which form the slot holds. Swift's first read converts a buffer to a string in place.

extension Slot {
  var bytesPointer: UnsafeMutablePointer<TideBytes>? {
    UnsafeMutablePointer<TideBytes>(bitPattern: UInt(pointee.lo))
  }

  /// The bytes of a buffer, valid until the slot is written.
  package var rawBytes: UnsafeRawBufferPointer {
    guard let buffer = bytesPointer else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = UnsafeRawPointer(buffer) + MemoryLayout<TideBytes>.size
    return UnsafeRawBufferPointer(start: start, count: Int(buffer.pointee.count))
  }

  /// Converts a buffer to a Swift string in place. Returns false if it is not UTF-8; the buffer
  /// then stays.
  package func adoptText() -> Bool {
    guard let string = String(exactly: rawBytes) else { return false }
    let old = bytesPointer
    text.initialize(to: string)
    pointee.tag = Tag.string
    if let old { tide_bytes_release(old) }
    return true
  }

  @usableFromInline
  func holdsSameBytes(as string: String) -> Bool {
    let bytes = rawBytes
    return string.utf8.count == bytes.count && string.utf8.elementsEqual(bytes)
  }

  @usableFromInline
  func storeBytes(_ bytes: [UInt8]) -> Bool {
    if pointee.tag == Tag.bytes, rawBytes.elementsEqual(bytes) { return false }
    if let string = bytes.withUnsafeBytes({ String(exactly: $0) }) { return storeText(string) }
    releasePayload()
    let made = bytes.withUnsafeBytes { buffer in
      tide_bytes_make(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(buffer.count))
    }
    guard let made else { return true }
    pointee.tag = Tag.bytes
    pointee.lo = UInt64(UInt(bitPattern: made))
    return true
  }

  func shareBytes(of other: Slot) -> Bool {
    guard let shared = other.bytesPointer else { return store(Tag.null, 0) }
    switch pointee.tag {
    case Tag.bytes:
      if pointee.lo == other.pointee.lo || rawBytes.elementsEqual(other.rawBytes) { return false }
    case Tag.string:
      if other.holdsSameBytes(as: text.pointee) { return false }
    default: break
    }
    shared.pointee.references += 1
    releasePayload()
    pointee.tag = Tag.bytes
    pointee.lo = other.pointee.lo
    return true
  }
}
