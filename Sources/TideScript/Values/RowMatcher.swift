import TideBindings
import TideGraph
import TideLua

/// Matches the rows of a script's table to existing objects, so that selections and bindings keep
/// them.
///
///     held    a b c d          { key = "id" }: a row with the key of b updates b
///     rows    x a b c d  ─▶  x a b c d with the held a, b, c and d
///
/// Rows match by key, or else by content, whatever their positions. Only plain tables are matched;
/// an object in the table stays that object. The cost is linear in the number of rows.
struct RowMatcher {
  private let runtime: Runtime
  private let key: Key?

  enum Key {
    case property(String)
    case function(LuaFunction)
  }

  init(_ runtime: Runtime, key: Key? = nil) {
    self.runtime = runtime
    self.key = key
  }

  /// A script's value as the engine stores it. Parts that match a former value keep its objects.
  func value(from lua: LuaValue, with former: Value) throws -> Value {
    try match(runtime.value(from: lua), from: lua, with: former)
  }

  /// The elements of a sequence. Those that match former elements keep their objects.
  func rows(of table: LuaTable, with former: [Value]) throws -> [Value] {
    try match(runtime.elements(of: table), from: table, with: former)
  }

  private func match(_ made: Value, from lua: LuaValue, with former: Value) throws -> Value {
    guard made != former, let table = try plainTable(lua),
      case .object(let object) = made, case .object(let held) = former
    else { return made }
    switch (object, held) {
    case (let list as ValueList, let held as ValueList):
      let (values, heldValues) = runtime.graph.untracked { (list.values, held.values) }
      let rows = try match(values, from: table, with: heldValues)
      return rows == heldValues ? former : .object(ValueList(rows))
    case (let object as ScriptObject, let held as ScriptObject):
      return try match(object, from: table, with: held)
    default: return made
    }
  }

  /// Returns the former object if all fields match, or else the new one with its matching parts
  /// replaced.
  private func match(
    _ made: ScriptObject, from table: LuaTable, with former: ScriptObject
  ) throws -> Value {
    var isSame = former.scriptClass.isAnonymous && hasShape(of: made, former)
    for (index, property) in made.shape.propertiesByIndex.enumerated() where !property.isRetired {
      guard let place = former.shape.index(of: property.name) else { continue }
      let (value, held) = load(made, index, former, place)
      let matched = try match(value, from: table.rawGet(.string(property.name)), with: held)
      isSame = isSame && matched == held
      if matched != value { _ = try made.store(index, matched, settling: false) }
    }
    return .object(isSame ? former : made)
  }

  // MARK: Rows

  private func match(
    _ made: [Value], from table: LuaTable, with former: [Value]
  ) throws -> [Value] {
    guard former.contains(where: Self.isScriptObject) else { return made }
    var rows = made
    var plain: [Int] = []
    var given: Set<ObjectIdentifier> = []
    for (index, row) in made.enumerated() {
      guard case .object(let object) = row else { continue }
      if object is ScriptObject, try plainTable(table.rawGet(.integer(index + 1))) != nil {
        plain.append(index)
      } else {
        given.insert(ObjectIdentifier(object))
      }
    }
    if plain.isEmpty { return rows }
    var candidates = former.enumerated().filter { _, value in
      guard case .object(let object as ScriptObject) = value else { return false }
      return !given.contains(ObjectIdentifier(object))
    }.map { (position: $0.offset, object: $0.element) }
    if key != nil { try matchKeys(&rows, &plain, &candidates, from: table) }
    try matchContents(&rows, plain, candidates, from: table)
    return rows
  }

  private typealias Candidate = (position: Int, object: Value)

  private func matchKeys(
    _ rows: inout [Value], _ plain: inout [Int], _ candidates: inout [Candidate],
    from table: LuaTable
  ) throws {
    var waiting: [ContentKey: [Int]] = [:]
    for (number, candidate) in candidates.enumerated().reversed() {
      guard let key = try key(of: candidate.object) else { continue }
      waiting[key, default: []].append(number)
    }
    var used: Set<Int> = []
    var rest: [Int] = []
    var changes: [Change] = []
    for index in plain {
      guard case .table(let row) = try table.rawGet(.integer(index + 1)),
        let key = try key(of: row)
      else {
        rest.append(index)
        continue
      }
      guard let number = waiting[key]?.popLast(),
        case .object(let held as ScriptObject) = candidates[number].object,
        case .object(let made as ScriptObject) = rows[index],
        let rowChanges = try self.changes(of: held, to: made, from: row)
      else { continue }
      changes += rowChanges
      used.insert(number)
      rows[index] = candidates[number].object
    }
    // A refused value leaves all rows unchanged.
    for change in changes { _ = try change.object.admitted(change.index, change.value) }
    for change in changes { try change.object.write(change.index, change.value) }
    plain = rest
    // Rows with keys match only by key.
    let keyed = Set(waiting.values.joined())
    candidates = candidates.enumerated().filter { number, _ in
      !used.contains(number) && !keyed.contains(number)
    }.map(\.element)
  }

  /// Rows at the ends are matched first, so that of equal rows the unmoved ones match.
  private func matchContents(
    _ rows: inout [Value], _ plain: [Int], _ candidates: [Candidate], from table: LuaTable
  ) throws {
    func isSame(_ index: Int, _ candidate: Candidate) throws -> Bool {
      try self.isSame(rows[index], table.rawGet(.integer(index + 1)), candidate.object)
    }
    var (new, old) = (plain[...], candidates[...])
    while let index = new.first, let candidate = old.first, try isSame(index, candidate) {
      rows[index] = candidate.object
      (new, old) = (new.dropFirst(), old.dropFirst())
    }
    while let index = new.last, let candidate = old.last, try isSame(index, candidate) {
      rows[index] = candidate.object
      (new, old) = (new.dropLast(), old.dropLast())
    }
    if new.isEmpty || old.isEmpty { return }
    var waiting: [Int: [Candidate]] = [:]
    for candidate in old.reversed() {
      waiting[contentHash(candidate.object), default: []].append(candidate)
    }
    for index in new {
      let hash = contentHash(rows[index])
      guard let alike = waiting[hash],
        let found = try alike.lastIndex(where: { try isSame(index, $0) })
      else { continue }
      rows[index] = alike[found].object
      waiting[hash]?.remove(at: found)
    }
  }

  private static func isScriptObject(_ value: Value) -> Bool {
    if case .object(let object) = value { object is ScriptObject } else { false }
  }

  /// A table of rows or fields without a metatable.
  private func plainTable(_ lua: LuaValue) throws -> LuaTable? {
    guard case .table(let table) = lua, try !runtime.hasMetatable(table) else { return nil }
    return table
  }

  // MARK: Keys

  private func key(of held: Value) throws -> ContentKey? {
    switch key {
    case .property(let name):
      guard case .object(let object as ScriptObject) = held,
        object.shape.index(of: name) != nil
      else { return nil }
      return Self.key(runtime.graph.untracked { object[name] })
    case .function(let function):
      return try key(given: function.call([runtime.luaValue(held)]))
    case nil: return nil
    }
  }

  private func key(of row: LuaTable) throws -> ContentKey? {
    switch key {
    case .property(let name): try key(given: [row.rawGet(.string(name))])
    case .function(let function): try key(given: function.call([.table(row)]))
    case nil: nil
    }
  }

  private func key(given results: [LuaValue]) throws -> ContentKey? {
    Self.key(try runtime.value(from: results.first ?? .nil))
  }

  private static func key(_ value: Value) -> ContentKey? {
    value.isNil ? nil : ContentKey(value)
  }

  private typealias Change = (object: ScriptObject, index: Int, value: Value)

  /// The changes that give a held row the fields of a new one; nil if it cannot have all of them. A
  /// field that the new row lacks, or has as null, becomes nil or takes its default.
  private func changes(
    of held: ScriptObject, to made: ScriptObject, from table: LuaTable
  ) throws -> [Change]? {
    var changes: [Change] = []
    var defaults: ScriptObject?
    /// The value of a field that the new row lacks; nil if the field has no default.
    func absent(_ place: Int) throws -> Value? {
      if try runtime.letsBeNil(place, of: held.scriptClass) { return .null }
      let fresh = defaults ?? ScriptObject(held.scriptClass)
      defaults = fresh
      let value = load(fresh, place)
      return value.isNil ? nil : value
    }
    for (place, property) in held.shape.propertiesByIndex.enumerated()
    where !property.isRetired && made.shape.index(of: property.name) == nil {
      if property.derive != nil || property.isReadOnly { continue }
      guard let value = try absent(place) else { return nil }
      changes.append((held, place, value))
    }
    for (index, property) in made.shape.propertiesByIndex.enumerated() where !property.isRetired {
      guard let place = held.shape.index(of: property.name) else { return nil }
      let description = held.shape.propertiesByIndex[place]
      let (value, old) = load(made, index, held, place)
      var matched = try match(value, from: table.rawGet(.string(property.name)), with: old)
      if matched == old { continue }
      if description.derive != nil || description.isReadOnly { return nil }
      if matched.isNil {
        guard let value = try absent(place) else { return nil }
        matched = value
      }
      changes.append((held, place, matched))
    }
    return changes
  }

  // MARK: Contents

  /// Whether a held object has all fields of a new one, and nil in all others.
  private func hasShape(of made: ScriptObject, _ held: ScriptObject) -> Bool {
    if made.shape === held.shape { return true }
    for property in made.shape.propertiesByIndex where !property.isRetired {
      guard let place = held.shape.index(of: property.name),
        held.shape.propertiesByIndex[place].derive == nil
      else { return false }
    }
    for (place, property) in held.shape.propertiesByIndex.enumerated()
    where !property.isRetired && made.shape.index(of: property.name) == nil {
      if property.derive != nil || load(held, place) != .null { return false }
    }
    return true
  }

  private func isSame(_ made: Value, _ lua: LuaValue, _ held: Value) throws -> Bool {
    if made == held { return true }
    guard case .object(let object) = made, case .object(let former) = held,
      let table = try plainTable(lua)
    else { return false }
    switch (object, former) {
    case (let list as ValueList, let former as ValueList):
      let (values, held) = runtime.graph.untracked { (list.values, former.values) }
      guard values.count == held.count else { return false }
      for (index, value) in values.enumerated() {
        guard try isSame(value, table.rawGet(.integer(index + 1)), held[index]) else {
          return false
        }
      }
      return true
    case (let object as ScriptObject, let former as ScriptObject):
      guard former.scriptClass.isAnonymous, hasShape(of: object, former) else { return false }
      for (index, property) in object.shape.propertiesByIndex.enumerated()
      where !property.isRetired {
        guard let place = former.shape.index(of: property.name) else { return false }
        let (value, held) = load(object, index, former, place)
        guard try isSame(value, table.rawGet(.string(property.name)), held) else { return false }
      }
      return true
    default: return false
    }
  }

  private func load(_ object: DataObject, _ index: Int) -> Value {
    runtime.graph.untracked { object.slot(index).load() }
  }

  private func load(
    _ made: ScriptObject, _ index: Int, _ held: ScriptObject, _ place: Int
  ) -> (made: Value, held: Value) {
    (load(made, index), load(held, place))
  }

  /// A hash that is equal for values that `isSame` considers equal.
  private func contentHash(_ value: Value, depth: Int = 0) -> Int {
    guard case .object(let object) = value, depth < 8 else { return ContentKey(value).hashValue }
    switch object {
    case let list as ValueList:
      var hasher = Hasher()
      for value in runtime.graph.untracked({ list.values }) {
        hasher.combine(contentHash(value, depth: depth + 1))
      }
      return hasher.finalize()
    case let object as ScriptObject where object.scriptClass.isAnonymous:
      var sum = 0
      for (index, property) in object.shape.propertiesByIndex.enumerated()
      where !property.isRetired {
        let value = load(object, index)
        if value == .null { continue }
        var hasher = Hasher()
        hasher.combine(property.name)
        hasher.combine(contentHash(value, depth: depth + 1))
        sum &+= hasher.finalize()
      }
      return sum
    default: return ContentKey(value).hashValue
    }
  }
}

extension CallOptions {
  /// The key of rows: a property, or a function of the row.
  func rowKey() throws -> RowMatcher.Key? {
    try read("key", as: "the name of a property, or a function of a row") { value in
      if case .string(let name) = value, !name.isEmpty { return .property(name) }
      return value.function.map { .function($0) }
    }
  }
}
