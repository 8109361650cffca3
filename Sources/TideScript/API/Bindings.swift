import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installBindings() throws {
    // Each of its forms says how many arguments it takes.
    try define("bind(...)") { [unowned self] call in
      try call.return(luaValue(of: bind(call)))
    }
    try define("binding(expression, options)") { [unowned self] call in
      let expression = try call.name(0, "an expression")
      let options = call.isNil(1) ? nil : try bindingOptions(call.table(1)).options
      try call.return(luaValue(of: binding(expression, options)))
    }
    try define("unbind(object, path)") { [unowned self] call in
      let object = try object(call, 0)
      let path = call.isNil(1) ? nil : try Path(call.name(1, "a path"))
      let found =
        try path.map { try table.bindings(of: object, at: $0) }
        ?? table.bindings(of: object, property: nil)
      for binding in found { binding.unbind() }
    }
    try define("bindings(object)") { [unowned self] call in
      let object = call.isNil(0) ? nil : try object(call, 0)
      let found = try table.bindings(of: object, property: nil).map {
        try luaValue(of: ScriptBinding($0, in: table))
      }
      call.return(.table(try lua.table(found)))
    }
    try define("errors(options)") { [unowned self] call in
      let options = try CallOptions(call, 0, of: "errors", ["editing"])
      let listed = try options.flag("editing") ?? false ? errorsOfEdits : errors
      call.return(.table(try lua.table(listed.map { try luaValue(of: $0) })))
    }
    try define("transformer(name, transform)") { [unowned self] call in
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
    try installBindingMethods()
  }

  private func expectTransformer(_ call: borrowing LuaCall, _ index: Int) throws {
    let tag = call.tag(index)
    if tag != LuaTag.function, tag != LuaTag.table {
      throw call.wrongType(index, "function, or table with transform and reverse,")
    }
  }

  /// Registers a script's transformer; arguments in an expression follow the value in its calls.
  private func register(_ name: String, _ value: LuaValue) throws {
    guard (try? TransformCall.sequence(name)) == [TransformCall(name)] else {
      throw TideError(
        .badArgument,
        "a transformer's name is one word, as it stands after \"|\" in a binding, not \"\(name)\"")
    }
    // A registered one is no context's, nor its owner's.
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

  /// An error as scripts see it.
  func luaValue(of error: TideError) throws -> LuaValue {
    let table = try lua.table([
      "code": .string(error.code.name),
      "number": .string(error.code.label),
      "message": .string(error.message),
      "path": error.path.map { .string($0) } ?? .nil,
      "location": error.location.map { .string("\($0)") } ?? .nil,
    ])
    try table.setMetatable(api.metatables.error)
    return .table(table)
  }

  func luaValue(of binding: ScriptBinding) throws -> LuaValue {
    .userdata(try lua.userdata(for: binding, metatable: api.metatables.binding))
  }

  // MARK: Making

  private static let bindForm: Signature = "bind(expression, left, right, options)"
  private static let bindNamesForm: Signature = "bind(expression, options)"
  private static let bindFunctionForm: Signature = "bind(object, property, fn, options)"
  private static let bindPatternForm: Signature = "bind(sources, target, left, right, options)"
  private static let bindPatternNamesForm: Signature = "bind(sources, target, options)"

  private func bind(_ call: borrowing LuaCall) throws -> ScriptBinding {
    if let target = call.object(0)?.dataObject { return try bindFunction(call, to: target) }
    if call.tag(0) == LuaTag.table { return try bindPattern(call) }
    let expression = try call.name(0, "an expression")
    guard call.count > 2 || call.object(1) != nil else {
      let (options, roots) =
        call.isNil(1) ? (nil, [:]) : try bindingOptions(call.table(1))
      return try bindNames(expression, options, roots)
    }
    if call.tag(1) == LuaTag.table {
      // Names in the expression, and too much behind the options.
      try Self.bindNamesForm.refuseMore(call, from: 2)
    }
    let left = try object(call, 1), right = try object(call, 2)
    try Self.bindForm.refuseMore(call, from: 4)
    let options = call.isNil(3) ? nil : try bindingOptions(call.table(3)).options
    let binding = try binding(expression, options)
    try binding.connect(left, right)
    return binding
  }

  /// A binding that has no ends yet.
  private func binding(
    _ expression: String, _ options: BindingOptions?
  ) throws -> ScriptBinding {
    let location = location
    if options == nil, let last = contexts.lastBindingSource, last.isShared, last.text == expression,
      last.location == location
    {
      return ScriptBinding(last, nil, in: context)
    }
    let source = BindingSource(
      .expression(try BindingExpression(expression)), expression, at: location,
      name: options?.name, isShared: options == nil, in: table)
    noteClasses(in: source.plan?.paths ?? [], at: location)
    contexts.lastBindingSource = source
    return ScriptBinding(source, options, in: context)
  }

  private func bindFunction(
    _ call: borrowing LuaCall, to target: DataObject
  ) throws -> ScriptBinding {
    let name = try call.name(1, "a path")
    let function = try call.function(2)
    try Self.bindFunctionForm.refuseMore(call, from: 4)
    var options = call.isNil(3) ? BindingOptions() : try bindingOptions(call.table(3)).options
    options.location = location
    return ScriptBinding(try bind(target, name, options, to: function), in: table)
  }

  /// Lets a property follow what a script's function reads.
  @discardableResult
  func bind(
    _ target: DataObject, _ name: String, _ options: BindingOptions = BindingOptions(),
    to function: LuaFunction
  ) throws -> Binding {
    let function = try kept(function)
    return try context.bind(target, name, options) { [home] in
      let runtime = try home.requireRuntime()
      return try runtime.derive { try runtime.value(from: function.call([]).first ?? .nil) }
    }
  }

  /// Binds by names: models, views' ids, and the option `roots`. What is not there yet is waited for.
  @discardableResult
  func bindNames(
    _ expression: String, _ options: BindingOptions?, _ roots: [String: DataObject]
  ) throws -> ScriptBinding {
    try wait(for: binding(expression, options), roots)
  }

  /// Several values in one text: `bind({ "person.first", "person.last" }, "label.text", { … })`, or
  /// with the objects as for an expression.
  private func bindPattern(_ call: borrowing LuaCall) throws -> ScriptBinding {
    let sources = try call.table(0).elements(of: "the sources of bind").map { element in
      guard case .string(let path) = element else {
        throw TideError(.badArgument, "the sources of bind are paths; found \(element.preview)")
      }
      return path
    }
    try charge(2 * sources.reduce(0) { $0 + $1.utf8.count })
    let target = try call.name(1, "a path")
    let hasEnds = call.object(2) != nil
    let place = hasEnds ? 4 : 2
    if hasEnds {
      try Self.bindPatternForm.refuseMore(call, from: 5)
    } else {
      try Self.bindPatternNamesForm.refuseMore(call, from: 3)
    }
    let (options, roots) =
      call.isNil(place) ? (BindingOptions(), [:]) : try bindingOptions(call.table(place))
    let source = BindingSource(
      try BindingPlan(sources, to: target, format: options.format),
      "\(sources.joined(separator: ", ")) -> \(target)", at: location, name: options.name, in: table
    )
    var rest = options
    rest.format = nil
    let binding = ScriptBinding(source, rest, in: context)
    if !hasEnds { return try wait(for: binding, roots) }
    try binding.connect(object(call, 2), object(call, 3))
    return binding
  }

  /// Gives a binding the ends that it names, now or when they are there.
  private func wait(
    for binding: ScriptBinding, _ roots: [String: DataObject]
  ) throws -> ScriptBinding {
    binding.roots = roots
    try begin(WaitingBinding(binding))
    return binding
  }

  // MARK: Transformers

  /// One after the other: names, functions, tables of two functions, and lists of all of these.
  ///
  /// - Parameter user: what takes them, for messages.
  func makeTransformers(_ value: LuaValue, for user: String) throws -> [AnyTransformer] {
    var made: [AnyTransformer] = []
    try addTransformers(value, for: user, to: &made)
    return made
  }

  /// A list that contains itself must end, and so must lists that contain the same one many times.
  private func addTransformers(
    _ value: LuaValue, for user: String, to made: inout [AnyTransformer], depth: Int = 0
  ) throws {
    switch value {
    case .string(let text):
      try charge(2 * text.utf8.count)
      // Each has the text, for what is found to be wrong later.
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
      made.append(try transformer("function", pair(value, for: user) { try kept($0) }))
    }
    if made.count > 1000 {
      throw TideError(.badArgument, "a binding has at most 1000 transformers")
    }
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
    { [owner = self.home, home = context] source, target, otherwise in
      let runtime = try owner.requireRuntime()
      return try runtime.perform {
        do {
          return try function.start(from: source, to: target) { result in
            try otherwise(runtime.value(from: result.value()))
          } waits: {
            throw runtime.pending($0, of: name, in: home)
          }
        } catch is LuaNoResult {
          throw Self.noResult(of: name)
        }
      }
    }
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
    if arguments.isEmpty {
      return { [owner = self.home, home = context] value in
        let runtime = try owner.requireRuntime()
        return try runtime.perform {
          let result = try function.start(runtime.luaValue(value)) {
            throw runtime.pending($0, of: name, in: home)
          }
          guard let result else { throw Self.noResult(of: name) }
          return try runtime.value(from: result)
        }
      }
    }
    return { [owner = self.home, home = context] value in
      let runtime = try owner.requireRuntime()
      return try runtime.perform {
        let given = try ([value] + arguments).map { try runtime.luaValue($0) }
        let start = try function.start(given)
        guard case .finished(let results) = start else {
          throw runtime.pending(start, of: name, in: home)
        }
        guard let result = results.first else { throw Self.noResult(of: name) }
        return try runtime.value(from: result)
      }
    }
  }

  /// The way back, which may refuse what a person has entered: by nil and a message, as a validator.
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
        guard let result = results.first else { throw Self.noResult(of: name) }
        if result.isNil, results.count > 1 { refusal = results[1].string }
        return try runtime.value(from: result)
      }
      if let refusal { throw TideError(.refused, refusal) }
      return value
    }
  }

  /// The value of a transformer that waits. Its task ends with the binding that wants the value, and
  /// goes on in the context in which the transformer was made.
  private func pending(
    _ start: LuaStart, of name: String, in home: BindingContext
  ) -> PendingValue {
    let task = ScriptTask(self, start, in: home, clearCount: home.clearCount, belongs: false)
    return PendingValue(abandon: { task.cancel() }) { [owner = self.home, loop] _, completion in
      // The app's end cancels the task, when nobody wants the value any more.
      let deliver = { (outcome: ScriptTask.Outcome) in
        completion(Result { try owner.requireRuntime().value(of: name, from: outcome) })
      }
      if let result = task.result {
        // It must not come before whoever wants it is ready.
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
      guard let result = try outcome.get().first else { throw Self.noResult(of: name) }
      return try value(from: result)
    } catch {
      throw TideError(script: error)
    }
  }

  private static func noResult(of name: String) -> TideError {
    let which = name == "function" ? "a transformer" : "the transformer \"\(name)\""
    return TideError(
      .transformer, "\(which) returned nothing; return the value, nil if that is what it is")
  }
}
