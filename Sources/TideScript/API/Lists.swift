import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installLists() throws {
    try define("list(values)") { [unowned self] call in
      if call.isNil(0) { return try call.return(luaValue(ValueList())) }
      try call.return(luaValue(ValueList(elements(of: call.table(0)))))
    }
    try define("dict(values)") { [unowned self] call in
      let dictionary = try makeDictionary(call.isNil(0) ? nil : call.table(0))
      try call.return(luaValue(dictionary))
    }
  }

  /// A dict with the entries of a table.
  func makeDictionary(
    _ entries: LuaTable?, _ element: ((LuaValue) throws -> Value)? = nil
  ) throws -> DictionaryObject {
    let dictionary = DictionaryObject()
    for (key, value) in try entries?.entries() ?? [] {
      guard let name = DictionaryKey(key) else {
        throw TideError(.wrongType, "a dict's keys are strings; found \(key.preview)")
      }
      try charge(Weight.entry + dictionary.growth + name.byteCount)
      dictionary.set(name, try element?(value) ?? self.value(from: value))
    }
    return dictionary
  }

  /// Methods that objects of Swift classes have in scripts: lists', controllers' and views'.
  func addBuiltInMethods(to methods: LuaTable, of shape: Shape) throws {
    if shape === ValueList.listShape {
      try addListMethods(to: methods)
      try addDerivingMethods(to: methods)
      try addFetching(to: methods)
    }
    try addControllerMethods(to: methods, of: shape)
    if shape.superclass == nil && viewClasses["view"]?.shape === shape {
      try addViewMethods(to: methods)
      try addRowMethods(to: methods)
    }
  }

  func method(
    _ methods: LuaTable, _ signature: Signature,
    _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws {
    try methods.rawSet(
      .string(signature.name), .function(function(signature, isMethod: true, body)))
  }

  func list(_ call: borrowing LuaCall, _ index: Int) throws -> ValueList {
    if let list = call.object(index)?.dataObject as? ValueList { return list }
    if call.object(index) == nil, call.typeName(index) == "list" {
      throw TideError(.disposed, "this list is gone; whoever made it has let go of it")
    }
    throw call.wrongType(index, "list")
  }

  /// The list that a method is called on.
  func list(_ call: borrowing LuaCall) throws -> ValueList {
    try list(call, 0)
  }

  private func element(_ value: LuaValue) throws -> Value {
    if value.isNil {
      throw TideError(.badArgument, "a list holds no nil; use null, or remove the element")
    }
    return try self.value(from: value)
  }

  /// The elements of a table that is a sequence and nothing else.
  func elements(of table: LuaTable) throws -> [Value] {
    switch try table.layout {
    case .sequence: return try rows(of: table)
    case .gap(let index): throw table.gap(at: index)
    case .fields:
      throw TideError(
        .wrongType, "a list takes the elements 1, 2, … without gaps, and no other keys")
    }
  }

  private func addListMethods(to methods: LuaTable) throws {
    try method(methods, "append(...)") { [unowned self] call in
      let values = try call.values(from: 1).map { try element($0) }
      try admitRows(values.count)
      try list(call).append(contentsOf: values)
    }
    try method(methods, "insert(index, ...)") { [unowned self] call in
      let values = try call.values(from: 2).map { try element($0) }
      try admitRows(values.count)
      let list = try list(call)
      try list.insert(
        contentsOf: values, at: list.position(numbered: call.integer(1), orAfter: true))
    }
    try method(methods, "remove(index, count)") { [unowned self] call in
      let count = call.isNil(2) ? 1 : try call.integer(2)
      let removed = try list(call).remove(numbered: call.integer(1), count: count)
      for value in removed { try call.return(luaValue(value)) }
    }
    try method(methods, "removeObject(value)") { [unowned self] call in
      call.return(try list(call).removeObject(value(from: call.value(1))))
    }
    try method(methods, "move(from, to)") { [unowned self] call in
      let (list, from, to) = try (list(call), call.integer(1), call.integer(2))
      try list.move(from: list.position(numbered: from), to: list.position(numbered: to))
    }
    try method(methods, "replace(index, value)") { [unowned self] call in
      let (list, number) = try (list(call), call.integer(1))
      let value = try element(call.value(2))
      try list.replace(at: list.position(numbered: number), with: value)
    }
    try method(methods, "set(values)") { [unowned self] call in
      let list = try list(call)
      if let other = call.object(1)?.dataObject as? ValueList {
        let values = other.values
        try admitRows(values.count)
        return try list.set(values)
      }
      try list.set(elements(of: call.table(1)))
    }
    try method(methods, "clear()") { [unowned self] call in try list(call).clear() }
    try method(methods, "indexOf(value)") { [unowned self] call in
      guard let index = try list(call).index(of: value(from: call.value(1))) else {
        return call.return(.nil)
      }
      call.return(index.number)
    }
    try method(methods, "totable()") { [unowned self] call in
      let values = try list(call).values.map { try luaValue($0) }
      call.return(.table(try lua.table(values)))
    }
    try method(methods, "observe(fn, options)") { [unowned self] call in
      let list = try list(call)
      let function = try kept(call.function(1))
      let options = try CallOptions(call, 2, of: "observe", Self.listObserveOptions)
      try call.return(luaValue(of: observe(list, function, options), .observation(nil)))
    }
  }

  private static let listObserveOptions =
    ["initial", "batch"] + ListChange.Kind.allCases.map(\.rawValue)

  private func observe(
    _ list: ValueList, _ function: LuaFunction, _ options: CallOptions
  ) throws -> Belonging {
    var wanted = ListObservationOptions()
    wanted.initial = try options.flag("initial") ?? false
    wanted.batch = try options.flag("batch") ?? false
    let named = try ListChange.Kind.allCases.filter { try options.flag($0.rawValue) ?? false }
    if !named.isEmpty { wanted.kinds = Set(named) }
    for kind in ListChange.Kind.allCases where try options.flag(kind.rawValue) == false {
      wanted.kinds.remove(kind)
    }
    let home = context
    let isBatch = wanted.batch
    return home.observe(list, wanted) { [owner = self.home] changes in
      guard let runtime = owner.runtime else { return }
      try runtime.table.with(home) {
        try runtime.perform {
          let reports = try changes.map { try runtime.report($0) }
          if isBatch {
            try function.call([.table(runtime.lua.table(reports))])
          } else {
            for report in reports { try function.call([report]) }
          }
        }
      }
    }
  }

  /// The edits of a list that a path leads to, as those are told of them who observe the path: the
  /// first one, and where there are several, all of them.
  func report(_ changes: [ListChange], at path: String) throws -> LuaValue {
    guard let first = changes.first, case .table(let table) = try report(first) else { return .nil }
    try table.rawSet("path", .string(path))
    if changes.count > 1 {
      try table.rawSet("edits", .table(lua.table(changes.map { try report($0) })))
    }
    return .table(table)
  }

  private func report(_ change: ListChange) throws -> LuaValue {
    .table(
      try lua.table([
        "kind": .string(change.kind.rawValue),
        "indexes": .table(lua.table(change.indexes.map { .integer($0.number) })),
        "objects": .table(lua.table(change.objects.map { try luaValue($0) })),
      ]))
  }
}
