package import TideBindings
import TideGraph
package import TideLua

extension Runtime {
  func installTransformers() throws {
    try define(.transformer) { [unowned self] call in
      let name = try call.name(0, "a transformer's name")
      try admitText(name.utf8.count)
      if !call.isNil(1) {
        try expectTransformer(call, 1)
        return try register(name, call.value(1))
      }
      call.return(
        .function(
          try function(Signature("transformer \(name)", "transform")) { [unowned self] call in
            try expectTransformer(call, 0)
            try register(name, call.value(0))
          }))
    }
  }

  private func expectTransformer(_ call: borrowing LuaCall, _ index: Int) throws {
    let tag = call.tag(index)
    if tag != LuaTag.function, tag != LuaTag.table {
      throw call.wrongType(
        index, "function, table of results, or table with transform and reverse,")
    }
  }

  /// Registers a script's transformer. The arguments in an expression follow the value in its
  /// calls.
  private func register(_ name: String, _ value: LuaValue) throws {
    guard (try? TransformCall.sequence(name)) == [TransformCall(name)] else {
      throw TideError(
        .badArgument,
        "a transformer's name is one word, as it stands after \"|\" in a binding, not \"\(name)\"")
    }
    // A registered transformer belongs to no context or owner.
    if let map = try valueMap(value) {
      keepUndo(table.transformers.restorer(of: name))
      modules.module(of: context)?.transformers.insert(name)
      return table.transformers.register(name, map.transformer(name))
    }
    let functions = try pair(value, for: "transformer")
    let plain = transformer(name, functions)
    keepUndo(table.transformers.restorer(of: name))
    modules.module(of: context)?.transformers.insert(name)
    table.transformers.register(name) { [owner = home] (arguments) throws(TideError) in
      if arguments.count == 0 { return plain }
      let values = arguments.values
      let runtime = try owner.requireRuntime()
      return AnyTransformer(
        name, runtime.apply(functions.transform, values, of: name),
        reverse: functions.reverse.map { runtime.takeBack($0, values, of: name) })
    }
  }

  /// Makes transformers, to be applied in order, from names, functions, tables of two functions,
  /// and lists of these.
  ///
  /// - Parameter user: the option or function that takes them, for messages.
  package func makeTransformers(_ value: LuaValue, for user: String) throws -> [AnyTransformer] {
    var made: [AnyTransformer] = []
    try addTransformers(value, for: user, to: &made)
    return made
  }

  /// The depth and the number are limited, since a list may contain itself, or another list many
  /// times.
  private func addTransformers(
    _ value: LuaValue, for user: String, to made: inout [AnyTransformer], depth: Int = 0
  ) throws {
    switch value {
    case .string(let text):
      try charge(2 * text.utf8.count)
      // Each keeps the text for later errors.
      var texts = self.table.hold(text.utf8.count)
      for call in try TransformCall.sequence(text) {
        made.append(try self.table.transformers.make(call).keeping(texts))
        texts = nil
      }
    case .table(let table) where try table.rawCount > 0:
      guard depth < 20 else {
        throw TideError(
          .depth, "the list of transformers nests more than 20 deep, or contains itself")
      }
      for element in try table.elements(of: "a list of transformers") {
        try addTransformers(element, for: user, to: &made, depth: depth + 1)
      }
    default:
      if let map = try valueMap(value) {
        made.append(map.transformer("table"))
        break
      }
      made.append(try transformer("function", pair(value, for: user) { try kept($0) }))
    }
    if made.count > 1000 {
      throw TideError(.badArgument, "a binding has at most 1000 transformers")
    }
  }

  /// A table that maps values to results; nil for other values, such as a table with the functions
  /// `transform` and `reverse`.
  private func valueMap(_ value: LuaValue) throws -> ValueMap? {
    guard let table = value.table, try table["transform"].isNil else { return nil }
    let found = try table.entries()
    if found.isEmpty { return nil }
    if let (key, _) = found.first(where: { $0.value.function != nil }) {
      // A table of functions without `transform`: one is missing or misspelt.
      _ = try CallOptions.name(key, of: "a transformer", ["transform", "reverse"])
      return nil
    }
    var bytes = 0
    let entries = try found.map { (key, result) in
      let key = try self.value(from: key), result = try self.value(from: result)
      bytes += key.textBytes + result.textBytes + 128
      if case .object(let marker as Marker) = key, marker === Marker.otherwise {
        return MapEntry(.otherwise, result)
      }
      return MapEntry(.value(key), result)
    }
    try charge(bytes)
    return try ValueMap(entries)
  }

  /// A function, or a table with `transform` and `reverse`.
  private func transformer(
    _ name: String, _ functions: (transform: LuaFunction, reverse: LuaFunction?)
  ) -> AnyTransformer {
    var made = AnyTransformer(
      name, apply(functions.transform, of: name),
      reverse: functions.reverse.map { takeBack($0, of: name) })
    made.slotFunction = carry(through: functions.transform, of: name)
    return made
  }

  private func carry(
    through function: LuaFunction, of name: String
  ) -> AnyTransformer.SlotFunction {
    let identity = Profile.Identity()
    return { [owner = self.home, home = context] source, target, otherwise in
      let isNew: Bool? = try owner.with { runtime in
        try runtime.measuring(function, name, identity) {
          do {
            return try function.start(from: source, to: target) { result in
              try otherwise(runtime.value(from: result.value()))
            } waits: {
              throw runtime.pending($0, of: name, in: home)
            }
          } catch is LuaNoResult {
            return try otherwise(.null)
          }
        }
      }
      guard let isNew else { throw owner.endedError }
      return isNew
    }
  }

  /// Calls a transformer's function, within a profile if one is running.
  private func measuring<Result>(
    _ function: LuaFunction, _ name: String, _ identity: Profile.Identity,
    _ body: () throws -> Result
  ) throws -> Result {
    try graph.measured(
      identity,
      Profile.Name(.transformer, name, at: function.location.map { "\(SourceLocation($0))" } ?? "")
    ) { try perform(body) }
  }

  private func pair(
    _ value: LuaValue, for user: String, keep: (LuaFunction) throws -> LuaFunction = { $0 }
  ) throws -> (transform: LuaFunction, reverse: LuaFunction?) {
    if let function = value.function { return (try keep(function), nil) }
    guard let table = value.table, try !table["transform"].isNil else {
      throw TideError(
        .badArgument,
        "\(user): a transformer is a function, or a table with the functions transform and reverse, "
          + "not \(value.preview)")
    }
    let functions = try CallOptions(table, of: "a transformer", ["transform", "reverse"])
    guard let forward = try functions.function("transform") else {
      throw CallOptions.wrong("transform", of: "a transformer", "a function", .nil)
    }
    return (try keep(forward), try functions.function("reverse").map(keep))
  }

  private func apply(
    _ function: LuaFunction, _ arguments: [Value] = [], of name: String
  ) -> AnyTransformer.Function {
    let identity = Profile.Identity()
    if arguments.isEmpty {
      return { [owner = self.home, home = context] value in
        let runtime = try owner.requireRuntime()
        return try runtime.measuring(function, name, identity) {
          let result = try function.start(runtime.luaValue(value)) {
            throw runtime.pending($0, of: name, in: home)
          }
          return try runtime.value(from: result ?? .nil)
        }
      }
    }
    return { [owner = self.home, home = context] value in
      let runtime = try owner.requireRuntime()
      return try runtime.measuring(function, name, identity) {
        let given = try ([value] + arguments).map { try runtime.luaValue($0) }
        let start = try function.start(given)
        guard case .finished(let results) = start else {
          throw runtime.pending(start, of: name, in: home)
        }
        return try runtime.value(from: results.first ?? .nil)
      }
    }
  }

  /// The reverse function, which may refuse a person's input by returning nil and a message, like a
  /// validator.
  private func takeBack(
    _ function: LuaFunction, _ arguments: [Value] = [], of name: String
  ) -> AnyTransformer.Function {
    { [owner = self.home, home = context] entered in
      let runtime = try owner.requireRuntime()
      var refusal: String?
      let value: Value = try runtime.perform {
        let given = try ([entered] + arguments).map { try runtime.luaValue($0) }
        let start = try function.start(given)
        guard case .finished(let results) = start else {
          throw runtime.pending(start, of: name, in: home)
        }
        let result = results.first ?? .nil
        if result.isNil, results.count > 1 { refusal = results[1].string }
        return try runtime.value(from: result)
      }
      if let refusal { throw TideError(.refused, refusal) }
      return value
    }
  }

  /// The value of a waiting transformer. Its task is cancelled with the binding that needs the
  /// value, and continues in the context in which the transformer was made.
  private func pending(
    _ start: LuaStart, of name: String, in home: BindingContext
  ) -> PendingValue {
    let task = ScriptTask(self, start, in: home, clearCount: home.clearCount, belongs: false)
    return PendingValue(abandon: { task.cancel() }) { [owner = self.home, loop] _, completion in
      // The end of the app cancels the task when the value is no longer needed.
      let deliver = { (outcome: ScriptTask.Outcome) in
        completion(Result { try owner.requireRuntime().value(of: name, from: outcome) })
      }
      if let result = task.result {
        // Delayed, because the result must not arrive before the receiver is ready.
        let timer = loop.after(0) { deliver(result) }
        return { timer.cancel() }
      }
      let number = task.whenEnded(deliver)
      return {
        task.forget(number)
        task.cancel()
      }
    }
  }

  private func value(of name: String, from outcome: ScriptTask.Outcome) throws -> Value {
    do {
      return try value(from: outcome.get().first ?? .nil)
    } catch {
      throw TideError(script: error)
    }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let transformer = APIEntry(
    "transformer(name, transform)", usage: "transformer(name, fn)",
    "A transformer that expressions name after `|`.",
    """
    @param name string
    @param transform tidelock.TransformFunction|tidelock.TransformPair|table<any, any>
    @overload fun(name: string): fun(transform: tidelock.TransformFunction|tidelock.TransformPair|table<any, any>)
    """)
}

extension APISection {
  static let transformers = APISection(
    article: "Transformers",
    entries: [.transformer],
    types: """
      ---@alias tidelock.TransformFunction fun(value: any, ...): any

      ---@class tidelock.TransformPair
      ---@field transform tidelock.TransformFunction
      ---@field reverse? tidelock.TransformFunction

      ---@alias tidelock.Transform tidelock.TransformerName|string|tidelock.TransformFunction|tidelock.TransformPair|table
      """)
}
