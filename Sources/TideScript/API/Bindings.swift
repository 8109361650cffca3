import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installBindings() throws {
    // Each form has its own limit on arguments.
    try define(.bind) { [unowned self] call in
      try call.return(luaValue(of: bind(call)))
    }
    try define(.binding) { [unowned self] call in
      let expression = try call.name(0, "an expression")
      let options = call.isNil(1) ? nil : try bindingOptions(call.table(1)).options
      try call.return(luaValue(of: binding(expression, options)))
    }
    try define(.unbind) { [unowned self] call in
      let object = try object(call, 0)
      let path = call.isNil(1) ? nil : try Path(call.name(1, "a path"))
      let found =
        try path.map { try table.bindings(of: object, at: $0) }
        ?? table.bindings(of: object, property: nil)
      for binding in found { binding.unbind() }
    }
    try define(.bindings) { [unowned self] call in
      let object = call.isNil(0) ? nil : try object(call, 0)
      let found = try table.bindings(of: object, property: nil).map {
        try luaValue(of: ScriptBinding($0, in: table))
      }
      call.return(.table(try lua.table(found)))
    }
    try define(.errors) { [unowned self] call in
      let options = try CallOptions(call, of: "errors")
      let listed = try options.flag("editing") ?? false ? errorsOfEdits : errors
      call.return(.table(try lua.table(listed.map { try luaValue(of: $0) })))
    }
    try installBindingMethods()
  }

  /// An error as scripts see it.
  func luaValue(of error: TideError) throws -> LuaValue {
    let table = try lua.table([
      "code": .string(error.code.name),
      "number": .string(error.code.label),
      "message": .string(error.fullMessage),
      "path": error.path.map { .string($0) } ?? .nil,
      "location": error.location.map { .string("\($0)") } ?? .nil,
      "budget": error.budget.map { .integer($0.takenBack) } ?? .nil,
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
      // Names in the expression, and an argument after the options.
      try Self.bindNamesForm.refuseMore(call, from: 2)
    }
    let left = try object(call, 1), right = try object(call, 2)
    try Self.bindForm.refuseMore(call, from: 4)
    let options = call.isNil(3) ? nil : try bindingOptions(call.table(3)).options
    let binding = try binding(expression, options)
    try connect(binding, left, right)
    return binding
  }

  /// Connects a binding to two objects, and again to the shown views that stand for them.
  func connect(_ binding: ScriptBinding, _ left: DataObject, _ right: DataObject) throws {
    try binding.connect(left, right)
    noteConnection(of: [left, right]) { objects in
      if binding.binding?.isAlive == true { try binding.connect(objects[0], objects[1]) }
    }
  }

  /// A binding without objects.
  private func binding(
    _ expression: String, _ options: BindingOptions?
  ) throws -> ScriptBinding {
    let location = location
    if options == nil, let last = contexts.lastBindingSource, last.isShared,
      last.text == expression,
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
    let binding = ScriptBinding(try bind(target, name, options, to: function), in: table)
    noteConnection(of: [target]) { [unowned self] objects in
      try binding.replace { try bind(objects[0], name, options, to: function) }
    }
    return binding
  }

  /// Binds a property to the result of a script's function.
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

  /// Binds by names: models, ids of views, and the option `roots`. Names that do not exist yet are
  /// awaited.
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
    let index = hasEnds ? 4 : 2
    if hasEnds {
      try Self.bindPatternForm.refuseMore(call, from: 5)
    } else {
      try Self.bindPatternNamesForm.refuseMore(call, from: 3)
    }
    let (options, roots) =
      call.isNil(index) ? (BindingOptions(), [:]) : try bindingOptions(call.table(index))
    let source = BindingSource(
      try BindingPlan(sources, to: target, format: options.format),
      "\(sources.joined(separator: ", ")) -> \(target)", at: location, name: options.name, in: table
    )
    var rest = options
    rest.format = nil
    let binding = ScriptBinding(source, rest, in: context)
    if !hasEnds { return try wait(for: binding, roots) }
    try connect(binding, object(call, 2), object(call, 3))
    return binding
  }

  /// Connects a binding to the objects that it names, now or once they exist.
  private func wait(
    for binding: ScriptBinding, _ roots: [String: DataObject]
  ) throws -> ScriptBinding {
    binding.roots = roots
    try begin(WaitingBinding(binding))
    let names = roots.keys.sorted()
    noteConnection(of: names.compactMap { roots[$0] }) { [unowned self] objects in
      binding.roots = Dictionary(uniqueKeysWithValues: zip(names, objects))
      guard binding.binding?.isAlive == true else { return }
      binding.disconnect()
      try begin(WaitingBinding(binding))
    }
    return binding
  }
}

// MARK: Catalogue

extension APIEntry {
  static let bind = APIEntry(
    "bind(expression, left, right, options)", usage: "bind(\"a.b -> c.d\", …)", takesMore: true,
    """
    Connects two properties: by names, of two objects, or a property with what a function \
    reads.
    """,
    """
    @param expression string
    @param left tidelock.DataObject|tidelock.List
    @param right tidelock.DataObject|tidelock.List
    @param options? tidelock.BindingOptions
    @return tidelock.Binding
    @overload fun(expression: string, options?: tidelock.BindingOptions): tidelock.Binding
    @overload fun(object: tidelock.DataObject, property: string, fn: fun(): any, options?: tidelock.BindingOptions): tidelock.Binding
    @overload fun(sources: string[], target: string, options: tidelock.BindingOptions): tidelock.Binding
    @overload fun(sources: string[], target: string, left: tidelock.DataObject|tidelock.List, right: tidelock.DataObject|tidelock.List, options: tidelock.BindingOptions): tidelock.Binding
    """)

  static let binding = APIEntry(
    "binding(expression, options)", usage: "binding \"a <> b\"",
    "A binding that gets its ends later, by `:connect(left, right)`.",
    """
    @param expression string
    @param options? tidelock.BindingOptions
    @return tidelock.Binding
    """)

  static let unbind = APIEntry(
    "unbind(object, path)", usage: "unbind(o [, path])",
    "Ends the bindings of an object, or of one of its properties.",
    """
    @param object tidelock.DataObject|tidelock.List
    @param path? tidelock.ObjectPath
    """)

  static let bindings = APIEntry(
    "bindings(object)", usage: "bindings([o])",
    "The living bindings.",
    """
    @param object? tidelock.DataObject|tidelock.List
    @return tidelock.Binding[]
    """)

  static let errors = APIEntry(
    "errors(options)", usage: "errors([options])",
    """
    What has failed and still does; with `editing`, what people have entered that cannot be \
    taken.
    """,
    """
    @param options? { editing?: boolean }
    @return tidelock.Error[]
    """)
}

extension APISection {
  static let bindings = APISection(
    article: "Expressions",
    entries: [.bind, .binding, .unbind, .bindings, .errors],
    types: """
      ---@class tidelock.BindingOptions
      ---@field transform? tidelock.Transform
      ---@field initial? boolean
      ---@field null? any
      ---@field fallback? any
      ---@field noSelection? any
      ---@field multipleValues? any
      ---@field notApplicable? any
      ---@field format? string
      ---@field delay? number
      ---@field throttle? number
      ---@field trigger? tidelock.Trigger|tidelock.Trigger[]
      ---@field when? tidelock.SourcePath|fun(): any
      ---@field restore? boolean
      ---@field validate? fun(value: any): any, string?
      ---@field validatesImmediately? boolean
      ---@field continuous? boolean
      ---@field deliver? "settle"|"frame"
      ---@field enabled? boolean
      ---@field roots? table<string, any>
      ---@field name? string
      ---@field observe? fun(object: any, value: any, change: table)

      ---@class tidelock.Error
      ---@field code string
      ---@field number string
      ---@field message string
      ---@field path? string
      ---@field location? string
      ---@field budget? integer of a handler that its budget has stopped: to how many properties, lists and dicts its writes were taken back

      ---@class tidelock.Binding
      ---@field enabled boolean
      ---@field error? tidelock.Error
      ---@field source any
      ---@field target any
      ---@field description string
      ---@field location string
      local Binding = {}
      ---Binds the paths of the expression between two other objects.
      ---@param left tidelock.DataObject|tidelock.List
      ---@param right tidelock.DataObject|tidelock.List
      function Binding:connect(left, right) end
      ---Transfers values again.
      function Binding:enable() end
      ---Transfers no values until it is enabled.
      function Binding:disable() end
      ---Ends the binding.
      function Binding:unbind() end
      ---Transfers the value now.
      function Binding:fire() end
      ---Adds a trigger.
      ---@param trigger tidelock.Trigger
      function Binding:add(trigger) end
      ---Removes a trigger.
      ---@param trigger tidelock.Trigger
      function Binding:remove(trigger) end
      """)
}
