// The parts of a registered type in a state: its objects' metatable, and the type's own table.

import CTideLua

/// The functions of a class's objects by name. A name is a method or a property, but not both.
struct LuaUserMembers {
  var methods: [String: LuaFunction] = [:]
  var getters: [String: LuaFunction] = [:]
  var setters: [String: LuaFunction] = [:]
  /// By metatable field.
  var operators: [String: LuaFunction] = [:]
  /// Functions for other keys: `get` and `set`.
  var fallbacks: [String: LuaFunction] = [:]

  /// Adds a subclass's members. They override all inherited members of the same name, of any kind.
  mutating func override(with own: LuaUserMembers) {
    for name in own.methods.keys.map({ $0 }) + own.getters.keys {
      methods[name] = own.methods[name]
      getters[name] = own.getters[name]
      setters[name] = own.setters[name]
    }
    operators.merge(own.operators) { $1 }
    // A subclass with only a getter for other keys is read-only, even if its superclass has a
    // setter.
    if own.fallbacks["get"] != nil { fallbacks = own.fallbacks }
  }
}

/// A class registered in a state.
final class LuaInstalledType {
  let `class`: AnyClass
  /// The metatable of its objects.
  let objects: LuaTable
  private let own: LuaUserMembers
  // The tables in which the metatable's functions look up names, inherited ones included.
  private let methods, getters, setters, fallbacks: LuaTable
  private var linked = LuaUserMembers()

  /// Creates the metatable; `link` fills it.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  init(
    _ name: String, of class: AnyClass, _ own: LuaUserMembers, in state: LuaState
  ) throws(LuaError) {
    self.class = `class`
    self.own = own
    methods = try state.table()
    getters = try state.table()
    setters = try state.table()
    fallbacks = try state.table()
    objects = try state.table(["__name": .string(name), "__metatable": false])
    let access = try state.memberAccess(
      to: name, methods: methods, getters: getters, setters: setters, others: fallbacks)
    try objects.rawSet("__index", access.read)
    try objects.rawSet("__newindex", access.write)
  }

  /// Inherits the current members of the registered superclasses, nearest first.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  func link(to superclasses: [LuaInstalledType]) throws(LuaError) {
    var all = LuaUserMembers()
    for type in superclasses.reversed() { all.override(with: type.own) }
    all.override(with: own)
    try replace(linked.methods, by: all.methods, in: methods)
    try replace(linked.getters, by: all.getters, in: getters, isCalled: true)
    try replace(linked.setters, by: all.setters, in: setters, isCalled: true)
    try replace(linked.fallbacks, by: all.fallbacks, in: fallbacks, isCalled: true)
    try replace(linked.operators, by: all.operators, in: objects)
    linked = all
  }

  /// - Parameter isCalled: whether accessing the name calls the function instead of returning it.
  private func replace(
    _ old: [String: LuaFunction], by new: [String: LuaFunction], in table: LuaTable,
    isCalled: Bool = false
  ) throws(LuaError) {
    for name in old.keys where new[name] == nil { try table.rawSet(.string(name), .nil) }
    for (name, function) in new where old[name] !== function {
      if isCalled {
        try table.setMember(name, function)
      } else {
        try table.rawSet(.string(name), .function(function))
      }
    }
  }
}

extension LuaUserType {
  /// Throws if a member is described twice.
  fileprivate func check() throws(LuaError) {
    guard let repeated else { return }
    throw LuaError(
      .runtime,
      "\(name).\(repeated) is described twice for the same arguments, and only one of them could "
        + "be called; give one another name")
  }

  /// Creates the functions of objects.
  fileprivate func members(in state: LuaState) throws(LuaError) -> LuaUserMembers {
    var made = LuaUserMembers()
    for (name, overloads) in methods {
      let body = overloads.body(named: "\(self.name).\(name)", after: 1, checking: checkReceiver)
      made.methods[name] = try state.function(named: name, body)
    }
    for (sign, overloads) in operators {
      let name = String(sign.rawValue.dropFirst(2))
      let body = overloads.body(named: "\(self.name).\(name)", after: 0, checking: nil)
      made.operators[sign.rawValue] = try state.function(named: name, body)
    }
    for (name, access) in getters {
      made.getters[name] = try state.function(named: name, access.body)
    }
    for (name, access) in setters {
      made.setters[name] = try state.function(named: name, access.body)
    }
    for (name, body) in fallbacks { made.fallbacks[name] = try state.function(named: name, body) }
    return made
  }

  /// Creates the type's own table, which scripts cannot change.
  fileprivate func typeTable(in state: LuaState) throws -> LuaTable {
    let table = try state.table(fields: functions.count + constants.count)
    for (name, overloads) in functions {
      let body = overloads.body(named: "\(self.name).\(name)", after: 0, checking: nil)
      try table.rawSet(.string(name), .function(state.function(named: name, body)))
    }
    var readers = staticGetters
    for (name, constant) in constants {
      let value = try constant(state)
      if value.isChangeable {
        // A script could change it, so each read creates a new value.
        readers[name] = { call in
          let made = try constant(call.state).held(by: call.value(0), at: .string(name))
          call.return(made)
        }
      } else {
        try table.rawSet(.string(name), value)
      }
    }
    if readers.isEmpty { return try table.sealed(as: name) }
    func lowered(_ bodies: [String: Body]) throws(LuaError) -> LuaTable {
      let table = try state.table(fields: bodies.count)
      for (name, body) in bodies {
        try table.rawSet(.string(name), .function(state.function(named: name, body)))
      }
      return table
    }
    let access = try state.load(Self.staticAccess, name: LuaState.ownChunk(name)).call([
      .string(name), .table(table), .table(lowered(readers)), .table(lowered(staticSetters)),
    ])
    guard access.count == 3 else { throw LuaError.closed }
    let metatable = try state.table([
      "__index": access[0], "__newindex": access[1], "__pairs": access[2],
    ])
    let type = try state.table()
    try type.protect(with: metatable)
    return type
  }

  /// Lua code that accesses members of the type, for types with static properties.
  private static var staticAccess: String {
    """
    local name, members, getters, setters = ...
    local error, tostring, next = error, tostring, next
    return function(type, key)
      local member = members[key]
      if member ~= nil then return member end
      local get = getters[key]
      if get then return get(type) end
    end, function(_, key, value)
      local set = setters[key]
      if set then return set(value) end
      error((members[key] ~= nil or getters[key]) and name .. "." .. tostring(key) .. " is read only"
        or name .. " has no property '" .. tostring(key) .. "'", 2)
    end, function(type)
      local source, key, value = members, nil, nil
      return function()
        key, value = next(source, key)
        if key == nil and source == members then
          source = getters
          key, value = next(source)
        end
        if source == getters and key ~= nil then value = value(type) end
        return key, value
      end
    end
    """
  }
}

extension LuaState {
  /// Registers a Swift type: its functions, constants and static properties become a global table
  /// of its name, and its objects get its members and those of its registered superclasses.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, a member is described twice, memory is
  ///   exhausted, or the state is closed.
  public func register<Object>(_ type: LuaUserType<Object>) throws {
    try type.check()
    let key = type.key, before = userTypes[key]
    let installed = try LuaInstalledType(
      type.name, of: type.class, type.members(in: self), in: self)
    try installed.link(to: superclasses(of: type.class))
    // Registered first, because constants may be objects of the type.
    userTypes[key] = installed
    do {
      try register(type.name, .table(type.typeTable(in: self)))
    } catch {
      userTypes[key] = before
      throw error
    }
    for other in userTypes.values where isClass(other.class, below: type.class) {
      try other.link(to: superclasses(of: other.class))
    }
  }

  /// Creates a metatable's `__index` and `__newindex` functions, which look up members by name and
  /// directly read or write properties.
  fileprivate func memberAccess(
    to name: String, methods: LuaTable, getters: LuaTable, setters: LuaTable, others: LuaTable
  ) throws(LuaError) -> (read: LuaValue, write: LuaValue) {
    var frame = TideFrame()
    let tables = [methods.id, getters.id, setters.id, others.id]
    let made = try all(tide_members_make(raw, name, tables, &frame), &frame)
    guard made.count == 2 else { throw .closed }
    return (made[0], made[1])
  }

  /// The registered superclasses of a class, nearest first.
  private func superclasses(of type: AnyClass) -> [LuaInstalledType] {
    var found: [LuaInstalledType] = []
    var type: AnyClass? = _getSuperclass(type)
    while let current = type {
      if let known = userTypes[ObjectIdentifier(current)] { found.append(known) }
      type = _getSuperclass(current)
    }
    return found
  }

  private func isClass(_ type: AnyClass, below other: AnyClass) -> Bool {
    var type: AnyClass? = _getSuperclass(type)
    while let current = type {
      if current == other { return true }
      type = _getSuperclass(current)
    }
    return false
  }

  /// The metatable for an object of a registered class, or of a subclass of one.
  package func metatable(for object: AnyObject) -> LuaTable? {
    if userTypes.isEmpty { return nil }
    var type: AnyClass? = Swift.type(of: object)
    while let current = type {
      if let found = userTypes[ObjectIdentifier(current)] { return found.objects }
      type = _getSuperclass(current)
    }
    return nil
  }
}

extension LuaValue {
  /// The script's copy of a converted value that an owner contains.
  fileprivate func held(by owner: LuaValue, at key: LuaValue) throws -> LuaValue {
    switch self {
    case .table(let table): return .table(try table.copied(from: owner, at: key))
    case .userdata(let userdata):
      guard let cell = userdata.object as? AnyLuaCell, let state = userdata.state else {
        return self
      }
      return try state.lower(.object(cell), heldBy: owner, at: key)
    default: return self
    }
  }

  /// Whether a script can change the converted value.
  fileprivate var isChangeable: Bool {
    switch self {
    case .table: true
    case .userdata(let userdata): userdata.object is AnyLuaCell
    default: false
    }
  }
}
