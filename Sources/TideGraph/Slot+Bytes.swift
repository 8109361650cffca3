import CTideSlots

// Text has two forms: what Swift wrote is a Swift string, what Lua wrote is a counted buffer. The
// tag says who wrote last; Swift's first read turns a buffer into a string in place.

extension Slot {
  var bytesPointer: UnsafeMutablePointer<TideBytes>? {
    UnsafeMutablePointer<TideBytes>(bitPattern: UInt(pointee.lo))
  }

  /// The bytes of a buffer, as long as the slot is not written.
  package var rawBytes: UnsafeRawBufferPointer {
    guard let buffer = bytesPointer else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let start = UnsafeRawPointer(buffer) + MemoryLayout<TideBytes>.size
    return UnsafeRawBufferPointer(start: start, count: Int(buffer.pointee.count))
  }

  /// Turns a buffer into a Swift string in place; false when it is not UTF-8 and must stay.
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
