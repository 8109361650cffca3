public import CTideSlots
@_exported public import TideValues

// How slots store values of Swift types. The most common types are read and written in place. If
// the compiler knows the type, it removes the branches.

extension TideConvertible {
  /// Reads a slot's value. A slot that was never written reads as the type's empty value.
  @inlinable @inline(__always)
  package static func load(_ slot: Slot) -> Self {
    if Self.self == Int.self { return unsafeBitCast(slot.integer, to: Self.self) }
    if Self.self == Double.self { return unsafeBitCast(slot.number, to: Self.self) }
    if Self.self == Bool.self { return unsafeBitCast(slot.flag, to: Self.self) }
    if Self.self == String.self { return unsafeBitCast(slot.string, to: Self.self) }
    if Self.self == Value.self { return unsafeBitCast(slot.load(), to: Self.self) }
    if Self.self == Int?.self {
      return unsafeBitCast(slot.isNull ? nil : Int?.some(slot.integer), to: Self.self)
    }
    if Self.self == Double?.self {
      return unsafeBitCast(slot.isNull ? nil : Double?.some(slot.number), to: Self.self)
    }
    if Self.self == Bool?.self {
      return unsafeBitCast(slot.isNull ? nil : Bool?.some(slot.flag), to: Self.self)
    }
    if Self.self == String?.self {
      return unsafeBitCast(slot.isNull ? nil : String?.some(slot.string), to: Self.self)
    }
    return loadConverted(slot)
  }

  /// Writes the value to a slot. Returns true if the value changed.
  @inlinable @inline(__always) @discardableResult
  package static func store(_ value: consuming Self, in slot: Slot) -> Bool {
    if Self.self == Int.self {
      let integer = unsafeBitCast(value, to: Int.self)
      return slot.store(Tag.integer, UInt64(bitPattern: Int64(integer)))
    }
    if Self.self == Double.self {
      return slot.storeNumber(unsafeBitCast(value, to: Double.self))
    }
    if Self.self == Bool.self {
      return slot.store(Tag.boolean, unsafeBitCast(value, to: Bool.self) ? 1 : 0)
    }
    if Self.self == String.self { return slot.storeText(unsafeBitCast(value, to: String.self)) }
    if Self.self == Value.self { return slot.store(unsafeBitCast(value, to: Value.self)) }
    if Self.self == Int?.self {
      guard let integer = unsafeBitCast(value, to: Int?.self) else { return slot.storeNull() }
      return slot.store(Tag.integer, UInt64(bitPattern: Int64(integer)))
    }
    if Self.self == Double?.self {
      guard let number = unsafeBitCast(value, to: Double?.self) else { return slot.storeNull() }
      return slot.storeNumber(number)
    }
    if Self.self == Bool?.self {
      guard let flag = unsafeBitCast(value, to: Bool?.self) else { return slot.storeNull() }
      return slot.store(Tag.boolean, flag ? 1 : 0)
    }
    if Self.self == String?.self {
      guard let string = unsafeBitCast(value, to: String?.self) else { return slot.storeNull() }
      return slot.storeText(string)
    }
    return slot.store(value.held)
  }

  /// The `TIDE_TYPE_*` constant of the type, for scripts and conversions.
  package static var slotType: UInt8 {
    valueType.rawValue | (isNullable ? UInt8(TIDE_NULLABLE) : 0)
  }

  /// Whether only some values of the slot's type are valid, as for an enumeration with raw values.
  /// Values that scripts and bindings write are then converted before they are stored.
  package static var isRestricted: Bool {
    !(Self.self == Int.self || Self.self == Double.self || Self.self == Bool.self
      || Self.self == String.self || Self.self == Value.self || Self.self == Int?.self
      || Self.self == Double?.self || Self.self == Bool?.self || Self.self == String?.self)
  }

  @usableFromInline @inline(never)
  static func loadConverted(_ slot: Slot) -> Self {
    let value = slot.load()
    if let found = try? held(value) { return found }
    // Every written value has been converted, so this slot was never written.
    for empty in [Value.null, 0, "", false] {
      if let found = try? from(empty) { return found }
    }
    if let first = (Self.self as? any CaseIterable.Type)?.firstCase as? Self { return first }
    preconditionFailure("a property of \(Self.self) holds \(value)")
  }
}

extension CaseIterable {
  fileprivate static var firstCase: Any? { allCases.first }
}

/// The former name of `TideConvertible`, from when it was only for properties.
@available(*, deprecated, message: "conform to TideConvertible")
public protocol PropertyValue: TideConvertible {}

extension Slot {
  @inlinable @inline(__always)
  var integer: Int {
    _fastPath(pointee.tag == Tag.integer)
      ? Int(Int64(bitPattern: pointee.lo)) : convertedInteger()
  }

  @inlinable @inline(__always)
  var number: Double {
    _fastPath(pointee.tag == Tag.number)
      ? Double(bitPattern: pointee.lo) : convertedNumber()
  }

  @inlinable @inline(__always)
  var flag: Bool { pointee.tag == Tag.boolean && pointee.lo != 0 }

  @inlinable @inline(__always)
  var string: String {
    _fastPath(pointee.tag == Tag.string) ? text.pointee : repairedText()
  }

  @inlinable @inline(__always)
  var isNull: Bool { pointee.tag == Tag.null }

  @inlinable @inline(__always)
  func storeNull() -> Bool { store(Tag.null, 0) }
}

extension Slot {
  @usableFromInline @inline(never)
  func convertedInteger() -> Int {
    switch load() {
    case .number(let number): Int(exactly: number.rounded(.towardZero)) ?? 0
    case .boolean(let flag): flag ? 1 : 0
    default: 0
    }
  }

  @usableFromInline @inline(never)
  func convertedNumber() -> Double {
    pointee.tag == Tag.integer ? Double(Int64(bitPattern: pointee.lo)) : 0
  }

  /// The string with replacement characters if it is not UTF-8; the slot keeps its bytes.
  @usableFromInline @inline(never)
  func repairedText() -> String {
    switch load() {
    case .string(let string): string
    case .bytes(let bytes): .repaired(bytes)
    default: ""
    }
  }
}
