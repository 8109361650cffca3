import CTideLua
package import TideBindings
import TideGraph
package import TideLua
import TideValues

extension Runtime {
  /// A script's value as the engine holds it: plain tables are copied into lists and objects,
  /// everything else that lives in the interpreter is kept as it is.
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

  /// The elements of a sequence, as many as one change may have.
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

  /// Refuses more elements at once than the app may have.
  package func admitRows(_ count: Int) throws {
    guard count <= configuration.limits.rows else {
      throw TideError(
        .limit,
        "\(count) rows at once are more than one change may have, which is "
          + "\(configuration.limits.rows); make it in parts, or raise the limit \"rows\"")
    }
    try charge(count * Weight.element)
  }

  /// Refuses text that is longer than a value may be, or than there is memory for.
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

  /// A value of the engine as a script sees it.
  package func luaValue(_ value: Value) throws -> LuaValue {
    try LuaValue(value) { try luaValue($0) }
  }

  /// - Parameter isGiven: whether Lua keeps a data object alive from then on.
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

  /// What a script sees of a value that an object holds. Of a Swift value that is no scalar it sees
  /// a copy, and what it changes in that is assigned to the object.
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

  /// A data object as Lua takes it, kept alive until it has done so.
  ///
  /// - Parameter isGiven: whether Lua keeps it alive from then on.
  func handOver(_ object: DataObject, isGiven: Bool = false) throws(TideError) -> LuaValue {
    try bindings.admit(object)
    if calls.callDepth > 0 { calls.handedOver.append(object) }
    var made = LuaObject(object.header)
    made.isGiven = isGiven
    return .object(made)
  }

  /// Whether a table is more than plain data, as neither the tables that stand for errors nor the
  /// copies of what objects hold are.
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
  /// What a script has written between the braces.
  enum Layout {
    /// Nothing but the keys 1, 2, …, or nothing at all.
    case sequence
    /// Elements among which one is nil, the first at an index.
    case gap(at: Int)
    /// Other keys than positions in a list.
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

  /// The error of elements among which one is nil, as in `{ 1, nil, 3 }`.
  func gap(at index: Int, of what: String = "a list") -> TideError {
    TideError(
      .badArgument,
      "\(what) holds no nil, but element \(index) is nil; use null, or leave it out")
  }

  /// The elements of a table that has to be a sequence and nothing else.
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
    case .userdata(let userdata):
      ((userdata.object as? any NamedKind)?.kindName ?? typeName).withArticle
    default: typeName.withArticle
    }
  }
}

extension DictionaryKey {
  /// The key that a script gives; nil for what is no string.
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
  /// A value that goes into Lua as it is, without memory of its own; nil for text, and for what is
  /// no data object. An object must live as long as the call.
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
