import TideBindings
import TideViews
import TideScript

// Binding expressions and paths that are literals in a script.
extension ScriptChecker {
  func check(bind arguments: [LuaExpression]) {
    guard let first = arguments.first else { return }
    if let text = first.string {
      let expression = parse(binding: text)
      let hasEnds = arguments.count > 2
      let options = arguments.dropFirst(hasEnds ? 3 : 1).first
      var origin: InferredType?
      if hasEnds {
        origin = inference.inferredType(of: arguments[1])
      } else if let expression {
        origin = self.origin(of: expression.left, givenRoots(in: options))
      }
      check(bindOptions: options, origin)
      guard let expression else { return }
      check(transformsOf: options, for: expression.arrow)
      if hasEnds { return check(expression, in: text, connecting: arguments[1], arguments[2]) }
      var locator = PathStepLocator(text, in: source)
      let roots = givenRoots(in: options)
      let arrow = expression.arrow
      check(roots: expression.left, roots, &locator, isWritten: arrow.goesLeft)
      check(roots: expression.right, roots, &locator, isWritten: arrow.goesRight)
    } else if let sources = first.fields {
      check(pattern: sources, arguments)
    } else if arguments.count > 2 {
      check(path: arguments[1].string, of: first)
      check(bindOptions: arguments.dropFirst(3).first, inference.inferredType(of: first))
    } else if arguments.count == 2, arguments[1].string != nil, isObject(first) {
      check(path: arguments[1].string, of: first)
      report(
        .badArgument,
        "bind lacks an argument, \"fn\": write bind(object, path, function() return … end)",
        at: first.range.lowerBound)
    }
  }

  /// Whether an expression is a model, an object or a view.
  private func isObject(_ expression: LuaExpression) -> Bool {
    switch inference.inferredType(of: expression) {
    case .model?, .object?, .held?, .view?, .controller?: true
    default: false
    }
  }

  /// The names in the option `roots`; unknown if the options are not a literal table.
  private func givenRoots(in options: LuaExpression?) -> LiteralShape {
    options.map { $0.fields != nil } == false ? .unknown : roots(of: options)
  }

  /// Checks the options of a binding whose left path begins at a value.
  func check(bindOptions options: LuaExpression?, _ origin: InferredType?, ofView: Bool = false) {
    checkOptions(options, of: "bind", Self.bindOptions + (ofView ? ["path"] : []))
    guard let options else { return }
    checkNames(
      in: options, as: "tidelock.BindingOptions", RoleScope(function: "bind", source: origin))
  }

  /// Checks the paths of an expression, starting at the objects that it connects.
  func check(
    _ expression: BindingExpression, in text: LuaToken, connecting left: LuaExpression?,
    _ right: LuaExpression?
  ) {
    var locator = PathStepLocator(text, in: source)
    check(expression.left, of: left, &locator, isWritten: expression.arrow.goesLeft)
    check(expression.right, of: right, &locator, isWritten: expression.arrow.goesRight)
  }

  /// `b:connect(left, right)` of `local b = binding "name -> title"`
  func check(connected binding: LuaExpression, _ ends: [LuaExpression]) {
    guard ends.count > 1, let arguments = inference.bindingArguments(of: binding),
      let text = arguments.first?.string, isOwn(text), let expression = parse(binding: text)
    else { return }
    check(expression, in: text, connecting: ends[0], ends[1])
    guard let options = arguments.dropFirst().first else { return }
    check(bindOptions: options, inference.inferredType(of: ends[0]))
  }

  /// Whether a string is in this script, rather than in one that it requires.
  func isOwn(_ text: LuaToken) -> Bool {
    guard let start = text.contentStart, start + text.text.utf8.count <= source.bytes.count else {
      return false
    }
    return source.bytes[start...].starts(with: text.text.utf8)
  }

  /// Several sources: `bind({ "a.first", "a.last" }, "label.text", { format = … })`.
  private func check(pattern sources: [LuaField], _ arguments: [LuaExpression]) {
    let hasEnds = arguments.count > 3
    let options = arguments.dropFirst(hasEnds ? 4 : 2).first
    let first = sources.first?.value.string.flatMap { try? Path.parse($0.text) }
    // A variable may hold the options, or an object.
    let isRooted = arguments.count == 2 || options?.fields != nil && !hasEnds
    let roots = roots(of: options)
    let origin: InferredType? =
      hasEnds
      ? inference.inferredType(of: arguments[2])
      : isRooted ? first.flatMap { self.origin(of: $0, roots) } : nil
    if options?.fields != nil { check(bindOptions: options, origin) }
    for (index, text) in (sources.map(\.value) + arguments.dropFirst().prefix(1)).enumerated() {
      guard let token = text.string, let path = parse(path: token) else { continue }
      var locator = PathStepLocator(token, in: source)
      if isRooted {
        check(roots: path, roots, &locator)
      } else {
        let end = hasEnds ? arguments[index < sources.count ? 2 : 3] : nil
        check(path, of: end, &locator)
      }
    }
  }

  /// The names in the option `roots`; an open shape if they are unknown.
  func roots(of options: LuaExpression?) -> LiteralShape {
    guard let given = options?.fields?["roots"] else {
      return LiteralShape()
    }
    return given.fields.map { LiteralShape($0) } ?? .unknown
  }

  // MARK: Parsing

  /// The offset in the script of a byte of a string.
  func offset(_ byte: Int, in token: LuaToken) -> Int {
    token.contentStart.map { $0 + byte } ?? token.range.lowerBound
  }

  private func report(_ fault: SyntaxFault, in token: LuaToken) {
    let text = token.contentStart == nil ? " in \(TransformCall.excerpt(token.text))" : ""
    report(fault.code, fault.message + text, at: offset(fault.offset, in: token))
  }

  func parse(binding token: LuaToken) -> BindingExpression? {
    do throws(SyntaxFault) {
      let expression = try parse(token, with: ["", " -> _"]) { (text) throws(SyntaxFault) in
        try BindingExpression.parse(text)
      }
      check(expression.transforms, for: expression.arrow, in: token)
      return expression
    } catch {
      report(error, in: token)
      return nil
    }
  }

  func parse(view token: LuaToken) -> ViewExpression? {
    do throws(SyntaxFault) {
      let expression = try parse(token, with: [""]) { (text) throws(SyntaxFault) in
        try ViewExpression.parse(text)
      }
      check(expression.transforms, for: expression.arrow, in: token)
      return expression
    } catch {
      report(error, in: token)
      return nil
    }
  }

  func parse(path token: LuaToken) -> Path? {
    do throws(SyntaxFault) {
      return try parse(token, with: [""]) { (text) throws(SyntaxFault) in try Path.parse(text) }
    } catch {
      report(error, in: token)
      return nil
    }
  }

  // MARK: Transformers

  /// Checks the option `transform` of a binding in both directions: each transformer needs a
  /// reverse.
  func check(transformsOf options: LuaExpression?, for arrow: Arrow) {
    guard arrow.goesLeft, !arrow.appliesForwardLeftward,
      let given = options?.fields?["transform"]
    else { return }
    let isSequence = given.fields?.isEmpty == false && given.fields?.isSequence == true
    for transform in isSequence ? given.fields?.map(\.value) ?? [] : [given] {
      check(reverseOf: transform, for: arrow)
    }
  }

  private func check(reverseOf transform: LuaExpression, for arrow: Arrow) {
    if let token = transform.string {
      guard let calls = try? TransformCall.parseSequence(token.text) else { return }
      return check(calls, for: arrow, in: token)
    }
    let fields = inference.table(of: transform)
    let isPair = fields.map { $0["transform"] != nil && $0["reverse"] == nil } ?? false
    guard inference.functionBody(of: transform) != nil || isPair else { return }
    report(
      .irreversible,
      "a function has no reverse, which the arrow \(arrow.rawValue) needs; "
        + "write { transform = …, reverse = … }", at: transform.range.lowerBound)
  }

  /// Checks transformers given as a string, or as a list of strings and functions.
  func check(transform expression: LuaExpression) {
    if let fields = expression.fields {
      if !fields.isSequence { check(transformerBody: expression) }
      for field in fields {
        if case .none = field.key { check(transform: field.value) }
      }
    }
    if let token = expression.string { check(transformers: token, for: nil) }
  }

  /// Checks a string that names transformers, which need a reverse if the arrow requires one.
  func check(transformers token: LuaToken, for arrow: Arrow?) {
    do throws(SyntaxFault) {
      check(try TransformCall.parseSequence(token.text), for: arrow, in: token)
    } catch {
      report(error, in: token)
    }
  }

  private func check(_ calls: [TransformCall], for arrow: Arrow?, in token: LuaToken) {
    var made: [AnyTransformer] = []
    for call in calls {
      if let location = call.location {
        mention(call.name, at: offset(location.offset, in: token), .transformers)
      }
      if app.mayBe(call.name, app.unknownTransformers) { return }
      var bare = call
      bare.location = nil
      do throws(TideError) {
        made.append(try transformers.make(bare))
      } catch {
        return report(
          error.code, error.message, at: offset(call.location?.offset ?? 0, in: token))
      }
    }
    guard let arrow, let first = calls.first else { return }
    do throws(TideError) { _ = try TransformChain(made, for: arrow) } catch {
      report(error.code, error.message, at: offset(first.location?.offset ?? 0, in: token))
    }
  }

  /// Reports `bindTo = { text = fruit.name }`, a value in place of a path.
  func check(boundValue value: LuaExpression, of key: String) {
    guard case .member(let base, let property, _) = value.kind else { return }
    let path: String
    switch inference.inferredType(of: base) {
    case .model(let model)?: path = "\(model).\(property)"
    case .object?, .held?, .controller?, .instance?: path = text(of: value)
    default: return
    }
    report(
      .wrongType, "bindTo takes a path as a text; write \(key) = \"\(path)\"",
      at: value.range.lowerBound, .warning)
  }
}
