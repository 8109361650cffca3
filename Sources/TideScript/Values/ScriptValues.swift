import CTideLua
package import TideBindings
import TideGraph
package import TideLua
import TideValues

extension Runtime {
  /// A script's value as the engine stores it. Plain tables are copied into lists and objects;
  /// other values of the interpreter are stored as references.
  package func value(from lua: LuaValue) throws -> Value {
    switch lua {
    case .nil: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let integer): return .integer(integer)
    case .number(let number): return .number(number)
    case .string(let string):
      try admitText(string.utf8.count)
      return .string(string)
    case .bytes(let bytes):
      try admitText(bytes.count)
      return .bytes(bytes)
    case .object(let object):
      guard let found = object.dataObject else {
        throw TideError(.disposed, "this object has been disposed of")
      }
      return .object(found)
    case .table(let table):
      if try hasMetatable(table) { return .object(table) }
      return .object(try copy(table))
    case .function(let function): return .object(function)
    case .thread(let thread): return .object(thread)
    case .userdata(let userdata): return .object(userdata.object ?? userdata)
    }
  }

  /// Copies a plain table into a list or an object.
  func copy(_ table: LuaTable, isRow: Bool = false) throws -> DataObject {
    guard calls.copyDepth < 100 else {
      throw TideError(.depth, "the table nests more than 100 deep, or contains itself")
    }
    calls.copyDepth += 1
    defer { calls.copyDepth -= 1 }
    return try lua.gather {
      switch try table.layout {
      case .sequence:
        try charge(Weight.list)
        return ValueList(try rows(of: table))
      case .gap(let index): throw table.gap(at: index)
      case .fields: return try makeObject(table, isRow: isRow)
      }
    }
  }

  /// Copies the elements of a sequence, within the limit on rows.
  func rows(of table: LuaTable) throws -> [Value] {
    try admitRows(table.rawCount)
    return try lua.gather {
      var rows: [Value] = []
      var shared = SharedShape()
      rows.reserveCapacity(try table.rawCount)
      while true {
        let element = try table.rawGet(.integer(rows.count + 1))
        if element.isNil { return try shared.isUniform ? rows : share(shared, in: rows) }
        if case .table(let row) = element, try !hasMetatable(row) {
          let object = try copy(row, isRow: true)
          shared.add(object, at: rows.count)
          rows.append(.object(object))
        } else {
          rows.append(try value(from: element))
        }
        lua.noteGathered(MemoryLayout<Value>.stride)
      }
    }
  }

  /// Throws if there are more elements than the limit allows.
  package func admitRows(_ count: Int) throws {
    guard count <= configuration.limits.rows else {
      throw TideError(
        .limit,
        "\(count) rows at once are more than one change may have, which is "
          + "\(configuration.limits.rows); make it in parts, or raise the limit \"rows\"")
    }
    try charge(count * Weight.element)
  }

  /// Throws if a text exceeds the limit on values, or the memory.
  func admitText(_ count: Int) throws {
    if count <= 64 { return }
    guard count <= configuration.limits.value else {
      throw TideError(
        .limit,
        "a text of \(count) bytes is longer than a value may be, which is "
          + "\(configuration.limits.value); raise the limit \"value\" if that is intended")
    }
    try charge(count)
  }

  /// An engine value as scripts see it.
  package func luaValue(_ value: Value) throws -> LuaValue {
    try LuaValue(value) { try luaValue($0) }
  }

  /// - Parameter isGiven: whether Lua retains a data object from now on.
  func luaValue(_ object: AnyObject, isGiven: Bool = false) throws -> LuaValue {
    if let object = object as? DataObject { return try handOver(object, isGiven: isGiven) }
    if object is AnyValueBox { return try lua.lower(.object(object)) }
    if let value = LuaValue(kept: object) { return value }
    let metatable =
      object is Marker
      ? api.metatables.marker
      : lua.metatable(for: object) ?? api.metatables.metatable(for: object)
    return .userdata(try lua.userdata(for: object, metatable: metatable))
  }

  /// An object's value as scripts see it. A Swift value that is not a scalar is passed as a copy,
  /// and changes of the copy are assigned to the object.
  func luaValue(
    _ value: Value, heldBy owner: DataObject, at key: @autoclosure () -> LuaValue
  ) throws -> LuaValue {
    guard case .object(let object) = value, LuaState.isValue(object) else {
      return try luaValue(value)
    }
    return try lua.lower(value, heldBy: .object(LuaObject(owner.header)), at: key())
  }

  /// The value of a property's slot, as a script reads it.
  func luaValue(_ value: Value, of slot: Slot) throws -> LuaValue {
    guard case .object(let object) = value, LuaState.isValue(object),
      let header = slot.blockHeader, let owner = header.block as? DataObject
    else { return try luaValue(value) }
    let properties = owner.shape.propertiesByIndex, index = slot - header - 1
    guard properties.indices.contains(index) else { return try luaValue(value) }
    return try luaValue(value, heldBy: owner, at: .string(properties[index].name))
  }

  /// Passes a data object to Lua, and retains it until Lua has taken it over.
  ///
  /// - Parameter isGiven: whether Lua retains the object from then on.
  func handOver(_ object: DataObject, isGiven: Bool = false) throws(TideError) -> LuaValue {
    try bindings.admit(object)
    if calls.callDepth > 0 { calls.handedOver.append(object) }
    var made = LuaObject(object.header)
    made.isGiven = isGiven
    return .object(made)
  }

  /// Whether a table has a metatable. The tables of errors, and the copies of objects' values, do
  /// not count.
  func hasMetatable(_ table: LuaTable) throws -> Bool {
    if try table.isCopy { return false }
    let isMore = try api.metatableProbe.call([.table(table), .table(api.metatables.errorMark)])
      .first
    return isMore?.isTruthy ?? false
  }
}

extension LuaObject {
  /// The data object, while it exists.
  package var dataObject: DataObject? { isAlive ? header.block as? DataObject : nil }
}

extension LuaTable {
  /// The kind of a table constructor.
  enum Layout {
    /// Only the keys 1, 2, …, or none.
    case sequence
    /// A sequence with a nil element, the first at an index.
    case gap(at: Int)
    /// Other keys than list indexes.
    case fields
  }

  var layout: Layout {
    get throws {
      var count = 0
      var last = 0
      var hasOthers = false
      try forEach { key, _ in
        guard case .integer(let index) = key, index >= 1 else {
          hasOthers = true
          return false
        }
        count += 1
        last = max(last, index)
        return true
      }
      if hasOthers { return .fields }
      if count == last { return .sequence }
      var index = 1
      while try !rawGet(.integer(index)).isNil { index += 1 }
      return .gap(at: index)
    }
  }

  /// Whether it is a sequence, or empty.
  var isSequence: Bool {
    get throws { if case .sequence = try layout { true } else { false } }
  }

  /// The error for a sequence with a nil element, as in `{ 1, nil, 3 }`.
  func gap(at index: Int, of what: String = "a list") -> TideError {
    TideError(
      .badArgument,
      "\(what) holds no nil, but element \(index) is nil; use null, or leave it out")
  }

  /// The elements of a table that must be a sequence.
  func elements(of what: String) throws -> [LuaValue] {
    switch try layout {
    case .sequence: return try sequence()
    case .gap(let index): throw gap(at: index, of: what)
    case .fields:
      let other = try entries().first { entry in
        if case .integer(let index) = entry.key { index < 1 } else { true }
      }
      throw TideError(
        .badArgument,
        "\(what) has the elements 1, 2, … alone; found the key \((other?.key ?? .nil).preview)")
    }
  }
}

extension LuaValue {
  /// The value as a short text for messages.
  package var preview: String {
    switch self {
    case .nil: "nil"
    case .boolean(let flag): "\(flag)"
    case .integer(let integer): "\(integer)"
    case .number(let number): Value.text(of: number)
    case .string(let text): TransformCall.quoted(text.beginning(60))
    case .object(let object): (object.dataObject?.shape.name ?? "object").withArticle
    case .userdata(let userdata) where userdata.object is Marker:
      (userdata.object as? Marker)?.description ?? typeName
    case .userdata(let userdata):
      ((userdata.object as? any NamedKind)?.kindName ?? typeName).withArticle
    default: typeName.withArticle
    }
  }
}

extension DictionaryKey {
  /// A script's key; nil unless it is a string.
  init?(_ value: LuaValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    default: return nil
    }
  }

  package var luaValue: LuaValue {
    switch self {
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}

extension TideValue {
  /// A value that Lua can take without a copy; nil for text and for objects other than data
  /// objects. An object must live as long as the call.
  init?(unboxed value: Value) {
    self.init()
    switch value {
    case .null: tag = UInt32(TIDE_LUA_NIL)
    case .boolean(let flag):
      tag = UInt32(TIDE_LUA_BOOLEAN)
      integer = flag ? 1 : 0
    case .integer(let amount):
      tag = UInt32(TIDE_LUA_INTEGER)
      integer = Int64(amount)
    case .number(let amount):
      tag = UInt32(TIDE_LUA_NUMBER)
      number = amount
    case .object(let object as DataObject):
      tag = UInt32(TIDE_LUA_OBJECT)
      slot = object.header
    case .string, .bytes, .object: return nil
    }
  }
}
