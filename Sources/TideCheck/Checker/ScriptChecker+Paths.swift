import TideBindings
import TideViews
import TideScript

// Paths, checked step by step as long as the type of the value is known.
extension ScriptChecker {
  /// The value that a path has reached.
  private struct Walker {
    var owner: InferredType?
    /// The location in the view tree of the view that the path has reached.
    var context: ViewContext?
    /// The previous step, as messages name it.
    var label = "the object"
    /// Whether a mistake has been found.
    var isLost = false
  }

  /// Checks a path that begins at an object in another argument.
  func check(path token: LuaToken?, of object: LuaExpression?) {
    guard let token, let path = parse(path: token) else { return }
    var locator = PathStepLocator(token, in: source)
    check(path, of: object, &locator)
  }

  /// Checks a path that begins at an object.
  func check(
    _ path: Path, of object: LuaExpression?, _ locator: inout PathStepLocator,
    isWritten: Bool = false
  ) {
    let owner = object.flatMap { inference.inferredType(of: $0) }
    let label = object.map { text(of: $0) } ?? "the object"
    follow(path.steps[...], Walker(owner: owner, label: label), &locator, isWritten)
  }

  /// Checks a path that begins at a value, with the name of that value for messages.
  func check(
    _ path: Path, from owner: InferredType?, _ label: String, _ locator: inout PathStepLocator
  ) {
    follow(path.steps[...], Walker(owner: owner, label: label), &locator)
  }

  /// The value at which a path begins: the root that it names, or the view from which it is seen if
  /// the view has that property.
  func origin(
    of path: Path, _ roots: LiteralShape, seenFrom viewClass: String? = nil
  ) -> InferredType? {
    guard let name = path.steps.first?.propertyName else { return viewClass.map { .view($0) } }
    if let viewClass {
      guard let known = properties(ofView: viewClass) else { return nil }
      if known.contains(name) { return .view(viewClass) }
    }
    return root(named: name, roots)
  }

  private func root(named name: String, _ roots: LiteralShape) -> InferredType? {
    if app.shapes[name] != nil { return inference.modelType(name) }
    if let classes = app.ids[name] {
      return classes.count == 1 ? .view(classes.first ?? nil) : .view(nil)
    }
    if roots.contains(name) {
      return roots.value(of: name).flatMap { inference.inferredType(of: $0) }
    }
    return names.values.roots[name].map { .object(LiteralShape(names: $0)) }
  }

  /// Checks a path that begins with the name of a model, a view or a root.
  func check(
    roots path: Path, _ roots: LiteralShape, _ locator: inout PathStepLocator,
    isWritten: Bool = false
  ) {
    guard let first = path.steps.first, let name = first.propertyName else {
      return follow(path.steps[...], Walker(), &locator)
    }
    let offset = locator.next(first)
    mention(name, at: offset, .roots(roots))
    var walker = Walker(label: name)
    walker.owner = root(named: name, roots)
    if walker.owner == nil, !roots.contains(name), !mayBeRoot(name) {
      report(
        .unresolvedName,
        "\"\(name)\" is neither a model nor the id of a view\(hint(for: name, in: rootNames))",
        at: offset)
    }
    follow(path.steps.dropFirst(), walker, &locator, isWritten)
  }

  private func mayBeRoot(_ name: String) -> Bool {
    app.mayBe(name, app.unknownModels) || app.mayBe(name, app.unknownIDs)
      || app.mentionedModels.contains(name)
  }

  /// Checks a path that begins at a view's property, or else at a model or a root.
  func check(
    _ path: Path, seenFrom viewClass: String, _ known: LiteralShape?, _ context: ViewContext?,
    _ roots: LiteralShape, in token: LuaToken, isWritten: Bool = false
  ) {
    var locator = PathStepLocator(token, in: source)
    var walker = Walker(owner: known == nil ? nil : .view(viewClass), context: context)
    if mentions == nil, let first = path.steps.first, let name = first.propertyName,
      known?.contains(name) == true, let reason = shadowing(of: name, in: path, by: viewClass)
    {
      return report(
        .unresolvedName, ShadowedName.message(name, in: path, of: viewClass, reason),
        at: locator.next(first))
    }
    guard let known, let first = path.steps.first, let name = first.propertyName,
      !known.contains(name) || mentions != nil
    else { return follow(path.steps[...], walker, &locator, isWritten) }
    let start = locator
    let offset = locator.next(first)
    mention(name, at: offset, .viewRoots(viewClass, roots))
    if known.contains(name) {
      locator = start
      return follow(path.steps[...], walker, &locator, isWritten)
    }
    walker = Walker(label: name)
    if app.shapes[name] != nil {
      walker.owner = inference.modelType(name)
    } else if roots.contains(name) {
      walker.owner = roots.value(of: name).flatMap { inference.inferredType(of: $0) }
    } else if let members = names.values.roots[name] {
      walker.owner = .object(LiteralShape(names: members))
    } else if !app.mayBe(name, app.unknownModels), !app.mentionedModels.contains(name) {
      let hint = hint(for: name, in: known.names, or: modelNames)
      report(
        .unresolvedName, "\"\(name)\" is neither a property of the view nor a model\(hint)",
        at: offset)
    }
    follow(path.steps.dropFirst(), walker, &locator, isWritten)
  }

  /// Why a path that begins with a property of a view does not lead to the model of that name, as
  /// the app reports it when it runs; nil if the property may be meant.
  private func shadowing(
    of name: String, in path: Path, by viewClass: String
  ) -> ShadowedName.Reason? {
    guard path.steps.count > 1, let model = app.shapes[name],
      let shape = names.viewClasses[viewClass]?.shape, let index = shape.index(of: name)
    else { return nil }
    switch shape.propertiesByIndex[index].type {
    case .string, .number, .integer, .boolean: return .leadsNowhere
    case .any, .object, .list, .dictionary:
      guard name == ShadowedName.window, let next = path.steps[1].propertyName,
        model.contains(next)
      else { return nil }
      return .isOther
    }
  }

  // MARK: Steps

  /// - Parameter isWritten: whether a binding writes to the property that the last step names.
  private func follow(
    _ steps: ArraySlice<PathStep>, _ start: Walker, _ locator: inout PathStepLocator,
    _ isWritten: Bool = false
  ) {
    var walker = start
    for (index, step) in zip(steps.indices, steps) {
      let offset = locator.next(step)
      // The type is unknown after a mistake.
      defer { if hasProblem(at: offset) { walker = Walker(isLost: true) } }
      switch step {
      case .property(let name):
        if isWritten, index == steps.endIndex - 1 { check(written: name, walker, offset) }
        read(name, &walker, offset)
        walker.label = name
      case .element(let name, let index):
        read(name, &walker, offset)
        take(element: "\(name)[\(index)]", of: name, &walker, offset)
      case .view(let view):
        mention(operator: "\(view)", at: offset)
        checkArgument(of: view, at: locator.argument(of: step))
        look(view, &walker, offset)
      case .collection(let summary):
        mention(operator: "@\(summary.rawValue)", at: offset)
        summarize(summary, &walker, offset)
      }
    }
  }

  /// Reports a binding that writes to a read-only property.
  private func check(written name: String, _ walker: Walker, _ offset: Int) {
    guard let owner = walker.owner, isReadOnly(name, of: owner) else { return }
    report(.readOnly, "\(walker.label).\(name) is read only", at: offset)
  }

  private func isReadOnly(_ name: String, of owner: InferredType) -> Bool {
    switch owner {
    case .view(let viewClass?):
      guard let shape = names.viewClasses[viewClass]?.shape, let index = shape.index(of: name)
      else { return false }
      return shape.propertiesByIndex[index].isReadOnly
    case .held(let shape) where !shape.isOfClass: return false
    default:
      return inference.declarations(of: name, in: owner)?.allSatisfy(\.isReadOnly) ?? false
    }
  }

  /// Steps to a property.
  private func read(_ name: String, _ walker: inout Walker, _ offset: Int) {
    guard let owner = walker.owner else {
      mention(name, at: offset, .unknownProperties)
      if !walker.isLost { check(unknownMember: name, at: offset, mentions: 1) }
      return
    }
    mention(name, at: offset, .properties(of: owner, isMethod: false))
    let context = walker.context
    walker.owner = nil
    walker.context = nil
    switch owner {
    case .model(let model):
      guard let shape = app.shapes[model] else { return }
      if !shape.contains(name) {
        return report(missing: name, "property", of: model, shape.names, at: offset)
      }
      walker.owner = inference.inferredType(ofProperty: name, in: owner)
    case .object(let shape):
      if !shape.contains(name) {
        return report(missing: name, "property", of: "object", shape.names, at: offset)
      }
      walker.owner = inference.inferredType(ofProperty: name, in: owner)
    case .held(let shape):
      if !mayHave(name, shape) {
        return report(missing: name, "property", of: "object", shape.names, at: offset)
      }
      walker.owner = inference.inferredType(ofProperty: name, in: owner)
    case .view(let viewClass):
      read(name, ofView: viewClass, context, &walker, offset)
    case .list:
      let known = Set(["isFetching", "hasMore"])
      if known.contains(name) { return }
      let operators = CollectionOperator.allCases.map(\.rawValue)
      let near = operators.contains(name) ? name : NearestName.find(name, in: operators)
      let hint = near.map { "; did you mean \"@\($0)\"?" } ?? ""
      report(.unknownProperty, "list has no property \"\(name)\"\(hint)", at: offset)
    case .controller(let kind, _):
      guard let members = names.values.controllers[kind] else { return }
      if !members.contains(name) {
        return report(missing: name, "property", of: "controller.\(kind)", members, at: offset)
      }
      walker.owner = inference.inferredType(ofProperty: name, in: owner)
    case .instance(let type):
      let members = names.types.members(of: type)
      if !members.isEmpty, !members.contains(name) {
        return report(missing: name, "property", of: type.withArticle, members, at: offset)
      }
      walker.owner = inference.inferredType(ofProperty: name, in: owner)
    case .store:
      guard !names.values.store.contains(name) else { return }
      report(missing: name, "property", of: "a database", names.values.store, at: offset)
    case .text, .plain:
      report(
        .unknownProperty,
        "\(walker.label) is \(typeName(owner).withArticle), which has no property \"\(name)\"",
        at: offset)
    case .constructor, .userdata, .array, .table: break
    }
  }

  private func read(
    _ name: String, ofView viewClass: String?, _ context: ViewContext?, _ walker: inout Walker,
    _ offset: Int
  ) {
    guard let known = properties(ofView: viewClass) else { return }
    if !known.contains(name) {
      return report(
        missing: name, "property", of: viewClass ?? "the view", known.names, at: offset)
    }
    switch name {
    case "superview":
      walker.owner = .view(nil)
      walker.context = context?.place
    case "window": walker.owner = .view(nil)
    case "dataObject":
      if !app.changesDataObjects { walker.owner = context?.dataObject(inference) }
    default:
      guard let shape = viewClass.flatMap({ names.viewClasses[$0]?.shape }),
        let index = shape.index(of: name)
      else { return }
      walker.owner = InferredType(shape.propertiesByIndex[index].type)
    }
  }

  /// Steps from a list to one of its elements.
  private func take(
    element: String, of name: String, _ walker: inout Walker, _ offset: Int
  ) {
    walker.label = element
    switch walker.owner {
    case .list(let rows)?: walker.owner = rows.map { .held($0) }
    case .text?, .plain?, .held?, .view?:
      let type = walker.owner.map(typeName) ?? ""
      let article = type == "object" ? "an" : "a"
      report(
        .unknownProperty,
        "\(name) is \(article) \(type), not a list, so there is no \(element)", at: offset)
      walker.owner = nil
    default: walker.owner = nil
    }
  }

  private func look(_ view: ViewOperator, _ walker: inout Walker, _ offset: Int) {
    let context = walker.context
    walker.context = nil
    switch walker.owner {
    case .view?:
      walker.owner = .view(viewClass(of: view))
      walker.context = self.context(view, from: context)
    case nil, .constructor?: break
    default:
      report(
        .unknownProperty,
        "\(view) starts from a view, but \(walker.label) is not a view", at: offset)
      walker.owner = nil
    }
    walker.label = "\(view)"
  }

  private func summarize(
    _ summary: CollectionOperator, _ walker: inout Walker, _ offset: Int
  ) {
    switch walker.owner {
    case .list(let rows)?:
      walker.owner = summary == .count ? .plain("number") : rows.map { .held($0) }
    case .text?, .plain?, .held?, .object?, .model?, .view?:
      report(
        .unknownProperty,
        "@\(summary.rawValue) summarizes a list, but \(walker.label) is not a list", at: offset)
      walker.owner = nil
    default: walker.owner = nil
    }
    walker.context = nil
    walker.label = "@\(summary.rawValue)"
  }

  private func typeName(_ type: InferredType) -> String {
    switch type {
    case .text: "string"
    case .plain(let type): type
    case .view: "view"
    default: "object"
    }
  }

  // MARK: View operators

  /// The location of the ancestor that an operator finds.
  private func context(_ view: ViewOperator, from context: ViewContext?) -> ViewContext? {
    switch view {
    case .superview: context?.place
    case .cell: context?.ancestor(of: "cell")
    case .superviewWithClass(let name): context?.ancestor(of: name)
    default: nil
    }
  }

  /// The class of the view that an operator finds; nil if it may have several.
  private func viewClass(of view: ViewOperator) -> String? {
    switch view {
    case .cell: return "cell"
    case .superviewWithClass(let name), .subviewWithClass(let name):
      if app.components[name] != nil { return name }
      guard let found = names.viewClasses[name] else { return nil }
      let hasSubclasses =
        names.viewClasses.names.contains { other in
          other != name && names.viewClasses[other]?.inherits(from: found) == true
        } || ViewClass.column.inherits(from: found) && !app.components.isEmpty
      return hasSubclasses ? nil : name
    case .superviewWithID(let id), .subviewWithID(let id):
      guard let classes = app.ids[id], classes.count == 1 else { return nil }
      return classes.first ?? nil
    default: return nil
    }
  }

  /// Checks the class or the id that an operator looks for.
  private func checkArgument(of view: ViewOperator, at offset: Int) {
    switch view {
    case .superviewWithClass(let name), .subviewWithClass(let name):
      mention(name, at: offset, .viewClasses)
      if app.unknownComponents != .none || names.viewClasses[name] != nil
        || app.components[name] != nil
      {
        return
      }
      report(
        .unknownView,
        "there is no view class \"\(name)\"\(hint(for: name, in: viewClassNames))", at: offset)
    case .superviewWithID(let id), .subviewWithID(let id):
      mention(id, at: offset, .ids)
      if app.ids[id] != nil || app.mayBe(id, app.unknownIDs) { return }
      // The view may be created later, or never. So only a likely slip is reported.
      let hint = hint(for: id, in: idNames)
      if !hint.isEmpty { report(.unknownView, "no view has the id \"\(id)\"\(hint)", at: offset) }
    default: break
    }
  }
}
