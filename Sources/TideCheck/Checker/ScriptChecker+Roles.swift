import TideBindings
import TideScript
import TideViews

// Names in the arguments and options of the API, checked by the roles that the catalogue gives
// them.
extension ScriptChecker {
  /// The context in which the names of an argument or an option are looked up.
  struct RoleScope {
    /// The function that receives it, for messages.
    var function: String
    /// The argument before it: the object of a path, or the class of a property.
    var subject: LuaExpression?
    /// The value at which the left path of a binding begins.
    var source: InferredType?
    var rows: LiteralShape?
  }

  /// Checks the names in the arguments of a function.
  func checkNames(
    in arguments: [LuaExpression], ofFunction function: String, rows: LiteralShape? = nil
  ) {
    guard let signatures = names.types.functions[function],
      let signature = signatures.first(where: { fits(arguments, $0) }) ?? signatures.first
    else { return }
    checkNames(in: arguments, signature, RoleScope(function: function, rows: rows))
  }

  /// Checks the names in the arguments of a method, whose object counts as the first argument.
  func checkNames(
    in arguments: [LuaExpression], ofMethod method: String, of owner: InferredType,
    _ base: LuaExpression
  ) {
    guard let type = owner.className, let signature = names.types.methods(of: type)[method] else {
      return
    }
    checkNames(
      in: arguments, signature, RoleScope(function: method, subject: base, rows: owner.rows))
  }

  private func fits(_ arguments: [LuaExpression], _ signature: APITypes.Signature) -> Bool {
    (signature.takesMore || signature.parameters.count >= arguments.count)
      && firstWrong(arguments, signature) == nil
  }

  func checkNames(
    in arguments: [LuaExpression], _ signature: APITypes.Signature, _ scope: RoleScope
  ) {
    var scope = scope
    for (argument, parameter) in zip(arguments, signature.parameters) {
      checkNames(in: argument, as: parameter.type, scope)
      scope.subject = argument
    }
    guard let rest = signature.rest else { return }
    for argument in arguments.dropFirst(signature.parameters.count) {
      checkNames(in: argument, as: rest, scope)
    }
  }

  /// Checks the names in a value with a type of the catalogue.
  func checkNames(in value: LuaExpression, as type: String, _ scope: RoleScope) {
    RoleReader(names.types).read(value, as: type) { finding in
      switch finding {
      case .name(let token, let role): check(token, as: role, scope)
      case .word(let token, let words): mention(token, .cases(words))
      case .options(let table, let name):
        // The options of the function itself are checked with its arguments.
        guard Self.nestedOptions.contains(name) else { break }
        checkOptions(table, of: scope.function, names.types.fields(of: name).keys.sorted())
      }
    }
  }

  /// Options that are nested in other options.
  static let nestedOptions: Set<String> = ["Placeholders", "SortKey"]

  // MARK: Roles

  private func check(_ token: LuaToken, as role: NameRole, _ scope: RoleScope) {
    switch role {
    case .objectPath: check(path: token, of: scope.subject)
    case .sourcePath:
      guard let path = parse(path: token) else { return }
      var locator = PathStepLocator(token, in: source)
      check(path, from: scope.source, "the object", &locator)
    case .rootPath:
      guard let path = parse(path: token) else { return }
      var locator = PathStepLocator(token, in: source)
      check(roots: path, LiteralShape(), &locator)
    case .rowPath: check(rowPath: token, scope.rows)
    case .methodName:
      guard let subject = scope.subject else { return }
      check(property: token.text, of: subject, at: offset(0, in: token), isMethod: true)
    case .className: check(className: token)
    case .viewClassName:
      mention(token, .viewClasses)
      check(viewClass: token.text, at: offset(0, in: token))
    case .viewPropertyName: check(property: token, ofViewClass: scope.subject?.string?.text)
    case .contextName:
      mention(token, .contexts)
      if isContext(token.text) { return }
      report(
        .context,
        "there is no context \"\(token.text)\"\(hint(for: token.text, in: app.contexts))",
        at: offset(0, in: token))
    case .modelOrContextName: check(modelOrContext: token)
    case .eventName: check(event: token, of: scope.subject)
    case .viewID:
      // A text that begins with a digit is a size.
      if scope.function.hasSuffix("snapshot"), token.text.utf8.first?.isLuaDigit == true {
        return check(size: token)
      }
      check(viewID: token)
    case .screenSize: check(size: token)
    case .appFile: check(appFile: token)
    case .keys: check(keys: token)
    case .heldKeys: check(heldKeys: token, scope.function)
    case .reversibleTransformers: check(transformers: token, for: .both)
    }
  }

  private func isContext(_ name: String) -> Bool {
    app.contexts.contains(name) || app.mayBe(name, app.unknownContexts)
  }

  private func check(modelOrContext token: LuaToken) {
    mention(token, .modelsOrContexts)
    let name = token.text
    if app.shapes[name] != nil || app.mayBe(name, app.unknownModels) || isContext(name) { return }
    report(
      .unknownModel,
      "there is no model and no context \"\(name)\""
        + hint(for: name, in: app.contexts, or: modelNames),
      at: offset(0, in: token))
  }

  /// Checks a class name in `isa`. An undeclared class may be that of another program, so it is
  /// reported only if it is nearly the name of a declared one.
  private func check(className token: LuaToken) {
    mention(token, .classes)
    let name = token.text
    let isKnown =
      app.classes.contains(name) || app.shapes[name] != nil || app.components[name] != nil
      || names.viewClasses[ViewOperator.className(name)] != nil
    if isKnown || app.mayBe(name, app.unknownClasses) || app.unknownComponents != .none { return }
    let hint = hint(for: name, in: app.classes, or: modelNames + viewClassNames)
    if hint.isEmpty { return }
    report(.badArgument, "there is no class \"\(name)\"\(hint)", at: offset(0, in: token))
  }

  private func check(property token: LuaToken, ofViewClass name: String?) {
    guard let name, let known = properties(ofView: name) else { return }
    let offset = offset(0, in: token)
    mention(token.text, at: offset, .properties(of: .view(name), isMethod: false))
    if known.contains(token.text) { return }
    report(missing: token.text, "property", of: name, known.names, at: offset)
  }
}

extension InferredType {
  /// The shape of the rows of a list or a controller.
  var rows: LiteralShape? {
    switch self {
    case .list(let rows), .controller(_, let rows): rows
    default: nil
    }
  }

  /// Whether it is an object, or a list of objects, whose properties are known.
  var hasKnownRows: Bool {
    switch self {
    case .list(let rows): rows != nil
    case .held, .object: true
    default: false
    }
  }
}
