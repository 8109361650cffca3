import TideBindings
import TideViews
import TideScript

// View classes, and the literal tables from which views are created.
extension ScriptChecker {
  func check(viewClass name: String, at offset: Int) {
    if Runtime.viewMakers.contains(name) || names.viewClasses[name] != nil
      || app.components[name] != nil || app.mayBe(name, app.unknownComponents)
    {
      return
    }
    let known = viewClassNames + Runtime.viewMakers
    report(
      .unknownView, "there is no view class \"\(name)\"\(hint(for: name, in: known))",
      at: offset)
  }

  /// The properties of views of a class, or of all views; nil if unknown.
  func properties(ofView name: String?) -> LiteralShape? {
    guard let name else { return anyView }
    if let known = viewShapes[name] { return known }
    let shape = declaredProperties(ofView: name)
    viewShapes[name] = .some(shape)
    return shape
  }

  private func declaredProperties(ofView name: String) -> LiteralShape? {
    if let component = app.components[name] {
      if component.isOpen { return nil }
      var shape = properties(of: .column)
      shape.formUnion(component.properties)
      return shape
    }
    return names.viewClasses[name].map { properties(of: $0) }
  }

  /// All properties that at least one view class has; nil if unknown.
  func propertiesOfAnyView() -> LiteralShape? {
    if app.unknownComponents != .none { return nil }
    var shape = LiteralShape()
    for name in viewClassNames {
      guard let properties = properties(ofView: name) else { return nil }
      shape.formUnion(properties)
    }
    return shape
  }

  private func properties(of viewClass: ViewClass) -> LiteralShape {
    let properties = viewClass.shape.properties
    var names = Set(properties.flatMap { [$0.name] + $0.aliases })
    // A tree also accepts a function `children` for its rows, which is not a property.
    if viewClass.inherits(from: .tree) { names.insert("children") }
    return LiteralShape(names: names)
  }

  /// The properties of a view class, those that not all views have first: of equally near names,
  /// they are the likelier ones.
  private func namesOwnFirst(of name: String, _ known: LiteralShape) -> [String] {
    let common = properties(ofView: ViewClass.view.name)?.names ?? []
    return known.names.subtracting(common).sorted() + known.names.intersection(common).sorted()
  }

  func check(
    view name: String, _ call: LuaExpression, _ table: LuaExpression?,
    _ position: SyntaxWalker.Position
  ) {
    guard let fields = table?.fields else {
      if let table, let kind = LiteralKind(table) {
        report(
          .badArgument, "view.\(name) takes a table of properties, not \(kind.shown)",
          at: table.range.lowerBound)
      }
      return
    }
    let known = properties(ofView: name)
    let context = index.context(of: call)
    mention(fieldAtCaretIn: table, .viewFields(name, isBindTo: false))
    for field in fields {
      guard let key = field.name else {
        // A component's function gets its elements, whatever they are.
        if field.isElement, app.components[name] == nil { check(subview: field.value, of: name) }
        continue
      }
      mention(key.text, at: key.start, .viewFields(name, isBindTo: false))
      switch key.text {
      case "bindTo": check(bindTo: field.value, of: name, known, context)
      case "on": check(handlers: field.value, of: name)
      case "keys": check(keys: field.value)
      case _ where field.isID:
        if let id = field.value.string {
          mention(id, .ids, .declaration)
          check(id: id, position)
        } else if let kind = LiteralKind(field.value) {
          report(
            .wrongType, "\(name).id holds string or nil, not \(kind.shown)",
            at: field.value.range.lowerBound)
        }
      default:
        check(property: key, field.value, of: name, known)
        if position.depth == 0 { check(readOnce: field.value, key.text, of: name) }
      }
    }
    check(unshown: call, fields, position)
    if index.rowViews.contains(name) { check(rowsOf: name, fields) }
    check(choicesOf: fields)
    check(limitsIn: fields, of: name)
    if position.depth > 0 || position.isConditional { checkIDs(below: fields) }
  }

  private func check(subview value: LuaExpression, of name: String) {
    let kind = LiteralKind(value)
    switch kind {
    case .string?, .number?, .table?:
      report(
        .wrongType, "the subviews of \(name) are views or functions, not \(kind?.shown ?? "")",
        at: value.range.lowerBound)
    default: break
    }
  }

  /// Checks an assignment such as `views.title.style = "muted"` like a field of the view's table.
  func check(
    assigned value: LuaExpression, to key: (text: String, start: Int), of viewClass: String
  ) {
    if names.viewClasses[viewClass] != nil, names.values.viewMethods.contains(key.text) {
      return report(
        .unknownProperty, "\(key.text) is a method of views and no property; call it with a colon",
        at: key.start)
    }
    guard let known = properties(ofView: viewClass), known.contains(key.text),
      value.functionBody == nil
    else { return }
    if key.text == "keys" { return check(keys: value) }
    check(property: key, value, of: viewClass, known)
  }

  private func check(
    property key: (text: String, start: Int), _ value: LuaExpression, of name: String,
    _ known: LiteralShape?
  ) {
    guard let known else { return }
    guard known.contains(key.text) else {
      let others = ["bindTo", "on", "keys"]
      let near = hint(for: key.text, in: namesOwnFirst(of: name, known) + others)
      let hint = near.isEmpty ? hintOrNames(for: key.text, in: known.names, or: others) : near
      return report(
        .unknownProperty, "\(name) has no property \"\(key.text)\"\(hint)", at: key.start)
    }
    if let own = app.components[name]?.properties, own.names.contains(key.text) {
      if value.functionBody != nil { return }
      return check(
        value: value, of: key.text, at: key.start, in: .object(own), called: name)
    }
    guard let viewClass = names.viewClasses[name], let index = viewClass.shape.index(of: key.text)
    else { return }
    let property = viewClass.shape.propertiesByIndex[index]
    if property.isReadOnly {
      return report(.readOnly, "\(name).\(key.text) is read only", at: key.start)
    }
    check(literal: value, of: property.name, name)
    check(type: value, of: property, key.text, of: name)
    if [.string, .number, .integer, .boolean, .list].contains(property.type) {
      check(resultOf: value, for: "\(name).\(key.text)")
    }
    guard let text = value.string else { return }
    if let cases = property.cases { mention(text, .cases(cases)) }
    if property.name == "rowHeight" { mention(text, .cases([RowHeightOption.word])) }
    if let cases = property.cases, !cases.contains(text.text) {
      report(
        .wrongType,
        "\(name).\(key.text) is one of \(cases.joined(separator: ", ")), not \"\(text.text)\""
          + hint(for: text.text, in: cases), at: text.contentStart ?? text.range.lowerBound)
    }
    do throws(TideError) {
      switch property.name {
      case "textColor", "backgroundColor": _ = try Color(text.text)
      case "width", "height", "minWidth", "maxWidth":
        _ = try RelativeSize.admit(.string(text.text), as: key.text, of: name)
      case "rowHeight": _ = try RowHeightOption.admit(.string(text.text), of: name)
      default: return
      }
    } catch {
      report(error.code, error.message, at: text.contentStart ?? text.range.lowerBound)
    }
  }

  /// Reports a literal that does not match the property's type.
  private func check(
    type value: LuaExpression, of property: PropertyDescription, _ name: String, of owner: String
  ) {
    let isRowHeight = property.name == "rowHeight"
    let isSize =
      isRowHeight || ["width", "height", "minWidth", "maxWidth"].contains(property.name)
    guard let kind = LiteralKind(value), isSize || property.cases == nil else { return }
    switch (kind, property.type) {
    case (.string, _) where isSize, (.number, _) where isSize: return
    case (.number, .number), (.number, .integer), (.boolean, .boolean), (.string, .string): return
    case (.number, _), (.boolean, _), (.string, _): break
    case (.table, .list): return
    case (.table, _) where !isSize: break
    case (.table, _), (.function, _): return
    }
    let types: [ValueType] = [.number, .integer, .boolean, .string, .list]
    guard isSize || types.contains(property.type), property.name != "style" else { return }
    let wanted =
      isRowHeight
      ? "number or \"\(RowHeightOption.word)\""
      : isSize ? "number or a part of the superview's, such as \"50%\"" : property.type.name
    report(
      .wrongType, "\(owner).\(name) holds \(wanted), not \(kind.shown)",
      at: value.range.lowerBound)
  }

  // MARK: Bindings

  private func check(
    bindTo table: LuaExpression, of name: String, _ known: LiteralShape?, _ context: ViewContext
  ) {
    mention(fieldAtCaretIn: table, .viewFields(name, isBindTo: true))
    if let kind = LiteralKind(table), table.fields == nil {
      return report(
        .badArgument, "bindTo is a table that maps properties to paths, not \(kind.shown)",
        at: table.range.lowerBound)
    }
    for field in table.fields ?? [] {
      guard let key = field.name else { continue }
      mention(key.text, at: key.start, .viewFields(name, isBindTo: true))
      if let known, !known.contains(key.text) {
        report(missing: key.text, "property", of: name, known.names, at: key.start)
      }
      if let text = field.value.string {
        check(viewExpression: text, name, known, context, LiteralShape())
        check(source: text, of: key.text, name)
      } else if let options = field.value.fields {
        let roots = roots(of: field.value)
        let path = options["path"] ?? options.first { $0.isElement }?.value
        let first = path?.string ?? path?.fields?.first?.value.string
        let origin = first.flatMap { try? ViewExpression.parse($0.text) }.flatMap {
          self.origin(of: $0.path, roots, seenFrom: name)
        }
        check(bindOptions: field.value, origin, ofView: true)
        guard let path = options["path"] else {
          check(pathlessBinding: options, of: key.text, at: field.value.range.lowerBound)
          continue
        }
        if let text = path.string {
          check(viewExpression: text, name, known, context, roots, field.value)
        } else {
          for source in path.fields ?? [] {
            guard let text = source.value.string, let path = parse(path: text) else { continue }
            check(path, seenFrom: name, known, context, roots, in: text)
          }
        }
      } else {
        check(boundValue: field.value, of: key.text)
      }
    }
  }

  /// Reports `bindTo = { text = { "person.name", fallback = "" } }`, which lacks `path =`.
  private func check(pathlessBinding options: [LuaField], of property: String, at offset: Int) {
    let text = options.first { $0.isElement }?.value
    // A misspelt name is reported as such.
    if options.contains(where: { hasProblem(at: $0.name?.start ?? -1) }) { return }
    report(
      .badArgument,
      "bindTo.\(property) is an expression, or a table with path and options; write path = "
        + (text?.string.map { "\"\($0.text)\"" } ?? "\"…\""), at: text?.range.lowerBound ?? offset)
  }

  private func check(
    viewExpression text: LuaToken, _ name: String, _ known: LiteralShape?, _ context: ViewContext,
    _ roots: LiteralShape, _ options: LuaExpression? = nil
  ) {
    guard let expression = parse(view: text) else { return }
    check(transformsOf: options, for: expression.arrow)
    check(
      expression.path, seenFrom: name, known, context, roots, in: text,
      isWritten: expression.arrow.goesLeft)
  }

  /// Reports a view's list that is bound to a string or a number, or a property with cases that is
  /// bound to a model's property with another initial value.
  private func check(source text: LuaToken, of property: String, _ name: String) {
    guard let shape = names.viewClasses[name]?.shape, let index = shape.index(of: property),
      case let declared = shape.propertiesByIndex[index],
      [.list, .number, .integer, .boolean].contains(declared.type) || declared.cases != nil,
      let expression = try? ViewExpression.parse(text.text), expression.transforms.isEmpty
    else { return }
    if let cases = declared.cases {
      return check(firstValueOf: expression, among: cases, "\(name).\(property)")
    }
    guard let type = inference.follow(rootedIn: expression.path, TypeInference.budget)
    else { return }
    if declared.type != .list {
      let what: String
      switch type {
      case .list: what = "a list"
      case .object, .held, .model, .controller: what = "an object"
      default: return
      }
      return report(
        .wrongType,
        "\(name).\(property) holds \(declared.type.name), and \(expression.path) is \(what)",
        at: text.contentStart ?? text.range.lowerBound)
    }
    switch type {
    case .controller("list", _), .controller("tree", _):
      report(
        .wrongType,
        "\(name).\(property) holds a list, and \(expression.path) is a controller; bind "
          + "\(expression.path).arrangedObjects", at: text.contentStart ?? text.range.lowerBound)
    case .text, .plain:
      report(
        .wrongType, "\(name).\(property) holds a list, which \(expression.path) is not",
        at: text.contentStart ?? text.range.lowerBound)
    default: break
    }
  }

  /// Reports a model's property whose initial value is a string that the view's property refuses.
  private func check(
    firstValueOf expression: ViewExpression, among cases: [String], _ property: String
  ) {
    let steps = expression.path.steps
    guard expression.arrow.goesRight, steps.count == 2, let model = steps[0].propertyName,
      let name = steps[1].propertyName, let value = app.shapes[model]?.value(of: name)?.string,
      isOwn(value), !cases.contains(value.text)
    else { return }
    report(
      .wrongType,
      "\(model).\(name) begins as \"\(value.text)\", and \(property), which is bound to it, is one "
        + "of \(cases.joined(separator: ", "))\(hint(for: value.text, in: cases))",
      at: offset(0, in: value), .warning)
  }

  // MARK: Events

  private func check(handlers table: LuaExpression, of viewClass: String) {
    mention(fieldAtCaretIn: table, .events(viewClass: viewClass))
    let isFunction = inference.functionBody(of: table) != nil
    if let kind = isFunction ? LiteralKind.function : LiteralKind(table), table.fields == nil {
      let event = names.viewClasses[viewClass]?.events.first { event in
        !ViewClass.view.events.contains(event)
      }
      return report(
        .badArgument,
        "on is a table that maps events to functions, not \(kind.shown); "
          + "write on = { \(event ?? "event") = … }",
        at: table.range.lowerBound)
    }
    for field in table.fields ?? [] {
      guard let name = field.name else { continue }
      check(event: name.text, of: viewClass, at: name.start)
      switch LiteralKind(field.value) {
      case .string?, .number?, .boolean?:
        report(
          .badArgument,
          "on maps names of events to functions or commands, not to \(text(of: field.value))",
          at: field.value.range.lowerBound)
      default: check(handler: field.value)
      }
    }
  }

  /// Checks the event of a handler. A view without subviews receives only its own events.
  private func check(event name: String, of viewClass: String?, at offset: Int) {
    mention(name, at: offset, .events(viewClass: viewClass))
    guard let known = viewClass.flatMap({ names.viewClasses[$0] }), !known.holdsSubviews,
      !index.rowViews.contains(known.name)
    else { return check(event: name, at: offset, hearing: viewClass) }
    if name == "*" || known.events.contains(name) { return }
    report(
      .unknownEvent,
      "\(known.name) has no event \"\(name)\"\(hintOrNames(for: name, in: known.events))",
      at: offset)
  }

  /// Checks `view:send("opened")`: a view sends only events of its class.
  func check(sentEvent expression: LuaExpression?, of viewClass: String?) {
    guard let text = expression?.string else { return }
    let offset = offset(0, in: text)
    mention(text, .events(viewClass: viewClass))
    guard let viewClass else { return check(event: text.text, at: offset) }
    var known = Set(names.viewClasses[viewClass]?.events ?? [])
    if let component = app.components[viewClass] {
      if component.isOpen { return }
      known = component.events.union(ViewClass.column.events)
    } else if known.isEmpty {
      return
    }
    if known.contains(text.text) { return }
    report(
      .unknownEvent,
      "\(viewClass) has no event \"\(text.text)\"\(hintOrNames(for: text.text, in: known))",
      at: offset)
  }

  func check(event text: LuaToken, of sender: LuaExpression?) {
    let offset = text.contentStart ?? text.range.lowerBound
    let isApp = sender.flatMap { inference.path(of: $0) } == "app"
    if isApp { mention(text, .appEvents) }
    guard isApp, !Runtime.appEvents.contains(text.text) else {
      var viewClass: String?
      if case .view(let found)? = sender.flatMap({ inference.inferredType(of: $0) }) {
        viewClass = found
      }
      return check(event: text.text, of: viewClass, at: offset)
    }
    report(
      .unknownEvent,
      "app sends no event \"\(text.text)\"\(hint(for: text.text, in: Runtime.appEvents))",
      at: offset)
  }

  /// Checks the event of a handler on a view that may receive any event, because events bubble up.
  private func check(event name: String, at offset: Int, hearing viewClass: String? = nil) {
    // An event of the running app.
    if Runtime.appEvents.contains(name) { return }
    if name == "*" || app.unknownComponents != .none { return }
    if app.components.values.contains(where: { $0.isOpen || $0.events.contains(name) }) { return }
    if eventNames.contains(name) { return }
    let hint = hint(for: name, in: eventNames)
    // An event of another class is an uncertain guess.
    let own = viewClass.flatMap { viewClass in
      app.components[viewClass].map { $0.events.sorted() } ?? names.viewClasses[viewClass]?.events
    }
    if let own, NearestName.find(name, in: own) == nil { doubtHint() }
    report(.unknownEvent, "no view sends an event \"\(name)\"\(hint)", at: offset)
  }

  func knownEvents() -> [String] {
    // Events of shared models beside those of views.
    var known: Set = [Runtime.conflictEvent]
    for viewClass in names.viewClasses.names {
      known.formUnion(names.viewClasses[viewClass]?.events ?? [])
    }
    for component in app.components.values { known.formUnion(component.events) }
    return known.sorted()
  }
}
