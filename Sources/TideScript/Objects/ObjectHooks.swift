import CTideLua
import TideBindings
import TideGraph
import TideLua
import TideViews

// Hooks for property accesses that the shim cannot handle itself. They are nonisolated, because a
// closure in isolated code checks its isolation at every call.

extension Runtime {
  func installObjectHooks() {
    var hooks = LuaObjectHooks()
    hooks.context = Unmanaged.passUnretained(self).toOpaque()
    hooks.arena = graph.memory
    hooks.settle = { home in withRuntime(home) { $0.graph.catchUp() } }
    hooks.failed = { home, observer, frame in
      let runtime = runtime(home)
      let error = runtime.lua.error(ending: &frame.pointee)
      runtime.table.endUnfinished()
      runtime.graph.report(TideError(error), of: observer)
    }
    hooks.prepare = { home, slot in withRuntime(home) { $0.prepare(slot) } }
    hooks.wants = { home, slot in withRuntime(home) { $0.waits(for: slot) } }
    hooks.text = { home, slot, text in
      LuaText.put(slot.textContent, in: text) ? 0 : 1
    }
    hooks.changed = { home, slot in
      withRuntime(home) { $0.graph.changed(slot) }
      return 0
    }
    hooks.release = { _, slot in slot.releasePayload() }
    hooks.write = { home, slot, call in runtime(home).write(slot, call) }
    hooks.object = { home, slot, call in
      let runtime = runtime(home)
      return runtime.lua.status {
        let value = slot.load()
        LuaCall(call, in: runtime.lua).return(try runtime.luaValue(value, of: slot))
        // The object may have joined the graph just now. The shim finds it from now on.
        if case .object(let object) = value { slot.noteFirstSlot(of: object) }
      }
    }
    hooks.index = { home, header, call in runtime(home).index(header, call) }
    hooks.newindex = { home, header, call in runtime(home).newindex(header, call) }
    hooks.length = { home, header, call in runtime(home).length(header, call) }
    hooks.pairs = { home, header, call in runtime(home).pairs(header, call) }
    hooks.loop = { home, header in
      withRuntime(home) { runtime in
        guard let list = header.block as? ValueList else { return nil }
        return Unmanaged.passRetained(ListLoop(over: list, among: runtime.listLoops)).toOpaque()
      }
    }
    hooks.step = { home, rows, index, call in runtime(home).step(rows, Int(index), call) }
    hooks.describe = { home, header, call in
      let runtime = runtime(home)
      return runtime.lua.status {
        LuaCall(call, in: runtime.lua).return(runtime.describe(header.block))
      }
    }
    hooks.measure = { home in runtime(home).measure() }
    hooks.define = { home, number in runtime(home).define(number) }
    hooks.adopt = { _, header in adopt(header) }
    lua.setObjectHooks(hooks)
  }

  /// Describes a class to Lua when its first object is passed there.
  private func define(_ number: UInt32) -> Int32 {
    lua.status {
      guard let shape = Shape.numbered(number) else {
        throw TideError(.disposed, "this object's class is gone")
      }
      try defineClass(shape)
    }
  }

  /// Describes a shape to Lua, superclasses first, and adds the methods of its kind.
  @discardableResult
  func defineClass(_ shape: Shape) throws -> LuaTable {
    if lua.isClassDefined(shape.number) { return try lua.methods(ofClass: shape.number) }
    var parent: UInt32 = 0
    if let superclass = shape.superclass {
      try defineClass(superclass)
      parent = superclass.number
    }
    do {
      let methods = try lua.defineClass(
        shape.number, name: shape.name, properties: shape.declaration.names, parent: parent)
      try addBuiltInMethods(to: methods, of: shape)
      try addSwiftMethods(to: methods, of: shape)
      return methods
    } catch {
      // If memory did not suffice for all methods, the next use tries again.
      lua.forgetClass(shape.number)
      throw error
    }
  }

  // MARK: Hooks

  private func prepare(_ slot: Slot) -> Int32 {
    do {
      if _slowPath(calls.justEvaluated != nil), slot == calls.justEvaluated {
        calls.justEvaluated = nil
        try graph.trackEvaluated(slot)
      } else {
        try graph.refreshTracking(slot)
      }
      try checkSelection(behind: slot)
      return 0
    } catch {
      return lua.fail(scriptError(error))
    }
  }

  /// Throws if the acting person has not seen the controller's current selection, which another
  /// person or the program has changed.
  func checkSelection(of controller: @autoclosure () -> Controller?) throws {
    guard let history = table.selectionHistory, history.isChecking, !graph.isBusy,
      let controller = controller()
    else { return }
    try history.check(controller)
  }

  private func checkSelection(behind slot: @autoclosure () -> Slot) throws {
    guard let history = table.selectionHistory, history.isChecking, !graph.isBusy else { return }
    try history.check(slot())
  }

  /// Wraps an error. The message of a cycle names its members.
  func scriptError(_ error: any Error) -> any Error {
    if let error = error as? LuaError { return error }
    return TideError(wrapping: error, graph: graph)
  }

  private func write(_ slot: Slot, _ call: UnsafeMutablePointer<TideCall>) -> Int32 {
    lua.status {
      let call = LuaCall(call, in: lua)
      guard let header = slot.blockHeader, let object = header.block as? DataObject else { return }
      try assign(call.value(2), to: object, slot - header - 1)
    }
  }

  /// Writes a property, as an assignment in a script does.
  func assign(_ value: LuaValue, to object: DataObject, _ index: Int) throws {
    let property = object.shape.propertiesByIndex[index]
    if let rows = object as? RowsView, try set(property.name, value, ofRows: rows) { return }
    if property.name == "key", let view = object as? View, setItemKey(value, of: view) { return }
    if property.name == "keys", let view = object as? View { return try setKeys(value, of: view) }
    if property.name == "contextMenu", value.function == nil, let view = object as? View {
      return try setContextMenu(value, of: view)
    }
    // A computed property's list belongs to its function, and a read-only one cannot be replaced.
    if case .table(let table) = value, property.derive == nil, !property.isReadOnly,
      try !hasMetatable(table)
    {
      let held = graph.untracked { object.slot(index).load() }
      if case .object(let list as ValueList) = held, !list.isReadOnly, try table.isSequence {
        guard property.validate != nil else { return try set(list, to: table) }
        let rows = try RowMatcher(self).rows(of: table, with: graph.untracked { list.values })
        let admitted = try object.admitted(index, .object(ValueList(rows)))
        guard case .object(let judged as ValueList) = admitted else {
          _ = try object.store(index, admitted, settling: true)
          return
        }
        return try list.set(judged === list ? rows : judged.values)
      }
    }
    try object.write(index, self.value(from: value))
  }

  private func index(_ header: Slot, _ call: UnsafeMutablePointer<TideCall>) -> Int32 {
    lua.status {
      let call = LuaCall(call, in: lua)
      guard let object = header.block as? DataObject else { return }
      switch object {
      case let list as ValueList:
        if let number = try call.value(1).wholeNumber {
          try checkSelection(behind: list.versionSlot)
          let element = list[number.position] ?? .null
          return try call.return(luaValue(element, heldBy: list, at: .integer(number)))
        }
      case let dictionary as DictionaryObject:
        if let key = DictionaryKey(try call.value(1)) {
          return try call.return(luaValue(dictionary[key], heldBy: dictionary, at: key.luaValue))
        }
      default:
        let key = try call.value(1)
        guard case .string(let name) = key, name.utf8.count <= TextLimit.bytes else {
          throw unknownKey(key, of: object)
        }
        // Lua knows properties only by their main names.
        if let index = object.shape.index(of: name) {
          let slot = object.slot(index)
          return try call.return(luaValue(graph.read(slot), of: slot))
        }
        try checkSelection(of: (object as? SelectionProxy)?.controller)
        // A proxy knows the names of the objects it stands for.
        if let value = try object.dynamicValue(of: name) { return try call.return(luaValue(value)) }
      }
      throw unknownKey(try call.value(1), of: object)
    }
  }

  private func unknownKey(_ key: LuaValue, of object: DataObject) -> TideError {
    guard case .string(let name) = key else {
      return TideError(.unknownProperty, "\(object.label) has no property \(key.preview)")
    }
    var names = object.shape.properties.flatMap { [$0.name] + $0.aliases }
    names += methodNames(of: object)
    var hint = NearestName.hint(for: name, in: names)
    if hint.isEmpty, object is ValueList, Self.meansLength(name) {
      hint = "; how many elements it has is #list, in a path @count"
    }
    if hint.isEmpty {
      let own = object.shape.namesOwnFirst
      hint = NearestName.listing(own.isEmpty ? methodNames(of: object) : own)
    }
    return TideError(
      .unknownProperty, "\(object.label) has no property \"\(name.inMessage)\"\(hint)")
  }

  /// Whether a name resembles a usual name for the length of a list.
  private static func meansLength(_ name: String) -> Bool {
    let names = ["count", "length", "size"]
    return names.contains(name) || NearestName.find(name, in: names) != nil
  }

  private func newindex(_ header: Slot, _ call: UnsafeMutablePointer<TideCall>) -> Int32 {
    lua.status {
      let call = LuaCall(call, in: lua)
      guard let object = header.block as? DataObject else { return }
      try charge(Weight.element)
      switch object {
      case let list as ValueList:
        if let number = try call.value(1).wholeNumber {
          return try set(list, number, value(from: call.value(2)))
        }
      case let dictionary as DictionaryObject:
        if let key = DictionaryKey(try call.value(1)) {
          try charge(Weight.entry + dictionary.growth + key.byteCount)
          return dictionary.set(key, try value(from: call.value(2)))
        }
      default:
        guard case .string(let name) = try call.value(1) else { break }
        if let index = object.shape.index(of: name) {
          return try assign(call.value(2), to: object, index)
        }
        try checkSelection(of: (object as? SelectionProxy)?.controller)
        if let proxyProperty = object.proxyProperty(for: [.property(name)]) {
          return try proxyProperty.set("value", value(from: call.value(2)))
        }
      }
      throw unknownKey(try call.value(1), of: object)
    }
  }

  /// `l[i] = v`: replaces an element. One past the end appends; nil at the end removes.
  private func set(_ list: ValueList, _ number: Int, _ value: Value) throws {
    let count = graph.untracked { list.count }
    if number == count + 1 {
      if value != .null { try list.append(value) }
    } else if value == .null && number == count {
      try list.remove(numbered: number, count: 1)
    } else {
      if value == .null {
        throw TideError(.badArgument, "a list holds no nil; use null, or remove the element")
      }
      try list.replace(at: list.position(numbered: number), with: value)
    }
  }

  private func length(_ header: Slot, _ call: UnsafeMutablePointer<TideCall>) -> Int32 {
    lua.status {
      let call = LuaCall(call, in: lua)
      switch header.block {
      case let list as ValueList:
        try checkSelection(behind: list.versionSlot)
        call.return(list.count)
      case let dictionary as DictionaryObject: call.return(dictionary.count)
      case let object as DataObject:
        throw TideError(.wrongType, "\(object.label) has no length; it is not a list")
      default: break
      }
    }
  }

  private func pairs(_ header: Slot, _ call: UnsafeMutablePointer<TideCall>) -> Int32 {
    lua.status {
      let call = LuaCall(call, in: lua)
      guard let object = header.block as? DataObject else { return }
      call.return(.function(try iterator(over: object)))
      call.return(.nil)
      call.return(.nil)
    }
  }

  /// The step of a loop over a list: returns the next index and its element.
  private func step(
    _ rows: UnsafeMutableRawPointer, _ index: Int, _ call: UnsafeMutablePointer<TideCall>
  ) -> Int32 {
    lua.status {
      let call = LuaCall(call, in: lua)
      let loop = Unmanaged<ListLoop>.fromOpaque(rows).takeUnretainedValue()
      if index == 0 { try checkSelection(behind: loop.list.versionSlot) }
      guard let element = loop[index] else { return }
      call.return(index + 1)
      try call.return(luaValue(element, heldBy: loop.list, at: .integer(index + 1)))
    }
  }

  /// Iterates over the names and values of properties, or over the present entries of a dict.
  private func iterator(over object: DataObject) throws -> LuaFunction {
    var next = 0
    if let dictionary = object as? DictionaryObject {
      let entries = try dictionary.keys.map { (key: $0, value: dictionary[$0]) }
      return try function(named: "next") { [unowned self] call in
        guard next < entries.count else { return call.return(.nil) }
        let entry = entries[next]
        next += 1
        call.return(entry.key.luaValue)
        try call.return(luaValue(entry.value, heldBy: dictionary, at: entry.key.luaValue))
      }
    }
    let names = object.shape.properties.map(\.name)
    return try function(named: "next") { [unowned self] call in
      guard next < names.count else { return call.return(.nil) }
      let name = names[next]
      next += 1
      call.return(name)
      try call.return(luaValue(object.value(of: name), heldBy: object, at: .string(name)))
    }
  }

  func describe(_ block: Block?) -> String {
    switch block {
    case let object as ScriptObject: object.summary
    case let described as any DescribedObject: described.describedText
    case let object as DataObject: object.label
    default: "object"
    }
  }
}

@inline(__always)
private func withRuntime<Result>(
  _ home: UnsafeMutableRawPointer?, _ body: (Runtime) -> Result
) -> Result {
  guard let home else { preconditionFailure("a hook without its runtime") }
  return Runtime.keeping(.fromOpaque(home), body)
}

private func runtime(_ home: UnsafeMutableRawPointer?) -> Runtime {
  guard let home else { preconditionFailure("a hook without its runtime") }
  return Unmanaged<Runtime>.fromOpaque(home).takeUnretainedValue()
}

/// Whether Lua retains an object: objects made by scripts belong to Lua, objects made by the host
/// do not.
private func adopt(_ header: Slot) -> Bool {
  guard let object = header.block, Runtime.isScriptOwned(object) else { return false }
  _ = Unmanaged.passRetained(object as AnyObject)
  return true
}

extension Slot {
  /// The text of a slot, whether Lua or Swift wrote it.
  fileprivate var textContent: String {
    if case .string(let text) = load() { return text }
    return ""
  }
}

extension LuaValue {
  /// A whole number, by which scripts address an element of a list.
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }
}
