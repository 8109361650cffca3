import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  func installViews() throws {
    let metatable = try lua.table(["__metatable": false, "__name": "view"])
    var constructors: [String: LuaFunction] = [:]
    let placeholders = try placeholdersFunction()
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "view") { [unowned self] call in
          let name = try call.string(1)
          if name == "placeholders" { return call.return(.function(placeholders)) }
          if let known = constructors[name] { return call.return(.function(known)) }
          let viewClass = try viewClasses.find(name)
          let made = try function(named: "view.\(name)") { [unowned self] call in
            let fields = call.isNil(0) ? nil : try call.table(0)
            try call.return(luaValue(makeView(viewClass, fields)))
          }
          constructors[name] = made
          call.return(.function(made))
        }))
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "view") { call in
          throw TideError(.readOnly, "view.\(call.stringIfAny(1) ?? "") cannot be assigned to")
        }))
    let view = try lua.table()
    try view.setMetatable(metatable)
    try publish("view", .table(view))
    try installViewFinder()
    try define("show") { [unowned self] call in try show(self.view(call, 0)) }
  }

  private func installViewFinder() throws {
    let metatable = try lua.table(["__metatable": false, "__name": "views"])
    try metatable.rawSet(
      "__index",
      .function(
        function(named: "views") { [unowned self] call in
          let id = try call.string(1)
          guard let found = self.view(withID: id) else {
            throw TideError(
              .unknownView,
              "no shown view has the id \"\(id)\"\(NearestName.hint(for: id, in: viewIDs))")
          }
          try call.return(luaValue(found))
        }))
    try metatable.rawSet(
      "__newindex",
      .function(
        function(named: "views") { call in
          throw TideError(
            .readOnly,
            "views are found by their ids; give the view id = \"\(call.stringIfAny(1) ?? "")\"")
        }))
    let table = try lua.table()
    try table.setMetatable(metatable)
    try publish("views", .table(table))
  }

  func view(_ call: borrowing LuaCall, _ index: Int) throws -> View {
    guard let view = call.object(index)?.dataObject as? View else {
      throw call.wrongType(index, "view")
    }
    return view
  }

  /// Shows a view in place of the one shown before; that of a new version when the version is good.
  func show(_ view: View) throws {
    if scene != nil, succession != nil {
      succession?.view = view
    } else if let scene {
      try scene.show(view)
    } else {
      scene = try Scene(root: view)
    }
    resolveNames()
    if let scene { onShow?(scene) }
  }

  func view(withID id: String) -> View? {
    guard let coming = succession?.view else { return scene?.window.find(id) }
    return coming[.id] == id ? coming : coming.find(id)
  }

  /// The ids of all shown views.
  var viewIDs: [String] {
    guard let top = succession?.view ?? scene?.window else { return [] }
    var found: [String] = []
    var stack: [View] = [top]
    while let view = stack.popLast() {
      if let id = view[.id] { found.append(id) }
      stack.append(contentsOf: view.subviews)
    }
    return found.sorted()
  }

  // MARK: Making views

  /// Makes a view from a table: fields are properties, `bindTo`, `on` and `keys`; the rest are
  /// subviews.
  func makeView(_ viewClass: ViewClass, _ fields: LuaTable?) throws -> View {
    try charge(Self.size(properties: viewClass.shape.properties.count))
    let view = viewClass.make()
    noteMaking(of: view)
    guard let fields else { return view }
    try perform(batching: true) {
      for (key, value) in try fields.entries() {
        if case .string(let name) = key, name != "bindTo" { try set(name, value, of: view) }
      }
      // After what is set by hand, whatever order the table has.
      switch try fields["bindTo"] {
      case .nil: break
      case .table(let bindings): try bind(view, to: bindings)
      case let other:
        throw TideError(
          .badArgument, "bindTo maps names of properties to expressions; it is not \(other.preview)"
        )
      }
      for child in try fields.sequence() { try add(child, to: view) }
    }
    return view
  }

  private func set(_ name: String, _ value: LuaValue, of view: View) throws {
    switch (name, value) {
    case ("on", .table(let table)): try addHandlers(table, to: view)
    case ("keys", .table(let table)): try addKeys(table, to: view)
    case ("on", _):
      throw TideError(
        .badArgument, "on maps names of events to functions; it is not \(value.preview)")
    case ("keys", _):
      throw TideError(
        .badArgument, "keys maps names of keys to functions; it is not \(value.preview)")
    case ("cell", .function(let function)) where view is ListView:
      try setCellMaker(function, of: view)
    case ("cell", _) where view is ListView:
      throw TideError(
        .badArgument, "cell is a function that gives a row's view; it is not \(value.preview)")
    case ("restorationIdentifier", _): try view.set("id", self.value(from: value))
    case (_, .function(let function)):
      guard view.shape.index(of: name) != nil else { throw unknown(name, of: view) }
      var options = BindingOptions()
      options.location = location
      try bind(view, name, options, to: function)
    default:
      guard let index = view.shape.index(of: name) else { throw unknown(name, of: view) }
      try assign(value, to: view, index)
    }
  }

  private func unknown(_ name: String, of view: View) -> TideError {
    let names = view.shape.properties.map(\.name) + ["bindTo", "on", "keys"]
    return TideError(
      .unknownProperty,
      "\(view.viewClass.name) has no property \"\(name)\"\(NearestName.hint(for: name, in: names))")
  }

  private func add(_ child: LuaValue, to view: View) throws {
    switch child {
    case .object(let object):
      guard let subview = object.dataObject as? View else { throw notAView(child, view) }
      try view.add(subview)
    case .function(let function): try addLiveChildren(of: view, by: function)
    case .boolean(false): break
    default: throw notAView(child, view)
    }
  }

  private func notAView(_ value: LuaValue, _ view: View) -> TideError {
    TideError(
      .wrongType,
      "the subviews of \(view.viewClass.name) are views or functions, not \(value.preview)")
  }

  /// Children that a function gives: made anew when what it read has changed.
  private func addLiveChildren(of view: View, by function: LuaFunction) throws {
    let anchor = ViewClass.view.make()
    try anchor.set("hidden", true)
    try view.add(anchor)
    var shown: [View] = []
    let home = context
    let inner = BindingContext("children", in: table)
    let effect = home.effect { [unowned self, weak view] in
      inner.removeAll()
      guard let view else { return }
      let made = try table.with(inner) { try perform { try function.call([]) } }
      try graph.untracked {
        for old in shown { old.remove() }
        shown = []
        for value in try made.flatMap({ try $0.table?.sequence() ?? [$0] }) where value.isTruthy {
          guard let child = value.object?.dataObject as? View else { throw notAView(value, view) }
          let place = view.subviews.firstIndex { $0 === anchor } ?? view.subviews.count
          try view.add(child, at: place)
          shown.append(child)
        }
      }
    }
    home.own {
      effect.cancel()
      inner.removeAll()
    }
  }

  private func setCellMaker(_ function: LuaFunction, of view: View) throws {
    guard let list = view as? ListView else { return }
    let home = context
    list.makeCell = { [unowned self] object, index in
      try table.with(home) {
        try perform {
          let made = try function.call([luaValue(object), .integer(index)]).first ?? .nil
          guard let cell = made.object?.dataObject as? View else {
            throw TideError(
              .wrongType, "a list's cell function gives a view, not \(made.preview)")
          }
          return cell
        }
      }
    }
  }

  // MARK: bindTo

  private func bind(_ view: View, to table: LuaTable) throws {
    for (key, value) in try table.entries() {
      guard case .string(let property) = key else {
        throw TideError(.badArgument, "bindTo maps names of properties to expressions")
      }
      guard view.shape.index(of: property) != nil else { throw unknown(property, of: view) }
      if let text = value.string {
        try bind(view, property, to: text, BindingOptions())
      } else if let given = value.table, let text = try given["path"].string {
        try bind(view, property, to: text, bindingOptions(given).options)
      } else if let given = value.table, let sources = try given["path"].table {
        try bindPattern(of: view, property, to: sources, bindingOptions(given).options)
      } else {
        throw TideError(
          .badArgument,
          "bindTo.\(property) is an expression, or a table with path and options")
      }
    }
  }

  /// Binds a property to a path: seen from the view, or from a model.
  private func bind(
    _ view: View, _ property: String, to text: String, _ options: BindingOptions
  ) throws {
    let expression = try ViewExpression(text).binding(to: property)
    try bind(view, .expression(expression), "\(property): \(text)", options)
  }

  /// Shows several values in one text: `path = { … }, format = "%s %s"`.
  private func bindPattern(
    of view: View, _ property: String, to sources: LuaTable, _ options: BindingOptions
  ) throws {
    let paths = try sources.sequence().map { element in
      guard case .string(let path) = element else {
        throw TideError(
          .badArgument, "the paths of bindTo.\(property) are texts; found \(element.preview)")
      }
      return path
    }
    var options = options
    let plan = try BindingPlan(paths, to: property, format: options.format)
    options.format = nil
    try bind(view, plan, "\(property): \(paths.joined(separator: ", "))", options)
  }

  private func bind(
    _ view: View, _ plan: BindingPlan, _ text: String, _ options: BindingOptions
  ) throws {
    var options = options
    options.location = location
    noteClasses(in: plan.paths, at: location)
    try begin(WaitingViewBinding(plan, text, view, options, context))
  }
}
