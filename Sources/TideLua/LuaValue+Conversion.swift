import CTideLua
public import TideValues

// Between what the interpreter keeps and the values that Swift types convert from and to.

extension TideConvertible {
  /// Makes one of a script's value. What is missing is nil.
  ///
  /// - Throws: `ValueMismatch` when the value does not fit; other errors pass through.
  public static func fromLua(_ value: LuaValue) throws -> Self {
    if Self.self == LuaValue.self { return unsafeBitCast(value, to: Self.self) }
    return try from(value.neutral)
  }

  /// The value that scripts see.
  ///
  /// - Throws: `ValueMismatch` when Lua has no such value, `LuaError` when it cannot be made.
  public func toLua(in state: LuaState) throws -> LuaValue {
    if Self.self == LuaValue.self { return unsafeBitCast(self, to: LuaValue.self) }
    return try state.lower(try toValue())
  }
}

extension LuaValue {
  /// The value as Swift types convert from it: what lives in the interpreter is the object that
  /// refers to it.
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
  /// Makes the Lua value that stands for the same, where `lower` says what an object is to Lua.
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

  /// Makes the value that an object of Swift refers to; nil where Lua keeps nothing for it.
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

  /// The bytes of text.
  var utf8: [UInt8]? { neutral.utf8 }
}

extension LuaObject {
  /// The object of Swift whose header this is, while it exists.
  fileprivate var block: AnyObject? {
    guard isAlive else { return nil }
    return UnsafeRawPointer(bitPattern: UInt(header.pointee.lo)).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
    }
  }
}

extension LuaState {
  /// A value as scripts see it.
  package func lower(_ value: Value) throws -> LuaValue { try LuaValue(value) { try lower($0) } }

  private func lower(_ object: AnyObject) throws -> LuaValue {
    if let value = LuaValue(kept: object) { return value }
    switch object {
    case let box as AnyValueBox: return try lower(box)
    case let late as LateLuaValue: return try late.make(self)
    default:
      if let lowerObject { return try lowerObject(object) }
      if let object = object as? any SlotOwner { return .object(LuaObject(owner: object)) }
      return .userdata(try userdata(for: object, metatable: metatable(for: object)))
    }
  }

  /// - Parameter isHeld: whether an object holds the value, of which scripts see a copy.
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

  /// Makes a sequence of numbers in one call of Lua.
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

  /// Makes a sequence in one call of Lua; nil if an element is an object.
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

  /// Makes a table in one call of Lua; nil if a key or a value is an object.
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

// What Lua keeps converts as itself.

extension LuaValue: TideConvertible {
  /// True: nil is a Lua value.
  public static var isNullable: Bool { true }

  /// Makes the Lua value that stands for the same.
  ///
  /// - Throws: `ValueMismatch` for an object that Lua has no value for.
  public static func from(_ value: Value) throws -> LuaValue {
    try LuaValue(value) { object in
      if let value = LuaValue(kept: object) { return value }
      if let owner = object as? any SlotOwner { return .object(LuaObject(owner: owner)) }
      throw ValueMismatch.unsuitable("\(type(of: object)) is not a Lua value")
    }
  }

  /// The value without Lua's types; a table, function, coroutine or userdata is an object.
  public func toValue() -> Value { neutral }
}

extension LuaTable: TideConvertible {
  /// Gives the table that the value holds.
  ///
  /// - Throws: `ValueMismatch` when it holds none.
  public static func from(_ value: Value) throws -> Self { try reference(value, "table") }
}

extension LuaFunction: TideConvertible {
  /// Gives the function that the value holds.
  ///
  /// - Throws: `ValueMismatch` when it holds none.
  public static func from(_ value: Value) throws -> Self { try reference(value, "function") }
}

extension LuaThread: TideConvertible {
  /// Gives the coroutine that the value holds.
  ///
  /// - Throws: `ValueMismatch` when it holds none.
  public static func from(_ value: Value) throws -> Self { try reference(value, "coroutine") }
}

extension LuaUserdata: TideConvertible {
  /// Gives the userdata that the value holds.
  ///
  /// - Throws: `ValueMismatch` when it holds none.
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
  /// Gives the data object that the value holds, without keeping it alive.
  ///
  /// - Throws: `ValueMismatch` when it holds none.
  public static func from(_ value: Value) throws -> LuaObject {
    guard case .object(let owner as any SlotOwner) = value else {
      throw ValueMismatch.expected("data object", got: value)
    }
    return LuaObject(owner: owner)
  }

  /// The data object itself; once that is gone, an object that fits no type, and no longer
  /// converts.
  public func toValue() -> Value { LuaValue.object(self).neutral }
}

// What messages call them, and what Swift values are made of.

extension LuaFunction: NamedKind { package var kindName: String { "function" } }
extension LuaTable: NamedKind { package var kindName: String { "table" } }
extension LuaThread: NamedKind { package var kindName: String { "coroutine" } }
extension LuaUserdata: NamedKind { package var kindName: String { "userdata" } }

extension LuaUserdata: ObjectStandIn { package var standsFor: AnyObject? { object } }

extension LuaTable: ElementSource {
  /// The elements of a table that is a sequence and nothing else.
  ///
  /// - Throws: `ValueMismatch` for a table with a gap or other keys, whose values would be lost.
  package func sequenceValues() throws -> [Value] {
    // Nested tables are read below, one by one.
    var options = LuaCodingOptions()
    options.maximumDepth = 1
    let state = try open()
    // The tape copies the texts, and so do the values: both copies count.
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
        // A sealed table is an empty proxy, which only its metatable reads.
        return element.isNil ? try self[.integer(index + 1)].neutral : element.neutral
      }
    }
  }
}

extension LuaTable {
  /// The elements of a table that is a sequence of numbers and nothing else.
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
  /// The elements of a sequence of integers; nil where one is something else.
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

  /// The elements of a sequence of numbers; nil where one is something else, or an integer that no
  /// `Double` holds.
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
