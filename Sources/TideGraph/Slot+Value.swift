public import CTideSlots

extension Slot {
  @inlinable @inline(__always)
  var text: UnsafeMutablePointer<String> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: String.self)
  }

  @inlinable @inline(__always)
  package var reference: Unmanaged<AnyObject>? {
    UnsafeRawPointer(bitPattern: UInt(pointee.lo)).map { Unmanaged.fromOpaque($0) }
  }

  /// The stored value, without recording the read and without evaluating.
  @inlinable
  package func load() -> Value {
    switch pointee.tag {
    case Tag.integer: return .integer(Int(Int64(bitPattern: pointee.lo)))
    case Tag.number: return .number(Double(bitPattern: pointee.lo))
    case Tag.boolean: return .boolean(pointee.lo != 0)
    case Tag.string: return .string(text.pointee)
    case Tag.null: return .null
    default: return loadSlowly()
    }
  }

  @usableFromInline @inline(never)
  func loadSlowly() -> Value {
    if pointee.tag == Tag.bytes {
      if adoptText() { return .string(text.pointee) }
      return .bytes(Array(rawBytes))
    }
    guard pointee.tag == Tag.object, let reference else { return .null }
    return .object(reference.takeUnretainedValue())
  }

  /// Stores a value. Returns true if the value changed.
  @inlinable
  package func store(_ value: consuming Value) -> Bool {
    switch value {
    case .integer(let integer): return store(Tag.integer, UInt64(bitPattern: Int64(integer)))
    case .number(let number): return storeNumber(number)
    case .boolean(let flag): return store(Tag.boolean, flag ? 1 : 0)
    case .string(let string): return storeText(string)
    case .null: return store(Tag.null, 0)
    case .bytes(let bytes): return storeBytes(bytes)
    case .object(let object): return storeObject(object)
    }
  }

  /// Stores a scalar. Returns true if the value changed.
  @inlinable @inline(__always)
  package func store(_ tag: UInt8, _ bits: UInt64) -> Bool {
    if pointee.tag == tag && pointee.lo == bits { return false }
    if _slowPath(pointee.tag != tag), equalsOrReleases(tag, bits) { return false }
    pointee.tag = tag
    pointee.lo = bits
    return true
  }

  /// Whether a scalar with another tag equals the stored number, which then stays as it is. A
  /// stored string, byte buffer or object is never equal, and is released.
  @usableFromInline @inline(never)
  func equalsOrReleases(_ tag: UInt8, _ bits: UInt64) -> Bool {
    if pointee.tag >= Tag.string {
      releasePayload()
    } else if tag == Tag.integer && pointee.tag == Tag.number {
      return Int(exactly: Double(bitPattern: pointee.lo)) == Int(Int64(bitPattern: bits))
    } else if tag == Tag.number && pointee.tag == Tag.integer {
      return Int(exactly: Double(bitPattern: bits)) == Int(Int64(bitPattern: pointee.lo))
    }
    return false
  }

  @inlinable @inline(__always)
  package func storeNumber(_ number: Double) -> Bool {
    if pointee.tag == Tag.number {
      let old = Double(bitPattern: pointee.lo)
      if old == number || (old.isNaN && number.isNaN) { return false }
      pointee.lo = number.bitPattern
      return true
    }
    return store(Tag.number, number.bitPattern)
  }

  @inlinable
  package func storeText(_ string: consuming String) -> Bool {
    if pointee.tag == Tag.string {
      if text.pointee == string, sameBytes(string) { return false }
      tide_payload_ends(self)
      text.pointee = string
      if _slowPath(pointee.cache != 0) { buryCache() }
      return true
    }
    if pointee.tag == Tag.bytes, holdsSameBytes(as: string) { return false }
    releasePayload()
    text.initialize(to: string)
    pointee.tag = Tag.string
    return true
  }

  /// Strings that compare as equal may differ in bytes, if one is composed and the other
  /// decomposed.
  @usableFromInline
  func sameBytes(_ string: String) -> Bool {
    text.pointee.utf8.elementsEqual(string.utf8)
  }

  @usableFromInline @inline(never)
  func storeObject(_ object: AnyObject) -> Bool {
    let opaque = Unmanaged.passUnretained(object)
    let bits = UInt64(UInt(bitPattern: opaque.toOpaque()))
    if pointee.tag == Tag.object && pointee.lo == bits { return false }
    if pointee.tag == Tag.object, let box = object as? AnyValueBox,
      let held = reference?.takeUnretainedValue() as? AnyValueBox, box.equals(held)
    {
      return false
    }
    _ = opaque.retain()
    releasePayload()
    pointee.tag = Tag.object
    pointee.lo = bits
    noteFirstSlot(of: object)
    return true
  }

  /// Copies another slot's value. Returns true if the value changed.
  @inlinable @inline(__always)
  package func copy(from other: Slot) -> Bool {
    if _fastPath(other.pointee.tag < Tag.string) {
      if other.pointee.tag == Tag.number {
        return storeNumber(Double(bitPattern: other.pointee.lo))
      }
      return store(other.pointee.tag, other.pointee.lo)
    }
    return copySlowly(from: other)
  }

  @usableFromInline @inline(never)
  func copySlowly(from other: Slot) -> Bool {
    if other.pointee.tag == Tag.bytes { return shareBytes(of: other) }
    return store(other.load())
  }

  /// Releases a string, bytes or an object, and leaves nil.
  @usableFromInline @inline(never)
  package func releasePayload() {
    let tag = pointee.tag
    if tag < Tag.string { return }
    tide_payload_ends(self)
    pointee.tag = Tag.null
    if pointee.cache != 0 { buryCache() }
    switch tag {
    case Tag.string:
      let old = text.move()
      pointee.lo = 0
      withExtendedLifetime(old) {}
    case Tag.bytes:
      let old = bytesPointer
      pointee.lo = 0
      if let old { tide_bytes_release(old) }
    default:
      let old = reference
      pointee.lo = 0
      pointee.hi = 0
      // Last, because the release may run a `deinit` that reads this slot.
      old?.release()
    }
  }

  /// Records the first slot of the stored object for the interpreter if the object is in this
  /// graph; otherwise records null.
  package func noteFirstSlot(of object: AnyObject) {
    let first = (object as? Block)?.firstSlot
    let isOwn = first.map { tide_arena_of($0) == tide_arena_of(self) && !$0.isUnjoined } ?? false
    pointee.hi = isOwn ? UInt64(UInt(bitPattern: first)) : 0
  }

  /// Removes an object from the slot without releasing it, and leaves nil.
  func takeObject() -> Unmanaged<AnyObject>? {
    guard pointee.tag == Tag.object, let held = reference else { return nil }
    pointee.tag = Tag.null
    pointee.lo = 0
    pointee.hi = 0
    if pointee.cache != 0 { buryCache() }
    return held
  }

  @usableFromInline @inline(never)
  func buryCache() {
    tide_arena_bury(tide_arena_of(self), pointee.cache)
    pointee.cache = 0
  }
}
