import TideBindings
import TideGraph
import TideViews

/// A binding of a view. Each path begins at the view, at a root from the option `roots`, or at a
/// model, which may not exist yet.
final class WaitingViewBinding: NameWaiter {
  private let plan: BindingPlan
  private let text: String
  private weak var view: View?
  private let options: BindingOptions
  private let roots: [String: DataObject]
  private let context: BindingContext
  private let held: CountedText?
  let wait: PendingName
  let names: [String]

  init(
    _ plan: BindingPlan, _ text: String, _ view: View, _ options: BindingOptions,
    _ roots: [String: DataObject], _ context: BindingContext
  ) {
    self.plan = plan
    self.text = text
    self.view = view
    self.options = options
    self.roots = roots
    self.context = context
    held = context.table.hold(2 * text.utf8.count)
    wait = PendingName(in: context)
    names = plan.paths.compactMap { Self.modelName(of: $0, seenFrom: view) }
  }

  /// Makes the binding if all models exist; false while one is missing.
  func resolve(in runtime: Runtime) throws -> Bool {
    guard let view, !wait.isOver else {
      wait.end(in: runtime)
      return true
    }
    for path in plan.paths {
      guard let error = ambiguity(of: path, seenFrom: view, in: runtime) else { continue }
      wait.end(in: runtime)
      runtime.list(error, of: context)
      return true
    }
    var ends: [(object: DataObject, path: Path)] = []
    for path in plan.paths {
      guard let end = end(of: path, seenFrom: view, in: runtime) else { return false }
      ends.append(end)
    }
    wait.end(in: runtime)
    for path in plan.paths { followShadowing(of: path, seenFrom: view, in: runtime) }
    if case .expression(let expression) = plan, ends[0].path.steps.isEmpty {
      // The path consists of the root only, and binds the object itself.
      let held = ObjectHandle(ends[0].object)
      try context.bind(view, expression.right.description, options, text: text) {
        held.object.map { .object($0) } ?? .null
      }
    } else {
      _ = try plan.connect(ends, in: context, text: text, options)
    }
    return true
  }

  private func end(
    of path: Path, seenFrom view: View, in runtime: Runtime
  ) -> (object: DataObject, path: Path)? {
    guard let name = Self.modelName(of: path, seenFrom: view) else { return (view, path) }
    guard let root = root(named: name, in: runtime) else { return nil }
    return (root, Path(steps: Array(path.steps.dropFirst())))
  }

  /// The error for a path whose first name is both a property of the view and a model, and which
  /// leads from the model to a property, but nowhere from the view's own property; nil for any other
  /// path.
  private func ambiguity(
    of path: Path, seenFrom view: View, in runtime: Runtime
  ) -> TideError? {
    guard path.steps.count > 1, let name = path.steps.first?.propertyName,
      let index = view.shape.index(of: name), let root = root(named: name, in: runtime)
    else { return nil }
    switch view.shape.propertiesByIndex[index].type {
    case .string, .number, .integer, .boolean: break
    case .any, .object, .list, .dictionary:
      // Inside the binding of that same property, the name is always ambiguous.
      if case .expression(let expression) = plan,
        expression.right.steps.first?.propertyName == name
      {
        break
      }
      guard let next = path.steps[1].propertyName, root.shape.index(of: next) != nil else {
        return nil
      }
      if name == ShadowedName.window {
        return error(of: name, in: path, seenFrom: view, root, .isOther)
      }
      // These properties lead to other objects only once the view is shown.
      if ShadowedName.shownLater.contains(name) { return nil }
      let value = try? runtime.graph.untracked { try view.value(of: name) }
      if case .object(let object as DataObject)? = value, object.shape.index(of: next) != nil {
        return nil
      }
    }
    return error(of: name, in: path, seenFrom: view, root, .leadsNowhere)
  }

  private func error(
    of name: String, in path: Path, seenFrom view: View, _ root: DataObject,
    _ reason: ShadowedName.Reason
  ) -> TideError {
    let other = root.label == name ? "a model" : root.label.withArticle
    var error = TideError(
      .unresolvedName,
      ShadowedName.message(name, in: path, of: view.viewClass.name, and: other, reason),
      location: options.location, path: text)
    error.holder = ObjectHandle(view)
    return error
  }

  /// Lists that a path begins with a property of the view that is nil, for as long as the view is
  /// shown that way, if a model of that name would lead to a property.
  private func followShadowing(of path: Path, seenFrom view: View, in runtime: Runtime) {
    guard path.steps.count > 1, let name = path.steps.first?.propertyName,
      ShadowedName.shownLater.contains(name), view.shape.index(of: name) != nil,
      let next = path.steps[1].propertyName, let root = root(named: name, in: runtime),
      root.shape.index(of: next) != nil
    else { return }
    let shadowed = error(of: name, in: path, seenFrom: view, root, .isNil)
    context.table.with(context) {
      runtime.listWhileFound(.unresolvedName) { [weak view] in
        guard let view, try !view.value(of: ShadowedName.window).isNil,
          try view.value(of: name).isNil
        else { return }
        throw shadowed
      }
    }
  }

  private func root(named name: String, in runtime: Runtime) -> DataObject? {
    runtime.graph.untracked { runtime.models[name] } ?? roots[name]
      ?? runtime.ending.root(named: name)
  }

  /// The model or root at which a path begins; nil if it begins at the view.
  private static func modelName(of path: Path, seenFrom view: View) -> String? {
    guard let name = path.steps.first?.propertyName, view.shape.index(of: name) == nil else {
      return nil
    }
    return name
  }

  var origin: (location: SourceLocation?, text: String?) { (options.location, text) }

  func check(with transformers: TransformerRegistry) throws {
    try plan.check(with: transformers)
  }

  func listMissing(in runtime: Runtime) {
    guard let view else { return }
    wait.list(in: runtime) {
      plan.paths.compactMap { path in
        guard let name = Self.modelName(of: path, seenFrom: view),
          root(named: name, in: runtime) == nil
        else { return nil }
        let names =
          runtime.contexts.pendingNames.modelNames(in: runtime) + view.shape.properties.map(\.name)
        var error = TideError(
          .unresolvedName,
          "\"\(name.inMessage)\" is neither a property of \(view.viewClass.name) nor a model"
            + NearestName.hint(for: name, in: names), location: options.location, path: text)
        error.holder = ObjectHandle(view)
        return error
      }
    }
  }
}
