import TideBindings
import TideGraph
import TideLua

/// A data object whose value a script's function fetches, and which may be loading or have failed.
///
/// ```lua
/// local weather = resource(function() return http.get(url).json end, { every = 30 })
/// bind("value.temperature -> text", weather, label)
/// ```
///
/// An error leaves the value, and so does the next fetch until it has come.
final class Resource: LiveObject, FetchingClient {
  static let resourceShape = Shape(
    name: "resource",
    properties: [
      PropertyDescription("value", isReadOnly: true),
      PropertyDescription("error", .string, isReadOnly: true),
      PropertyDescription("loading", .boolean, initial: .boolean(false), isReadOnly: true),
      PropertyDescription("updated", .number, isReadOnly: true),
    ], swiftClasses: [])

  private enum Index: Int {
    case value, error, loading, updated
  }

  private unowned(unsafe) let runtime: Runtime
  private(set) var fetching: Fetching?

  init(_ initial: Value, in runtime: Runtime) {
    self.runtime = runtime
    super.init(shape: Self.resourceShape)
    put(.value, initial)
  }

  func prepare(_ function: LuaFunction, _ plan: Fetching.Plan) -> Fetching {
    let fetching = Fetching(function, plan, of: self, in: runtime)
    self.fetching = fetching
    return fetching
  }

  private func put(_ index: Index, _ value: Value) { put(index.rawValue, value) }

  // MARK: Fetching

  var fetchingObject: DataObject { self }

  func fetchingArguments(_ run: Int) -> [LuaValue] { [] }

  func fetchingBegan() { put(.loading, .boolean(true)) }

  func fetchingSucceeded(_ results: [LuaValue]) throws {
    let held = runtime.graph.untracked { slot(Index.value.rawValue).load() }
    put(.value, try runtime.value(from: results.first ?? .nil, resembling: held))
    put(.error, .null)
    put(.updated, .number(runtime.loop.wallTime()))
    put(.loading, .boolean(false))
  }

  func fetchingFailed(_ error: TideError) {
    put(.error, .string(error.message))
    put(.loading, .boolean(false))
  }

  func fetchingPaused() { put(.loading, .boolean(false)) }

  func adopt(_ former: any FetchingClient) {
    guard let former = former as? Resource else { return }
    runtime.graph.untracked {
      for index in [Index.value, .error, .updated] {
        put(index, former.slot(index.rawValue).load())
      }
    }
  }
}

// MARK: What has not changed

extension Runtime {
  /// A script's value as the engine holds it, in which those parts are the very objects and lists
  /// of a former value that say the same: who has selected one of them, or is bound to it, keeps
  /// it.
  func value(from lua: LuaValue, resembling former: Value) throws -> Value {
    guard case .table(let table) = lua, try !hasMetatable(table),
      case .object(let object) = former, let object = object as? DataObject
    else { return try value(from: lua) }
    guard calls.copyDepth < 100 else { return try value(from: lua) }
    calls.copyDepth += 1
    defer { calls.copyDepth -= 1 }
    return try graph.untracked {
      switch object {
      case let list as ValueList where try table.isSequence:
        return .object(try self.list(from: table, resembling: list))
      case let object as ScriptObject:
        return .object(try self.object(from: table, resembling: object))
      default: return try value(from: lua)
      }
    }
  }

  private func list(from table: LuaTable, resembling former: ValueList) throws -> ValueList {
    let count = try table.rawCount
    try admitRows(count)
    var isSame = count == former.count
    var rows: [Value] = []
    rows.reserveCapacity(count)
    for index in 0..<count {
      let held = former[index] ?? .null
      let row = try value(from: table.rawGet(.integer(index + 1)), resembling: held)
      isSame = isSame && row == held
      rows.append(row)
    }
    return isSame ? former : ValueList(rows)
  }

  private func object(from table: LuaTable, resembling former: ScriptObject) throws -> DataObject {
    var fields: [(LuaValue, LuaValue)] = []
    var isSame = true
    for (key, field) in try table.entries() {
      guard let name = key.string, let index = former.shape.index(of: name) else {
        isSame = false
        fields.append((key, field))
        continue
      }
      let held = former.slot(index).load()
      let made = try value(from: field, resembling: held)
      isSame = isSame && made == held
      fields.append((key, try luaValue(made)))
    }
    let hasAll = fields.count == former.shape.propertiesByIndex.count { !$0.isRetired }
    if isSame, hasAll { return former }
    let copied = try lua.table()
    for (key, field) in fields { try copied.rawSet(key, field) }
    return try copy(copied)
  }
}
