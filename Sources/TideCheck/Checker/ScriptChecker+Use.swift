import TideBindings
import TideScript
import TideSystem
import TideViews

// Declarations that are never used: transformers, ids, bindings and views.
extension ScriptChecker {
  func checkUse() {
    if script.isSpec || !index.isWhole { return }
    checkTransformerUse()
    checkIDUse()
  }

  private func checkTransformerUse() {
    // A single script may be a module that other scripts use.
    let unused = index.unusedTransformers
    if app.requiresUnknown || index.scriptCount < 2 && unused.count == app.transformers.count {
      return
    }
    for place in script.symbols.transformerPlaces where unused.contains(place.name) {
      // The name occurs once, in its declaration.
      if isNamedInSpecs(place.name) { continue }
      report(
        .unusedTransformer,
        "nothing names the transformer \"\(place.name)\"; use it, or take it out",
        at: place.offset, .warning)
    }
  }

  /// Reloads also use ids, to find views that hold the focus, a selection or text. So only one case
  /// is reported: the single unused id of an app, on a view that holds no such state.
  private func checkIDUse() {
    let own = script.symbols.idPlaces
    guard !own.isEmpty, !app.usesAllViews, app.unknownIDs == .none else { return }
    let unused = index.unusedIDs
    guard app.ids.count >= 6, unused.count == 1 else { return }
    for place in own
    where unused.contains(place.name) && isOfPlainViews(place.name) && !isNamedInSpecs(place.name) {
      report(
        .unusedID,
        "nothing names the id \"\(place.name)\", while other ids of the app are named; "
          + "use it, or take it out", at: place.offset, .warning)
    }
  }

  /// Whether all views with an id are of classes without input, such as labels.
  private func isOfPlainViews(_ id: String) -> Bool {
    app.ids[id]?.allSatisfy { name in
      guard let found = name.flatMap({ names.viewClasses[$0] }) else { return false }
      return found.events.count == ViewClass.view.events.count
    } ?? false
  }

  /// Whether a word occurs in a spec beside the app that is not among the checked files.
  private func isNamedInSpecs(_ word: String) -> Bool {
    if index.hasSpecs { return false }
    let folder = ScriptFiles.folder(of: script.source.path)
    return specTexts(beside: folder).contains { $0.contains(word: word) }
  }

  private func specTexts(beside folder: String) -> [[UInt8]] {
    if let known = specTexts { return known }
    var files: [String] = []
    for home in ScriptFiles.homes(of: script.source.path).prefix(2) {
      let beside = index.finder.scripts(in: home).filter { $0.hasSuffix("_spec.lua") }
      files += beside
      files += index.finder.scripts(in: SystemPath.joined(home, "spec"))
    }
    let texts = files.prefix(ScriptCheck.neighbourLimit).compactMap {
      try? ScriptFile.bytes(of: $0, limit: ScriptCheck.sizeLimit, "a script file")
    }
    specTexts = texts
    return texts
  }

  // MARK: Bindings and views

  /// Reports `binding "a -> b"` that is never connected.
  func check(
    unconnected call: LuaExpression, _ expression: BindingExpression?,
    _ position: SyntaxWalker.Position
  ) {
    guard isUnread(position) || position.isStatement && isRooted(expression) else { return }
    report(
      .unreachableBinding,
      "nothing connects this binding: give it its ends by :connect(left, right), or write bind",
      at: call.range.lowerBound, .warning)
  }

  /// Reports `trigger.manual()` that nothing can fire.
  func check(manual options: LuaExpression?, _ position: SyntaxWalker.Position) {
    guard isUnread(position) || position.isStatement, let fields = options?.fields,
      fields["name"] == nil,
      let trigger = fields["trigger"], case .call(let callee, _) = trigger.kind,
      inference.function(callee) == "trigger.manual"
    else { return }
    report(
      .unreachableBinding,
      "nothing can fire this binding, because nobody keeps it: keep it in a variable, and call "
        + ":fire()", at: trigger.range.lowerBound, .warning)
  }

  /// Reports a view with bindings that is created and never shown.
  func check(unshown call: LuaExpression, _ fields: [LuaField], _ position: SyntaxWalker.Position) {
    guard position.depth == 0, !script.isSpec else { return }
    if !showsViews, position.isStatement || isUnread(position), !position.isConditional {
      untakenViews.append(call.range.lowerBound)
    }
    guard isUnread(position), showsViews, hasBindings(fields) else { return }
    report(
      .unreachableBinding,
      "this view is never shown: put it into another, or take it out", at: call.range.lowerBound,
      .warning)
  }

  /// Reports a main script that creates views and shows none.
  func checkShown() {
    guard let last = untakenViews.last, index.isWhole, !script.isDefinitions,
      !app.requiresUnknown, !index.required.contains(ObjectIdentifier(script)),
      !index.callsShow, LuaFunctionBody.results(of: script.statements).isEmpty
    else { return }
    report(
      .nothingShown,
      "this script makes views and shows none: return the outermost one at its end", at: last,
      .warning)
  }

  /// Whether the script shows views, so that one it does not show was forgotten.
  private var showsViews: Bool {
    shows > 0 || script.returned.map { inference.viewClass(of: $0) != nil } == true
  }

  /// Whether an expression is assigned to a variable that is never read.
  private func isUnread(_ position: SyntaxWalker.Position) -> Bool {
    position.local.map { !$0.isRead && !$0.isReassigned } == true
  }

  /// Whether both ends of an expression name objects of the app, so that `bind` was meant.
  private func isRooted(_ expression: BindingExpression?) -> Bool {
    guard let expression else { return false }
    return [expression.left, expression.right].allSatisfy { path in
      path.steps.first?.propertyName.map { app.shapes[$0] != nil || app.ids[$0] != nil } ?? false
    }
  }

  private func hasBindings(_ fields: [LuaField]) -> Bool {
    fields.contains { field in
      if field.name?.text == "bindTo" || field.name?.text == "on" { return true }
      guard field.isElement, inference.viewClass(of: field.value) != nil,
        case .call(_, let arguments) = field.value.kind
      else { return false }
      return hasBindings(arguments.first?.fields ?? [])
    }
  }
}
