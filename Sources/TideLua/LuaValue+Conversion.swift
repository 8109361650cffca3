import CTideLua
public import TideValues

// Conversions between the interpreter's values and the values used by Swift types.

extension TideConvertible {
  /// Converts a script's value. A missing value is nil.
  ///
  /// - Throws: `ValueMismatch` if the value does not fit; other errors are passed through.
  public static func fromLua(_ value: LuaValue) throws -> Self {
    if Self.self == LuaValue.self { return unsafeBitCast(value, to: Self.self) }
    return try from(value.neutral)
  }

  /// Converts to a Lua value.
  ///
  /// - Throws: `ValueMismatch` if Lua cannot represent the value, `LuaError` if it cannot be
  ///   created.
  public func toLua(in state: LuaState) throws -> LuaValue {
    if Self.self == LuaValue.self { return unsafeBitCast(self, to: LuaValue.self) }
    return try state.lower(try toValue())
  }
}

extension LuaValue {
  /// The value for conversion to Swift types; references to Lua objects become objects.
  var neutral: Value {
    switch self {
    case .nil: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(integer)
    case .number(let number): .number(number)
    case .string(let string): .string(string)
    case .bytes(let bytes): .bytes(bytes)
    case .table(let table): .object(table)
    case .function(let function): .object(function)
    case .thread(let thread): .object(thread)
    case .userdata(let userdata): .object(userdata)
    case .object(let object): .object(object.block ?? DisposedObject.shared)
    }
  }
}

extension LuaValue {
  /// Converts a value; `lower` converts objects.
  @inlinable @inline(__always)
  package init(_ value: Value, object lower: (AnyObject) throws -> LuaValue) rethrows {
    switch value {
    case .null: self = .nil
    case .boolean(let flag): self = .boolean(flag)
    case .integer(let integer): self = .integer(integer)
    case .number(let number): self = .number(number)
    case .string(let string): self = .string(string)
    case .bytes(let bytes): self = .bytes(bytes)
    case .object(let object): self = try lower(object)
    }
  }

  /// The Lua value for a reference object such as `LuaTable`; nil for other Swift objects.
  @inlinable @inline(__always)
  package init?(kept object: AnyObject) {
    switch object {
    case let table as LuaTable: self = .table(table)
    case let function as LuaFunction: self = .function(function)
    case let thread as LuaThread: self = .thread(thread)
    case let userdata as LuaUserdata: self = .userdata(userdata)
    default: return nil
    }
  }

  /// The bytes of a string.
  var utf8: [UInt8]? { neutral.utf8 }
}

extension LuaObject {
  /// The Swift object with this header, while it exists.
  fileprivate var block: AnyObject? {
    guard isAlive else { return nil }
    return UnsafeRawPointer(bitPattern: UInt(header.pointee.lo)).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension LuaState {
  /// Converts a value for scripts.
  package func lower(_ value: Value) throws -> LuaValue { try LuaValue(value) { try lower($0) } }

  private func lower(_ object: AnyObject) throws -> LuaValue {
    if let value = LuaValue(kept: object) { return value }
    switch object {
    case let box as AnyValueBox: return try lower(box, isHeld: false)
    case let late as LateLuaValue: return try late.make(self)
    default:
      if let lowerObject { return try lowerObject(object) }
      if let object = object as? any SlotOwner { return .object(LuaObject(owner: object)) }
      return .userdata(try userdata(for: object, metatable: metatable(for: object)))
    }
  }

  /// - Parameter isHeld: whether an object contains the value, so that scripts get a copy.
  func lower(_ box: AnyValueBox, isHeld: Bool = false) throws -> LuaValue {
    func lowered(_ element: Value) throws -> LuaValue {
      if isHeld, case .object(let object) = element {
        if let inner = object as? AnyValueBox { return try lower(inner, isHeld: true) }
        (object as? AnyLuaCell)?.becomeElement()
      }
      return try lower(element)
    }
    if let integers = (box as? ValueBox<[Int]>)?.content {
      return try lower(integers) { .integer($0) }
    }
    if let numbers = (box as? ValueBox<[Double]>)?.content {
      return try lower(numbers) { .number($0) }
    }
    switch try box.form() {
    case .sequence(let elements):
      if let value = try lower(scalars: elements) { return value }
      let table = try table(array: elements.count)
      for (index, element) in elements.enumerated() {
        try table.rawSet(.integer(index + 1), try lowered(element))
      }
      return .table(table)
    case .entries(let entries):
      if let value = try lower(scalars: entries) { return value }
      let table = try table(fields: entries.count)
      for (key, value) in entries { try table.rawSet(try lower(key), try lowered(value)) }
      return .table(table)
    case .encodable(let content): return try encode(content)
    }
  }

  /// Creates a sequence of numbers with one call into Lua.
  private func lower<Element>(
    _ elements: [Element], _ encode: (Element) -> EncodedValue
  ) throws -> LuaValue {
    var tape = OutgoingTape()
    let start = tape.begin(fields: 0, elements: elements.count)
    tape.cells.reserveCapacity(elements.count + 1)
    for element in elements { encode(element).lay(on: &tape) }
    tape.end(start)
    return try tape.write(in: self)
  }

  /// Creates a sequence with one call into Lua; nil if an element is an object.
  private func lower(scalars elements: [Value]) throws -> LuaValue? {
    var tape = OutgoingTape()
    let start = tape.begin(fields: 0, elements: elements.count)
    for element in elements {
      guard let scalar = EncodedValue(scalar: element) else { return Optional.none }
      scalar.lay(on: &tape)
    }
    tape.end(start)
    return try tape.write(in: self)
  }

  /// Creates a table with one call into Lua; nil if a key or value is an object.
  private func lower(scalars entries: [(key: Value, value: Value)]) throws -> LuaValue? {
    var tape = OutgoingTape()
    let start = tape.begin(fields: entries.count, elements: 0)
    for entry in entries {
      guard let key = EncodedValue(scalar: entry.key), let value = EncodedValue(scalar: entry.value)
      else { return Optional.none }
      key.lay(on: &tape)
      value.lay(on: &tape)
    }
    tape.end(start)
    return try tape.write(in: self)
  }
}

extension LuaObject {
  fileprivate init(owner: any SlotOwner) {
    self.init(owner.slotAddress.assumingMemoryBound(to: TideSlot.self))
  }
}

// Lua values and references convert to themselves.

extension LuaValue: TideConvertible {
  /// True: nil is a Lua value.
  public static var isNullable: Bool { true }

  /// Converts to a Lua value.
  ///
  /// - Throws: `ValueMismatch` for an object that Lua cannot represent.
  public static func from(_ value: Value) throws -> LuaValue {
    try LuaValue(value) { object in
      if let value = LuaValue(kept: object) { return value }
      if let owner = object as? any SlotOwner { return .object(LuaObject(owner: owner)) }
      throw ValueMismatch.unsuitable("\(type(of: object)) is not a Lua value")
    }
  }

  /// The value without Lua's types; tables, functions, coroutines and userdata become objects.
  public func toValue() -> Value { neutral }
}

extension LuaTable: TideConvertible {
  /// Returns the table in the value.
  ///
  /// - Throws: `ValueMismatch` for other values.
  public static func from(_ value: Value) throws -> Self { try reference(value, "table") }
}

extension LuaFunction: TideConvertible {
  /// Returns the function in the value.
  ///
  /// - Throws: `ValueMismatch` for other values.
  public static func from(_ value: Value) throws -> Self { try reference(value, "function") }
}

extension LuaThread: TideConvertible {
  /// Returns the coroutine in the value.
  ///
  /// - Throws: `ValueMismatch` for other values.
  public static func from(_ value: Value) throws -> Self { try reference(value, "coroutine") }
}

extension LuaUserdata: TideConvertible {
  /// Returns the userdata in the value.
  ///
  /// - Throws: `ValueMismatch` for other values.
  public static func from(_ value: Value) throws -> Self { try reference(value, "userdata") }
}

extension TideConvertible where Self: LuaReference {
  fileprivate static func reference(_ value: Value, _ kind: String) throws -> Self {
    guard case .object(let object) = value, let found = object as? Self else {
      throw ValueMismatch.expected(kind, got: value)
    }
    return found
  }
}

extension LuaObject: TideConvertible {
  /// Returns the data object in the value, without retaining it.
  ///
  /// - Throws: `ValueMismatch` for other values.
  public static func from(_ value: Value) throws -> LuaObject {
    guard case .object(let owner as any SlotOwner) = value else {
      throw ValueMismatch.expected("data object", got: value)
    }
    return LuaObject(owner: owner)
  }

  /// The data object itself. If it no longer exists, an object that converts to no type.
  public func toValue() -> Value { LuaValue.object(self).neutral }
}

// The names in messages, and the objects behind values.

extension LuaFunction: NamedKind { package var kindName: String { "function" } }
extension LuaTable: NamedKind { package var kindName: String { "table" } }
extension LuaThread: NamedKind { package var kindName: String { "coroutine" } }
extension LuaUserdata: NamedKind { package var kindName: String { "userdata" } }

extension LuaUserdata: ObjectStandIn { package var standsFor: AnyObject? { object } }

extension LuaTable: ElementSource {
  /// The elements of a table that is purely a sequence.
  ///
  /// - Throws: `ValueMismatch` for a table with gaps or other keys, whose values would be lost.
  package func sequenceValues() throws -> [Value] {
    // Nested tables are read separately below.
    var options = LuaCodingOptions()
    options.maximumDepth = 1
    let state = try open()
    // The tape and the values each copy the strings, and both copies count.
    return try state.gather {
      let tape = try Tape(of: .table(self), with: options)
      if tape.fieldCount(0) > 0 {
        throw ValueMismatch.unsuitable(
          "sequence expected, got a table with key \(tape.written(keyAt: 1))")
      }
      return try (0..<tape.elementCount(0)).map { index in
        let bytes = tape.textCount(index + 1)
        if bytes > 0, !tide_memory_fits(state.raw, UInt64(bytes)) { throw LuaError.memory }
        if let scalar = tape.scalar(index + 1) { return scalar }
        let element = try rawGet(.integer(index + 1))
        // A sealed table is an empty proxy; its elements are read through its metatable.
        return element.isNil ? try self[.integer(index + 1)].neutral : element.neutral
      }
    }
  }
}

extension LuaTable {
  /// The elements of a table that is purely a sequence of numbers.
  package func numbers<Element>(as type: Element.Type) throws -> [Element]? {
    guard type == Int.self || type == Double.self else { return nil }
    var options = LuaCodingOptions()
    options.maximumDepth = 1
    return try open().gather {
      let tape = try Tape(of: .table(self), with: options)
      if tape.fieldCount(0) > 0 { return nil }
      if type == Int.self { return tape.integers.map { unsafeBitCast($0, to: [Element].self) } }
      return tape.numbers.map { unsafeBitCast($0, to: [Element].self) }
    }
  }
}

extension Tape {
  /// The elements of a sequence of integers; nil if an element is anything else.
  fileprivate var integers: [Int]? {
    let count = elementCount(0)
    var found: [Int] = []
    found.reserveCapacity(count)
    for index in 0..<count {
      let cell = cell(index + 1)
      guard cell.pointee.tag == UInt32(TIDE_LUA_INTEGER) else { return nil }
      found.append(Int(cell.pointee.integer))
    }
    return found
  }

  /// The elements of a sequence of numbers; nil if an element is anything else, or an integer that
  /// a `Double` cannot represent.
  fileprivate var numbers: [Double]? {
    let count = elementCount(0)
    var found: [Double] = []
    found.reserveCapacity(count)
    for index in 0..<count {
      let cell = cell(index + 1)
      if cell.pointee.tag == UInt32(TIDE_LUA_NUMBER) {
        found.append(cell.pointee.number)
      } else {
        guard cell.pointee.tag == UInt32(TIDE_LUA_INTEGER),
          let exact = Double(exactly: cell.pointee.integer)
        else { return nil }
        found.append(exact)
      }
    }
    return found
  }
}

extension LuaTable: EntrySource {
  package func entryValues() throws -> [(key: Value, value: Value)] {
    try entries().map { (key: $0.key.neutral, value: $0.value.neutral) }
  }
}

extension LuaTable: ValueDecodable {
  package func decoded<Content: Decodable>(as type: Content.Type) throws -> Content {
    try decode(type)
  }
}
