import TideBindings
import TideViews

// Binding expressions and paths that stand in the script as literals.
extension ScriptChecker {
  func check(bind arguments: [LuaExpression]) {
    guard let first = arguments.first else { return }
    if let text = first.string {
      let expression = parse(binding: text)
      if let expression { checkClasses(in: [expression.left, expression.right], of: text) }
      if arguments.count > 2 {
        checkOptions(arguments.dropFirst(3).first, of: "bind", Self.bindOptions)
        if let expression {
          check(expression.left, of: arguments[1], in: text)
          check(expression.right, of: arguments[2], in: text)
        }
        return
      }
      let options = arguments.dropFirst().first
      checkOptions(options, of: "bind", Self.bindOptions)
      // What is no literal may be anything.
      guard let expression, options.map({ $0.fields != nil }) ?? true else { return }
      let roots = roots(of: options)
      for path in [expression.left, expression.right] { check(roots: path, in: text, roots) }
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
      checkClasses(in: [path], of: token)
      if arguments.count == 2 || options?.fields != nil && !hasEnds {
        check(roots: path, in: token, roots)
      }
    }
  }

  /// The names of the option `roots`; nil where it may have any.
  private func roots(of options: LuaExpression?) -> LiteralShape {
    guard let given = options?.fields?.first(where: { $0.name?.text == "roots" }) else {
      return LiteralShape()
    }
    return given.value.fields.map { LiteralShape($0) } ?? .unknown
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
      let expression = try BindingExpression.parse(token.text)
      check(expression.transforms, for: expression.arrow, in: token)
      return expression
    } catch {
      report(error, in: token)
      return nil
    }
  }

  func parse(view token: LuaToken) -> ViewExpression? {
    do throws(SyntaxFault) {
      let expression = try ViewExpression.parse(token.text)
      check(expression.transforms, for: expression.arrow, in: token)
      return expression
    } catch {
      report(error, in: token)
      return nil
    }
  }

  func parse(path token: LuaToken) -> Path? {
    do throws(SyntaxFault) { return try Path.parse(token.text) } catch {
      report(error, in: token)
      return nil
    }
  }

  // MARK: Transformers

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
      if app.mayBe(call.name, app.unknownTransformers) { return }
      var bare = call
      bare.place = nil
      do throws(TideError) {
        made.append(try transformers.make(bare))
      } catch {
        return report(
          error.code, error.message, at: offset(call.place?.offset ?? 0, in: token))
      }
    }
    guard let arrow, let first = calls.first else { return }
    do throws(TideError) { _ = try TransformChain(made, for: arrow) } catch {
      report(error.code, error.message, at: offset(first.place?.offset ?? 0, in: token))
    }
  }

  // MARK: Paths

  /// A path that begins at an object which is another argument.
  func check(path expression: LuaExpression?, of object: LuaExpression?) {
    guard let token = expression?.string, let path = parse(path: token) else { return }
    checkClasses(in: [path], of: token)
    if let object { check(path, of: object, in: token) }
  }

  /// The first step of a path, on what is known of the object.
  private func check(_ path: Path, of object: LuaExpression, in token: LuaToken) {
    guard let name = path.steps.first?.propertyName else { return }
    switch meanings.meaning(of: object) {
    case .model(let model):
      if let shape = app.shapes[model] { check(name, in: shape, of: model, token) }
    case .object(let shape): check(name, in: shape, of: "object", token)
    case .view(let viewClass): check(name, ofView: viewClass, token)
    case .constructor, nil: break
    }
  }

  /// A path that begins with the name of a model, a view or a root.
  private func check(roots path: Path, in token: LuaToken, _ roots: LiteralShape) {
    guard let name = path.steps.first?.propertyName, !roots.contains(name) else { return }
    if checkSecondStep(of: path, in: token) { return }
    if let classes = app.ids[name] {
      if classes.count == 1, let viewClass = classes.first ?? nil, path.steps.count > 1,
        let property = path.steps[1].propertyName
      {
        check(property, ofView: viewClass, token)
      }
      return
    }
    if app.mayBe(name, app.unknownModels) || app.mayBe(name, app.unknownIDs)
      || app.mentionedModels.contains(name)
    {
      return
    }
    let known = app.shapes.keys.sorted() + app.ids.keys.sorted()
    report(
      .unresolvedName,
      "\"\(name)\" is neither a model nor the id of a view\(NearestName.hint(for: name, in: known))",
      at: place(of: name, in: token))
  }

  /// The step after a model's name; false where the path does not begin with one.
  func checkSecondStep(of path: Path, in token: LuaToken) -> Bool {
    guard let name = path.steps.first?.propertyName, let shape = app.shapes[name] else {
      return false
    }
    if path.steps.count > 1, let property = path.steps[1].propertyName {
      check(property, in: shape, of: name, token)
    }
    return true
  }

  private func check(
    _ name: String, in shape: LiteralShape, of label: String, _ token: LuaToken
  ) {
    if shape.contains(name) { return }
    let hint = NearestName.hint(for: name, in: shape.names.sorted())
    report(
      .unknownProperty, "\(label) has no property \"\(name)\"\(hint)",
      at: place(of: name, in: token)
    )
  }

  private func check(_ name: String, ofView viewClass: String, _ token: LuaToken) {
    guard let known = properties(ofView: viewClass), !known.contains(name) else { return }
    let hint = NearestName.hint(for: name, in: known.names.sorted())
    report(
      .unknownProperty, "\(viewClass) has no property \"\(name)\"\(hint)",
      at: place(of: name, in: token))
  }

  /// Where a word of a text stands in the script.
  func place(of word: String, in token: LuaToken) -> Int {
    guard let start = token.contentStart else { return token.range.lowerBound }
    let bytes = script.source.bytes
    let wanted = Array(word.utf8)
    var offset = start
    while offset + wanted.count <= token.range.upperBound {
      let end = offset + wanted.count
      if bytes[offset..<end].elementsEqual(wanted),
        offset == start || !bytes[offset - 1].continuesLuaName,
        end == bytes.count || !bytes[end].continuesLuaName
      {
        return offset
      }
      offset += 1
    }
    return start
  }

  /// The classes that view operators name.
  func checkClasses(in paths: [Path], of token: LuaToken) {
    if app.unknownComponents != .none { return }
    for path in paths {
      for case .view(let step) in path.steps {
        guard let name = step.classArgument, names.viewClasses[name] == nil,
          app.components[name] == nil
        else { continue }
        report(
          .unknownView,
          "there is no view class \"\(name)\"\(NearestName.hint(for: name, in: viewClassNames))",
          at: place(of: name, in: token))
      }
    }
  }
}

extension ViewOperator {
  /// The class that it looks for.
  fileprivate var classArgument: String? {
    switch self {
    case .superviewWithClass(let name), .subviewWithClass(let name): name
    default: nil
    }
  }
}
