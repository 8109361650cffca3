import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installLists() throws {
    try define(.list) { [unowned self] call in
      let list = try call.isNil(0) ? ValueList() : ValueList(elements(of: call.table(0)))
      let value = try luaValue(list)
      noteMember(list)
      call.return(value)
    }
    try define(.dict) { [unowned self] call in
      let dictionary = try makeDictionary(call.isNil(0) ? nil : call.table(0))
      let value = try luaValue(dictionary)
      noteMember(dictionary)
      call.return(value)
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

  /// Methods of built-in objects in scripts: lists, controllers and views.
  func addBuiltInMethods(to methods: LuaTable, of shape: Shape) throws {
    if shape === ValueList.listShape {
      try addListMethods(to: methods)
      try addDerivingMethods(to: methods)
      try addFetching(to: methods)
    }
    try addControllerMethods(to: methods, of: shape)
    try addFetchingMethods(to: methods, of: shape)
    try addProgramMethods(to: methods, of: shape)
    try addUndoMethods(to: methods, of: shape)
    if shape.superclass == nil && viewClasses["view"]?.shape === shape {
      try addViewMethods(to: methods)
      try addRowMethods(to: methods)
      try addFormMethods(to: methods)
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

  /// The elements of a table that must be a sequence.
  func elements(of table: LuaTable) throws -> [Value] {
    switch try table.layout {
    case .sequence: return try rows(of: table)
    case .gap(let index): throw table.gap(at: index)
    case .fields:
      throw TideError(
        .wrongType, "a list takes the elements 1, 2, … without gaps, and no other keys")
    }
  }

  /// Sets the elements of a list from a table. Rows that match keep their objects.
  func set(_ list: ValueList, to table: LuaTable, by key: RowMatcher.Key? = nil) throws {
    let held = graph.untracked { list.values }
    try graph.batch { try list.set(RowMatcher(self, key: key).rows(of: table, with: held)) }
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
    try method(methods, "set(values, options)") { [unowned self] call in
      let list = try list(call)
      let key = try CallOptions(call, 2, of: "set", ["key"]).rowKey()
      if let other = call.object(1)?.dataObject as? ValueList {
        let values = other.values
        try admitRows(values.count)
        return try list.set(values)
      }
      try set(list, to: call.table(1), by: key)
    }
    try method(methods, "clear()") { [unowned self] call in try list(call).clear() }
    try method(methods, "indexOf(value)") { [unowned self] call in
      guard let index = try list(call).index(of: value(from: call.value(1))) else {
        return call.return(.nil)
      }
      call.return(index.number)
    }
    try method(methods, "each()") { [unowned self] call in
      _ = try list(call)
      for part in try api.ipairs.call([call.value(0)]) { call.return(part) }
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
  ) throws -> ContextEntry {
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

  /// The edits of a list at a path, as observers of the path receive them: the first edit, and with
  /// several edits all of them in addition.
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

// MARK: Catalogue

extension APIEntry {
  static let list = APIEntry(
    "list(values)", usage: "list { … }",
    "An observable, ordered list.",
    """
    @generic T
    @param values? T[]
    @return tidelock.List<T>
    """)

  static let dict = APIEntry(
    "dict(values)", usage: "dict { … }",
    "An observable map from texts to values.",
    """
    @param values? table
    @return tidelock.DataObject
    """)
}

extension APISection {
  static let lists = APISection(
    article: "Lists",
    entries: [.list, .dict],
    types: """
      ---An edit of a list.
      ---@class tidelock.Edit
      ---@field kind "insertion"|"removal"|"replacement"|"move"
      ---@field indexes integer[] of a move where the element was and where it is
      ---@field objects any[]

      ---@class tidelock.ListSetOptions
      ---@field key? string|fun(row: any): any what makes two rows the same

      ---What rows are put in order by.
      ---@class tidelock.SortKey
      ---@field key? tidelock.RowPath
      ---@field ascending? boolean
      ---@field descending? boolean
      ---@field order? "language"|"binary"|"natural"

      ---@alias tidelock.Sort tidelock.RowPath|tidelock.SortKey|(tidelock.RowPath|tidelock.SortKey)[]

      ---An ordered, observable list, from 1.
      ---@class tidelock.List<T> : { [integer]: T }
      ---@field isFetching boolean of a feed: whether rows are on their way
      ---@field hasMore boolean of a feed: whether there may be more rows
      local List = {}
      ---Adds at the end.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param ... T
      function List:append(...) end
      ---Inserts elements at a position.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param index integer
      ---@param ... T
      function List:insert(index, ...) end
      ---Takes elements out and gives them.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param index integer
      ---@param count? integer
      ---@return T ...
      function List:remove(index, count) end
      ---Removes an element; gives whether there was one.
      ---@param value any
      ---@return boolean
      function List:removeObject(value) end
      ---Moves an element to another position.
      ---@param from integer
      ---@param to integer
      function List:move(from, to) end
      ---Replaces an element.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param index integer
      ---@param value T
      function List:replace(index, value) end
      ---Takes these elements, by the smallest edit. Rows of plain tables that are alike in content,
      ---or have the same `key`, stay the same objects.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param values T[]|tidelock.List<T>
      ---@param options? tidelock.ListSetOptions
      function List:set(values, options) end
      ---Removes all elements.
      function List:clear() end
      ---Gives the position of an element, or nil.
      ---@param value any
      ---@return integer?
      function List:indexOf(value) end
      ---An iterator of index and element, over what the list holds now.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@return fun(): integer, T
      function List:each() end
      ---Gives a table of the elements.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@return T[]
      function List:totable() end
      ---Calls a function for each edit of the list.
      ---@param fn fun(change: tidelock.Edit|tidelock.Edit[]) with `batch` a list of edits
      ---@param options? tidelock.ListObserveOptions
      ---@return tidelock.Handle
      function List:observe(fn, options) end
      ---A live list of the elements that pass.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param fn fun(value: T): any
      ---@return tidelock.List<T>
      function List:filter(fn) end
      ---A live list in order.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param key? tidelock.Sort|fun(value: T): any|fun(a: T, b: T): boolean
      ---@return tidelock.List<T>
      function List:sorted(key) end
      ---A live list of what the function makes of each element.
      ---@generic T, U
      ---@param self tidelock.List<T>
      ---@param fn fun(value: T): U
      ---@return tidelock.List<U>
      function List:map(fn) end
      ---A live list of groups, each with its `key` and `items`.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param key tidelock.RowPath|fun(value: T): any
      ---@return tidelock.List<tidelock.Group<T>>
      function List:group(key) end
      ---A live list of some of the elements.
      ---@generic T
      ---@param self tidelock.List<T>
      ---@param index integer
      ---@param count integer
      ---@return tidelock.List<T>
      function List:slice(index, count) end
      ---Asks the feed for further rows.
      ---@return boolean
      function List:fetchMore() end
      """)
}
