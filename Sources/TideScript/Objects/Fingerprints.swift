import TideBindings
import TideGraph
import TideLua

extension Runtime {
  /// Hashes of a model's declared defaults, by property. Equal contents have equal hashes within
  /// one run of the program.
  func fingerprints(of fields: LuaTable) throws -> [String: Int] {
    var prints: [String: Int] = [:]
    var walk = FingerprintWalk(self)
    for (key, value) in try fields.entries() {
      guard let name = key.string else { continue }
      if let userdata = value.userdata, let given = userdata.object as? PropertyDeclaration {
        prints[name] = given.fingerprint
      } else {
        prints[name] = try walk.fingerprint(of: value)
      }
    }
    return prints
  }

  func fingerprint(of value: LuaValue) throws -> Int {
    var walk = FingerprintWalk(self)
    return try walk.fingerprint(of: value)
  }
}

/// Hashes a declared default and its contents.
private struct FingerprintWalk {
  private let runtime: Runtime
  private var depth = 0
  private var clock = WorkClock()
  /// Hashes of visited objects. Shared parts are hashed only once.
  private var known: [ObjectIdentifier: Int] = [:]

  init(_ runtime: Runtime) { self.runtime = runtime }

  mutating func fingerprint(of value: LuaValue) throws -> Int {
    try clock.step()
    var hasher = Hasher()
    switch value {
    case .nil: break
    case .boolean(let flag): hasher.combine(flag)
    case .integer(let integer): hasher.combine(integer)
    case .number(let number): hasher.combine(number)
    case .string(let text): hasher.combine(text)
    case .table(let table): hasher.combine(try fingerprint(ofEntries: table))
    default:
      if let object = value.object?.dataObject {
        hasher.combine(try fingerprint(of: object))
      } else {
        hasher.combine(value.typeName)
      }
    }
    return hasher.finalize()
  }

  /// Hashes a table independently of its order. The depth is limited, since a table may contain
  /// itself.
  private mutating func fingerprint(ofEntries table: LuaTable) throws -> Int {
    guard depth < 32 else { return 0 }
    depth += 1
    defer { depth -= 1 }
    var sum = 0
    try table.forEach { key, value in
      var entry = Hasher()
      entry.combine(try fingerprint(of: key))
      entry.combine(try fingerprint(of: value))
      sum &+= entry.finalize()
      return true
    }
    return sum
  }

  /// Hashes an object by its contents, since a declaration makes a new object each time.
  private mutating func fingerprint(of object: DataObject) throws -> Int {
    if let print = known[ObjectIdentifier(object)] { return print }
    var hasher = Hasher()
    hasher.combine(object.shape.name)
    if depth < 32, object is ScriptObject || object is ValueList || object is DictionaryObject {
      depth += 1
      defer { depth -= 1 }
      try runtime.graph.untracked { try combine(contentsOf: object, into: &hasher) }
    }
    let print = hasher.finalize()
    known[ObjectIdentifier(object)] = print
    return print
  }

  private mutating func combine(contentsOf object: DataObject, into hasher: inout Hasher) throws {
    if let list = object as? ValueList, !list.isReadOnly {
      for element in list.values { hasher.combine(try fingerprint(ofValue: element)) }
    }
    if let dictionary = object as? DictionaryObject {
      for key in try dictionary.keys {
        hasher.combine(key)
        hasher.combine(try fingerprint(ofValue: dictionary[key]))
      }
    }
    for (index, property) in object.shape.propertiesByIndex.enumerated()
    where property.derive == nil && !property.isRetired {
      // Values that equal the class's defaults are skipped, since the class may change.
      let held = try fingerprint(ofValue: object.slot(index).load())
      if held == (try fingerprint(ofValue: property.initial.value)) { continue }
      hasher.combine(property.name)
      hasher.combine(held)
    }
  }

  private mutating func fingerprint(ofValue value: Value) throws -> Int {
    guard let value = try? runtime.luaValue(value) else { return 0 }
    return try fingerprint(of: value)
  }
}
