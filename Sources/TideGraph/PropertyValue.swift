public import CTideSlots

/// A Swift type that a slot can hold: integers, floating-point numbers, booleans, strings,
/// optionals of these, raw-valued enumerations, and observable objects.
public protocol PropertyValue: SendableMetatype {
  /// What an empty or foreign slot reads as.
  static func load(_ slot: Slot) -> Self
  /// Writes the value into a slot; true when it differs from the one before.
  @discardableResult
  static func store(_ value: consuming Self, in slot: Slot) -> Bool
  /// The `TIDE_TYPE_*` that scripts and conversions go by.
  static var slotType: UInt8 { get }
  /// Whether not every value of the slot's type is valid, as for an enumeration with raw values.
  /// Values that scripts and bindings write are then checked with ``admits(_:)`` first.
  static var isRestricted: Bool { get }
  /// Whether a value of the slot's type is valid for this type.
  static func admits(_ value: Value) -> Bool
}

extension PropertyValue {
  public static var isRestricted: Bool { false }
  public static func admits(_ value: Value) -> Bool { true }
}

extension Int: PropertyValue {
  @inlinable @inline(__always)
  public static func load(_ slot: Slot) -> Int {
    _fastPath(slot.pointee.tag == Tag.integer)
      ? Int(Int64(bitPattern: slot.pointee.lo)) : slot.convertedInteger()
  }
  @inlinable @inline(__always)
  public static func store(_ value: Int, in slot: Slot) -> Bool {
    slot.store(Tag.integer, UInt64(bitPattern: Int64(value)))
  }
  @inlinable public static var slotType: UInt8 { UInt8(TIDE_TYPE_INTEGER) }
}

extension Double: PropertyValue {
  @inlinable @inline(__always)
  public static func load(_ slot: Slot) -> Double {
    _fastPath(slot.pointee.tag == Tag.number)
      ? Double(bitPattern: slot.pointee.lo) : slot.convertedNumber()
  }
  @inlinable @inline(__always)
  public static func store(_ value: Double, in slot: Slot) -> Bool { slot.storeNumber(value) }
  @inlinable public static var slotType: UInt8 { UInt8(TIDE_TYPE_NUMBER) }
}

extension Bool: PropertyValue {
  @inlinable @inline(__always)
  public static func load(_ slot: Slot) -> Bool {
    slot.pointee.tag == Tag.boolean && slot.pointee.lo != 0
  }
  @inlinable @inline(__always)
  public static func store(_ value: Bool, in slot: Slot) -> Bool {
    slot.store(Tag.boolean, value ? 1 : 0)
  }
  @inlinable public static var slotType: UInt8 { UInt8(TIDE_TYPE_BOOLEAN) }
}

extension String: PropertyValue {
  @inlinable @inline(__always)
  public static func load(_ slot: Slot) -> String {
    _fastPath(slot.pointee.tag == Tag.string) ? slot.text.pointee : slot.repairedText()
  }
  @inlinable @inline(__always)
  public static func store(_ value: consuming String, in slot: Slot) -> Bool {
    slot.storeText(value)
  }
  @inlinable public static var slotType: UInt8 { UInt8(TIDE_TYPE_STRING) }
}

extension Float: PropertyValue {
  public static func load(_ slot: Slot) -> Float { Float(Double.load(slot)) }
  public static func store(_ value: Float, in slot: Slot) -> Bool {
    Double.store(Double(value), in: slot)
  }
  public static var slotType: UInt8 { UInt8(TIDE_TYPE_NUMBER) }
  public static var isRestricted: Bool { true }
  /// A number beyond its range would read as infinity.
  public static func admits(_ value: Value) -> Bool {
    switch value {
    case .integer: true
    case .number(let number): !number.isFinite || Float(number).isFinite
    default: false
    }
  }
}

extension Value: PropertyValue {
  @inlinable
  public static func load(_ slot: Slot) -> Value { slot.load() }
  @inlinable
  public static func store(_ value: consuming Value, in slot: Slot) -> Bool { slot.store(value) }
  public static var slotType: UInt8 { UInt8(TIDE_TYPE_ANY | TIDE_NULLABLE) }
}

extension Optional: PropertyValue where Wrapped: PropertyValue {
  @inlinable
  public static func load(_ slot: Slot) -> Wrapped? {
    slot.pointee.tag == Tag.null ? nil : Wrapped.load(slot)
  }
  @inlinable
  public static func store(_ value: consuming Wrapped?, in slot: Slot) -> Bool {
    guard let value else { return slot.store(Tag.null, 0) }
    return Wrapped.store(value, in: slot)
  }
  @inlinable
  public static var slotType: UInt8 { Wrapped.slotType | UInt8(TIDE_NULLABLE) }
  public static var isRestricted: Bool { Wrapped.isRestricted }
  public static func admits(_ value: Value) -> Bool { value == .null || Wrapped.admits(value) }
}

extension PropertyValue where Self: RawRepresentable, RawValue: PropertyValue {
  public static func load(_ slot: Slot) -> Self {
    guard let value = Self(rawValue: RawValue.load(slot)) else {
      preconditionFailure("a property of \(Self.self) holds \(RawValue.load(slot))")
    }
    return value
  }
  public static func store(_ value: consuming Self, in slot: Slot) -> Bool {
    RawValue.store(value.rawValue, in: slot)
  }
  public static var slotType: UInt8 { RawValue.slotType }
  public static var isRestricted: Bool { true }
  public static func admits(_ value: Value) -> Bool {
    if case .null = value { return false }
    let graph = Graph.current
    let scratch = graph.makeSource(value)
    defer { graph.dispose(scratch) }
    return Self(rawValue: RawValue.load(scratch)) != nil
  }
}

extension PropertyValue where Self: Block {
  public static func load(_ slot: Slot) -> Self {
    guard case .object(let object) = slot.load(), let value = object as? Self else {
      preconditionFailure("a property of \(Self.self) holds no object")
    }
    return value
  }
  public static func store(_ value: consuming Self, in slot: Slot) -> Bool {
    slot.store(.object(value))
  }
  public static var slotType: UInt8 { UInt8(TIDE_TYPE_OBJECT) }
  public static var isRestricted: Bool { true }
  public static func admits(_ value: Value) -> Bool {
    if case .object(let object) = value { object is Self } else { false }
  }
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

  /// Text that is not UTF-8 is shown with replacement characters; the slot keeps its bytes.
  @usableFromInline @inline(never)
  func repairedText() -> String {
    switch load() {
    case .string(let string): string
    case .bytes(let bytes): .repaired(bytes)
    default: ""
    }
  }
}
