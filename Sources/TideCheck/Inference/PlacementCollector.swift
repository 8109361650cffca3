import TideBindings
import TideScript
import TideViews

/// Finds the roles of parameters and the places of views from their context: `self` in a method,
/// the row that a list passes to its cells, the superview of a view in another view's table.
struct PlacementCollector {
  private let app: AppIndex
  private var inference: TypeInference { app.inference }
  private var context: InferenceContext { app.inference.context }

  init(_ app: AppIndex) { self.app = app }

  func collect(_ script: Script) {
    for expression in calls(of: script) {
      switch expression.kind {
      case .call(let callee, let arguments): note(call: expression, callee, arguments)
      case .method(let base, let name, _, let arguments): note(method: name, of: base, arguments)
      default: break
      }
    }
    for assignment in script.assignments { note(assignment) }
  }

  private func note(_ assignment: Script.Assignment) {
    switch assignment.name {
    case "filter"?, "sort"?:
      for parameter in (assignment.value.functionBody?.parameters ?? []).prefix(2) {
        context.note(.rowOf(controller: assignment.owner), of: parameter)
      }
    case "content"?:
      if let controller = inference.controllerCall(assignment.owner) {
        context.note(content: assignment.value, of: controller)
      }
    case nil:
      // Elements of plain tables are not rows.
      if let list = inference.emptyList(assignment.owner) {
        context.note(additions: [assignment.value], to: list)
      }
    default: break
    }
    guard assignment.name != nil, DeclarationCollector.isLiteralList(assignment.value, inference),
      let list = inference.emptyList(assignment.target)
    else { return }
    context.note(additions: rows(of: assignment.value), to: list)
  }

  /// The rows of `{ … }` or `list { … }`.
  private func rows(of list: LuaExpression) -> [LuaExpression] {
    if let fields = list.fields { return fields.map(\.value) }
    guard case .call(_, let arguments) = list.kind else { return [] }
    return arguments.first?.fields?.map(\.value) ?? []
  }

  private func calls(of script: Script) -> [LuaExpression] {
    if let known = script.placements, known.hidden == inference.hidden { return known.calls }
    let found = ScriptPlacements(script, app)
    script.placements = found
    return found.calls
  }

  private func note(call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression]) {
    noteSelf(of: call, callee, arguments)
    if let made = inference.viewClass(of: call) {
      return note(view: made.name, call, arguments.first?.fields ?? [])
    }
    guard let function = inference.function(callee) else {
      if inference.path(of: callee) == "table.insert", arguments.count > 1,
        let list = inference.emptyList(arguments[0])
      {
        context.note(additions: [arguments[arguments.count - 1]], to: list)
      }
      return
    }
    switch function {
    case "on": note(on: arguments)
    case "property": note(validatorIn: arguments.first?.fields)
    case "observe": note(observe: arguments)
    case _ where function.hasPrefix("controller."):
      let options = arguments.first?.fields ?? []
      guard let content = options["content"] else { return }
      for name in ["filter", "sort"] {
        note(rows: .expression(content), of: options[name])
      }
    default: noteParameters(of: function, arguments)
    }
  }

  /// Records the type of the value that a validator gets.
  private func note(validatorIn options: [LuaField]?) {
    guard let value = options?["validate"]?.functionBody?.parameters.dropFirst().first,
      options?["nullable"] == nil, let initial = options?["default"], initial.string != nil,
      options?["type"] == nil
    else { return }
    context.note(.type(.text), of: value)
  }

  // MARK: self

  /// Records the role of the parameter `self` in an object's functions.
  private func noteSelf(
    of call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression]
  ) {
    if let declaration = inference.declaration(call) {
      return note(.model(declaration.name.text), asSelfIn: declaration.fields?.fields)
    }
    if case .call(let inner, _) = callee.kind, inference.function(inner) == "class",
      case .constructor(let shape)? = inference.inferredType(of: call)
    {
      // Subclasses may have more properties.
      return note(.held(shape), asSelfIn: arguments.first?.fields)
    }
    switch inference.function(callee) {
    case "object":
      guard let table = arguments.first else { return }
      note(.object(inference.literalShapes.shape(of: table)), asSelfIn: table.fields)
    case "view.component":
      guard let name = arguments.first?.string?.text, arguments.count > 1 else { return }
      for option in arguments[1].fields ?? [] {
        switch option.name?.text {
        case "view":
          note(.view(name), asSelfIn: [option])
          noteRoot(of: name, option.value)
        case "properties": note(.view(name), asSelfIn: option.value.fields)
        default: break
        }
      }
    default: break
    }
  }

  private func note(_ type: InferredType, asSelfIn fields: [LuaField]?) {
    for field in fields ?? [] {
      for body in functions(of: field.value) {
        guard let first = body.parameters.first, first.name == "self" else { continue }
        context.note(.type(type), of: first)
      }
    }
  }

  /// The functions in a property's declaration.
  private func functions(of value: LuaExpression) -> [LuaFunctionBody] {
    if let body = value.functionBody { return [body] }
    guard case .call(let callee, let arguments) = value.kind else { return [] }
    switch inference.function(callee) {
    case "computed": return arguments.compactMap(\.functionBody)
    case "property":
      return arguments.first?.fields?.filter { $0.name?.text == "validate" }
        .compactMap(\.value.functionBody) ?? []
    default: return []
    }
  }

  // MARK: Callbacks

  private func note(
    method name: String, of base: LuaExpression, _ arguments: [LuaExpression]
  ) {
    switch name {
    case _ where Self.additions.contains(name): note(additions: arguments, to: base, name)
    case "filter", "map", "sorted", "group":
      guard let body = arguments.first.flatMap({ inference.functionBody(of: $0) }) else { return }
      for parameter in body.parameters { context.note(.element(of: base), of: parameter) }
    case "observe":
      guard case .list? = inference.inferredType(of: base),
        let body = arguments.first.flatMap({ inference.functionBody(of: $0) })
      else { return }
      let edit = InferredType.instance("Edit")
      // With `batch` the function receives all edits at once.
      switch arguments.dropFirst().first?.fields?["batch"]?.kind {
      case nil, .constant("false"): context.note(.type(edit), of: body.parameters.first)
      case .constant("true"): context.note(.type(.array(edit)), of: body.parameters.first)
      default: break
      }
    default: break
    }
  }

  /// The methods that add to a list.
  static let additions: Set<String> = ["append", "insert", "replace", "set", "add"]

  private func note(additions arguments: [LuaExpression], to base: LuaExpression, _ method: String)
  {
    switch inference.inferredType(of: base) {
    case .list?, .controller?, nil: break
    default: return
    }
    var values = arguments
    if method == "insert" || method == "replace" { values.removeFirst(min(1, values.count)) }
    if method == "set" {
      guard let rows = values.first?.fields, rows.isSequence else {
        return context.note(additions: values, to: inference.emptyList(base))
      }
      values = rows.map(\.value)
    }
    context.note(additions: values, to: inference.emptyList(base))
  }

  private func note(on arguments: [LuaExpression]) {
    guard arguments.count > 2, let event = arguments[1].string?.text,
      inference.path(of: arguments[0]) != "app",
      let body = inference.functionBody(of: arguments[2])
    else { return }
    if case .model? = inference.inferredType(of: arguments[0]) {
      context.note(.type(.instance("Conflict")), of: body.parameters.first)
    } else if event != Runtime.conflictEvent {
      context.note(.type(.instance("Event")), of: body.parameters.dropFirst().first)
    }
  }

  private func note(observe arguments: [LuaExpression]) {
    guard arguments.count > 2, let text = arguments[1].string?.text,
      let path = try? Path.parse(text), let body = inference.functionBody(of: arguments[2])
    else { return }
    for parameter in body.parameters.prefix(2) {
      context.note(.property(arguments[0], path), of: parameter)
    }
    context.note(.type(.instance("Change")), of: body.parameters.dropFirst(2).first)
  }

  /// Records the parameters of callbacks of the API, with their types in the catalogue.
  private func noteParameters(of function: String, _ arguments: [LuaExpression]) {
    guard arguments.contains(where: { $0.functionBody != nil }),
      let signatures = APITypes.shared.functions[function],
      let signature = signatures.first(where: { $0.parameters.count == arguments.count })
        ?? signatures.first
    else { return }
    for (argument, parameter) in zip(arguments, signature.parameters) {
      guard let body = argument.functionBody else { continue }
      for (local, type) in zip(body.parameters, APITypes.shared.parameterTypes(of: parameter.type))
      {
        guard let type = InferredType(annotation: type, in: .shared) else { continue }
        context.note(.type(type), of: local)
      }
    }
  }

  private func note(rows: RowSource, of function: LuaExpression?) {
    guard let body = function.flatMap({ inference.functionBody(of: $0) }) else { return }
    for parameter in body.parameters.prefix(2) { context.note(.row(of: rows), of: parameter) }
  }

  // MARK: Views

  private func note(view name: String, _ call: LuaExpression, _ fields: [LuaField]) {
    let place = app.context(of: call)
    place.viewClass = name
    place.dataObject = fields["dataObject"]
    if let own = fields["bindTo"]?.fields?["dataObject"] { place.dataObject = own }
    for handler in fields["on"]?.fields ?? [] {
      noteEvent(of: handler.value)
      note(sender: name, of: handler.value)
    }
    for key in fields["keys"]?.fields ?? [] {
      noteEvent(of: key.value.fields?["run"] ?? key.value)
    }
    if app.viewClasses.contains(name) {
      for field in fields where field.isElement { put(field.value, in: place) }
    } else {
      // A component places its children itself.
      app.place(ofComponent: name).note(use: place)
    }
    guard app.rowViews.contains(name) else { return }
    let rows = app.rows(of: fields)
    if let cell = fields["cell"] { note(cell: cell, showing: rows, in: place) }
    guard let rows else { return }
    note(firstRow: rows, of: fields["rowStyle"])
    for column in app.columns(of: fields["columns"]) {
      note(firstRow: rows, of: column.fields?["cell"])
      note(rows: rows, of: column.fields?["sort"])
      for view in views(of: column.fields?["cell"]) { view.put(in: place, showing: rows) }
    }
  }

  /// Records the type of an event's sender. Events bubble up, so a view with subviews may receive
  /// those of any other view.
  private func note(sender name: String, of handler: LuaExpression) {
    let isAlone =
      app.views[name].map { !$0.holdsSubviews } == true && !app.rowViews.contains(name)
    context.note(
      .type(.view(isAlone ? name : nil)), of: handler.functionBody?.parameters.first)
  }

  private func noteEvent(of handler: LuaExpression) {
    guard let body = handler.functionBody else { return }
    context.note(.type(.instance("Event")), of: body.parameters.dropFirst().first)
  }

  private func note(firstRow rows: RowSource, of function: LuaExpression?) {
    guard let body = function.flatMap({ inference.functionBody(of: $0) }) else { return }
    context.note(.row(of: rows), of: body.parameters.first)
  }

  /// Records a function that creates cells.
  private func note(cell: LuaExpression, showing rows: RowSource?, in place: ViewContext) {
    if let body = inference.functionBody(of: cell), let parameter = body.parameters.first {
      context.note(rows.map { .row(of: $0) } ?? .element(of: cell), of: parameter)
    }
    for view in views(of: cell) { view.put(in: place, showing: rows) }
  }

  /// The places of the views that a function returns.
  private func views(of function: LuaExpression?) -> [ViewContext] {
    guard let body = function.flatMap({ inference.functionBody(of: $0) }) else { return [] }
    return body.results.compactMap(\.first).compactMap { viewCall($0) }.map(app.context)
  }

  /// Records that a view, or each view that a function returns, is added to another.
  private func put(_ child: LuaExpression, in place: ViewContext) {
    if let call = viewCall(child) {
      app.context(of: call).put(in: place)
    } else if child.functionBody != nil {
      for view in views(of: child) { view.put(in: place) }
    }
  }

  /// Connects a component with its root view.
  private func noteRoot(of name: String, _ function: LuaExpression) {
    let component = app.place(ofComponent: name)
    for view in views(of: function) { view.put(in: component) }
  }

  /// The call that creates the view of an expression.
  private func viewCall(_ expression: LuaExpression, _ budget: Int = 8) -> LuaExpression? {
    if inference.viewClass(of: expression) != nil { return expression }
    if budget == 0 { return nil }
    switch expression.kind {
    case .name(_, let local?):
      if local.isReassigned { return nil }
      return local.value.flatMap { viewCall($0, budget - 1) }
    case .member(let base, let name, _):
      let shape = inference.inferredType(of: base).flatMap { inference.shape(of: $0) }
      return shape?.value(of: name).flatMap { viewCall($0, budget - 1) }
    case .parenthesized(let inner): return viewCall(inner, budget - 1)
    default: return nil
    }
  }
}
