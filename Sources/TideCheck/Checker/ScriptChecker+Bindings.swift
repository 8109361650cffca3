import TideBindings
import TideViews
import TideScript

// Binding expressions and paths that stand in the script as literals.
extension ScriptChecker {
  func check(bind arguments: [LuaExpression]) {
    guard let first = arguments.first else { return }
    if let text = first.string {
      let expression = parse(binding: text)
      var locator = PathStepLocator(text, in: source)
      if arguments.count > 2 {
        checkOptions(arguments.dropFirst(3).first, of: "bind", Self.bindOptions)
        if let expression {
          check(transformsOf: arguments.dropFirst(3).first, for: expression.arrow)
          check(expression.left, of: arguments[1], &locator)
          check(expression.right, of: arguments[2], &locator)
        }
        return
      }
      let options = arguments.dropFirst().first
      checkOptions(options, of: "bind", Self.bindOptions)
      guard let expression else { return }
      check(transformsOf: options, for: expression.arrow)
      // What is no literal may be anything.
      let roots = options.map { $0.fields != nil } == false ? .unknown : roots(of: options)
      for path in [expression.left, expression.right] { check(roots: path, roots, &locator) }
    } else if let sources = first.fields {
      check(pattern: sources, arguments)
    } else if arguments.count > 2 {
      check(path: arguments[1], of: first)
      checkOptions(arguments.dropFirst(3).first, of: "bind", Self.bindOptions)
    }
  }

  /// Several sources: `bind({ "a.first", "a.last" }, "label.text", { format = … })`.
  private func check(pattern sources: [LuaField], _ arguments: [LuaExpression]) {
    let hasEnds = arguments.count > 3
    let options = arguments.dropFirst(hasEnds ? 4 : 2).first
    if options?.fields != nil { checkOptions(options, of: "bind", Self.bindOptions) }
    let roots = roots(of: options)
    for text in sources.map(\.value) + arguments.dropFirst().prefix(1) {
      guard let token = text.string, let path = parse(path: token) else { continue }
      var locator = PathStepLocator(token, in: source)
      if arguments.count == 2 || options?.fields != nil && !hasEnds {
        check(roots: path, roots, &locator)
      } else {
        check(path, of: nil, &locator)
      }
    }
  }

  /// The names of the option `roots`; an open shape where it may have any.
  func roots(of options: LuaExpression?) -> LiteralShape {
    guard let given = options?.fields?["roots"] else {
      return LiteralShape()
    }
    return given.fields.map { LiteralShape($0) } ?? .unknown
  }

  // MARK: Parsing

  /// Where a byte of a text stands in the script.
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

  /// Checks the option `transform` of a binding that also goes back: each transformer needs a
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
    let isPair = transform.fields.map { $0["transform"] != nil && $0["reverse"] == nil } ?? false
    guard transform.functionBody != nil || isPair else { return }
    report(
      .irreversible,
      "a function has no reverse, which the arrow \(arrow.rawValue) needs; "
        + "write { transform = …, reverse = … }", at: transform.range.lowerBound)
  }

  /// Transformers given as a text, or as a list of texts and functions.
  func check(transform expression: LuaExpression) {
    if let fields = expression.fields {
      for field in fields {
        if case .none = field.key { check(transform: field.value) }
      }
    }
    guard let token = expression.string else { return }
    do throws(SyntaxFault) {
      check(try TransformCall.parseSequence(token.text), for: nil, in: token)
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
}
