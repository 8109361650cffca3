import TideBindings
import TideGraph
import TideLua

extension Runtime {
  func installObservation() throws {
    try installHandles()
    try define(.observe) { [unowned self] call in
      let object = try object(call, 0)
      if call.tag(1) == LuaTag.function {
        let function = try kept(call.function(1))
        try Self.observeAllForm.refuseMore(call, from: 2)
        return try call.return(
          handle(.observation(nil), of: object) { [unowned self] object, _ in
            try observeAll(object, function)
          })
      }
      let path = try call.name(1, "a path")
      let function = try kept(call.function(2))
      let options = try CallOptions(call, 3, of: "observe", ["initial", "prior"])
      let initial = try options.flag("initial") ?? false
      let isPrior = try options.flag("prior") ?? false
      try call.return(
        handle(.observation(path), of: object) { [unowned self] object, isFirst in
          let prior = isPrior ? try observePrior(object, path, function) : nil
          let observation = try observe(object, path, function, initial: initial && isFirst)
          guard let prior else { return observation }
          return context.own {
            prior.cancel()
            observation.cancel()
          }
        })
    }
    try define(.effect) { [unowned self] call in
      try call.return(luaValue(of: makeEffect(kept(call.function(0))), .effect))
    }
    try define(.batch) { [unowned self] call in
      let function = try call.function(0)
      if call.canSuspend {
        // Called as a method, whose batch ends at each wait.
        return call.return(calling: try lua.method(function), with: try call.values(from: 1))
      }
      let results = try perform(batching: true) { try function.call(call.values(from: 1)) }
      for result in results {
        call.return(result)
      }
    }
    try define(.untracked) { [unowned self] call in
      let function = try call.function(0)
      // A function that may wait is not tracked anyway.
      if call.canSuspend {
        return call.return(calling: function, with: try call.values(from: 1))
      }
      for result in try graph.untracked({ try function.call(call.values(from: 1)) }) {
        call.return(result)
      }
    }
  }

  private static let observeAllForm: Signature = "observe(object, fn)"

  private func observe(
    _ object: DataObject, _ path: String, _ function: LuaFunction, initial: Bool
  ) throws -> ContextEntry {
    let home = context
    let listener = Listener(function, of: path, in: self)
    // Edits of a list at the path also count as changes.
    return try home.observe(object, path, by: listener, initial: initial) {
      [owner = self.home] list, changes in
      guard let runtime = owner.runtime else { return }
      try runtime.table.with(home) {
        try runtime.perform {
          let report = try runtime.report(changes, at: path)
          let list = try runtime.luaValue(.object(list))
          try function.call([list, list, report])
        }
      }
    }
  }

  /// Calls a function before each write as well.
  private func observePrior(
    _ object: DataObject, _ path: String, _ function: LuaFunction
  ) throws -> ContextEntry {
    try charge(Weight.prior)
    let home = context
    func tell(_ new: Value, _ old: Value, _ kind: ListChange.Kind?, _ runtime: Runtime) throws {
      try runtime.table.with(home) {
        _ = try runtime.perform {
          let report = try runtime.lua.table([
            "path": .string(path), "prior": true, "kind": kind.map { .string($0.rawValue) } ?? .nil,
          ])
          try function.call([runtime.luaValue(new), runtime.luaValue(old), .table(report)])
        }
      }
    }
    return try home.observePrior(object, path) { [owner = self.home] new, old in
      if let runtime = owner.runtime { try tell(new, old, nil, runtime) }
    } edited: { [owner = self.home] list, kind in
      if let runtime = owner.runtime { try tell(.object(list), .object(list), kind, runtime) }
    }
  }

  private func observeAll(_ object: DataObject, _ function: LuaFunction) throws -> ContextEntry {
    try charge(object.shape.propertiesByIndex.count * Weight.observed)
    let home = context
    switch object {
    case is ValueList:
      throw TideError(
        .badArgument, "a list's edits are observed with list:observe(function(change) … end)")
    case let dictionary as DictionaryObject:
      let observer = DictionaryObserver { [owner = self.home] key, new, old in
        guard let runtime = owner.runtime else { return }
        try runtime.table.with(home) {
          _ = try runtime.perform {
            try function.call([key.luaValue, runtime.luaValue(new), runtime.luaValue(old)])
          }
        }
      }
      dictionary.add(observer)
      return home.observe(dictionary.versionSlot, by: observer)
    default: break
    }
    return home.observe(object) { [owner = self.home] name, new, old in
      guard let runtime = owner.runtime else { return }
      try runtime.table.with(home) {
        _ = try runtime.perform {
          try function.call([.string(name), runtime.luaValue(new), runtime.luaValue(old)])
        }
      }
    }
  }

  /// Makes an effect of a script. Before each further run, everything that the last run made is
  /// disposed of, and its clean-up is called.
  func makeEffect(_ function: LuaFunction) -> ContextEntry {
    let effect = ScriptEffect(function, in: self)
    return context.effect(effect) { effect.end() }
  }
}

/// The type tags of arguments in the shim.
enum LuaTag {
  static let string = 5
  static let table = 7
  static let function = 8
}

// MARK: Catalogue

extension APIEntry {
  static let observe = APIEntry(
    "observe(object, path, fn, options)", usage: "observe(o, path, fn [, options])",
    "Calls a function when a property changes; without a path, when any does.",
    """
    @param object tidelock.DataObject|tidelock.List
    @param path tidelock.ObjectPath
    @param fn fun(new: any, old: any, change: tidelock.Change)
    @param options? tidelock.ObserveOptions
    @return tidelock.Handle
    @overload fun(object: tidelock.DataObject, fn: fun(name: string, new: any, old: any)): tidelock.Handle
    """)

  static let effect = APIEntry(
    "effect(fn)",
    "Runs a function now and whenever something it read changes.",
    """
    @param fn fun(): function?
    @return tidelock.Handle
    """)

  static let batch = APIEntry(
    "batch(fn, ...)", usage: "batch(fn)",
    "Settles once, when the function has ended.",
    """
    @param fn function
    @return any ...
    """)

  static let untracked = APIEntry(
    "untracked(fn, ...)", usage: "untracked(fn)",
    "Reads without depending on what is read.",
    """
    @param fn function
    @return any ...
    """)
}

extension APISection {
  static let observation = APISection(
    article: "Observing",
    entries: [.observe, .effect, .batch, .checkpoint, .untracked],
    types: """
      ---What `observe`, `effect`, `after` and `every` give.
      ---@class tidelock.Handle
      local Handle = {}
      ---Ends what the function has begun.
      function Handle:cancel() end

      ---@class tidelock.Change
      ---@field path string
      ---@field prior? boolean
      ---@field kind? "insertion"|"removal"|"replacement"|"move" of an edit of the list that the path leads to
      ---@field indexes? integer[]
      ---@field objects? any[]
      ---@field edits? tidelock.Edit[] where rows were arranged anew by several, of which the others are the first

      ---@class tidelock.ObserveOptions
      ---@field initial? boolean
      ---@field prior? boolean

      ---@class tidelock.ListObserveOptions
      ---@field initial? boolean
      ---@field batch? boolean
      ---@field insertion? boolean
      ---@field removal? boolean
      ---@field replacement? boolean
      ---@field move? boolean
      """)
}
