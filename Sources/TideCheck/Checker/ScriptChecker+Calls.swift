import TideBindings
import TideScript
import TideViews

// The functions of the API, their options and their arguments.
extension ScriptChecker {
  /// Every shared model already has a property `sync`.
  private func check(sharedFields fields: [LuaField]) {
    for case .name("sync", let offset) in fields.map(\.key) {
      report(.badArgument, Runtime.takenBySharing, at: offset)
    }
  }

  func check(
    call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression],
    _ position: SyntaxWalker.Position
  ) {
    if let made = inference.viewClass(of: call) {
      return check(view: made.name, call, arguments.first, position)
    }
    if let declaration = inference.declaration(call) {
      mention(declaration.name, .models, .declaration)
      mention(fields: declaration.fields?.fields)
      if declaration.keyword == "shared" { check(sharedFields: declaration.fields?.fields ?? []) }
      check(nilInListsOf: declaration.fields?.fields)
      if declaration.fields == nil, arguments.count < 2 || !refuse(fields: arguments[1], of: call) {
        report(unfinished: declaration.name, declaration.keyword, position)
      }
      return
    }
    if case .constructor(let shape)? = inference.inferredType(of: callee) {
      if !position.isStatement { check(fieldsTable: arguments, called: text(of: callee)) }
      return check(fields: arguments.first, of: shape, called: text(of: callee))
    }
    if mentions != nil { mention(declaredBy: call, callee, arguments) }
    if case .call(let inner, _) = callee.kind, inference.function(inner) == "class" {
      check(nilInListsOf: arguments.first?.fields)
    }
    if case .call(let inner, let names) = callee.kind, inference.function(inner) == "transformer",
      names.count == 1
    {
      check(transforming: arguments.first)
      return check(transformerBody: arguments.first)
    }
    check(calledTable: callee)
    guard let function = inference.function(callee) else {
      if script.isSpec { check(runnerCall: call, callee, arguments) }
      return
    }
    defer { check(arguments, ofFunction: function, at: callee.range.lowerBound) }
    check(functionsFor: function, arguments)
    if function != "bind", function != "binding" {
      let isController = function.hasPrefix("controller.")
      checkNames(
        in: arguments, ofFunction: function,
        rows: isController ? inference.rows(ofController: call) : nil)
    }
    switch function {
    case "bind":
      check(bind: arguments)
      check(rightOf: arguments, at: callee.range.lowerBound)
      check(manual: arguments.last, position)
    case "binding":
      let expression = arguments.first?.string.flatMap { parse(binding: $0) }
      check(unconnected: call, expression, position)
      if let text = arguments.first?.string, let expression {
        check(expression, in: text, connecting: nil, nil)
        check(transformsOf: arguments.dropFirst().first, for: expression.arrow)
      }
      checkOptions(arguments.dropFirst().first, of: "bind", Self.bindOptions)
    case "observe":
      checkOptions(arguments.dropFirst(3).first, of: function, ["initial", "prior"])
    case "ref":
      for transform in arguments.dropFirst(2) { check(transform: transform) }
    case "on": checkOptions(arguments.dropFirst(3).first, of: function, ["initial"])
    case "property":
      checkOptions(arguments.first, of: function, Self.propertyOptions)
      check(propertyType: arguments.first)
      check(defaultOf: arguments.first)
    case "model", "shared":
      guard arguments.first?.fields != nil else { break }
      report(
        .badArgument,
        "a model has a name: \(function) \"name\" { … }; without one write object { … }",
        at: arguments[0].range.lowerBound)
    case "isa":
      guard let text = arguments.first?.string?.text else { break }
      report(
        .badArgument,
        "isa takes the object first and then its class, and \"\(text)\" is no object",
        at: arguments[0].range.lowerBound)
    case "class" where arguments.first?.fields != nil:
      report(
        .badArgument, "class lacks its name: write class \"Name\" { … }",
        at: arguments[0].range.lowerBound)
    case "class":
      if arguments.count < 2 || !refuse(fields: arguments[1], of: call) {
        check(baseClass: arguments.dropFirst().first)
      }
    case "strings": check(strings: arguments.first)
    case "transformer": check(transformerBody: arguments.dropFirst().first)
    case "style.define":
      if let name = arguments.first?.string {
        check(styleDefinition: arguments.dropFirst().first, of: name.text)
      }
    case "list":
      check(rowsOf: arguments.first)
      check(nilIn: arguments.first)
    case "object":
      check(nilInListsOf: arguments.first?.fields)
      check(unfinishedCommand: arguments.first)
    case "notification.post":
      check(
        notification: arguments.first, answeredBy: app.observedNotifications,
        index.unpostedNotifications, "observes")
    case "notification.observe", "trigger.notification":
      check(
        notification: arguments.first, answeredBy: app.postedNotifications,
        index.unobservedNotifications, "posts")
    case "rich.color", "rich.background": check(color: arguments.first)
    case "rich.style": if let names = arguments.first { check(style: names) }
    case "ask", "ask.text", "ask.choice":
      let options = arguments.first
      check(defaultButton: options?.fields, of: function)
      if let known = Runtime.optionsOfFunctions[function] {
        checkOptions(options, of: function, known.names)
      }
    case "view.component":
      checkOptions(
        arguments.dropFirst().first, of: function, ["properties", "events", "view"])
    case "context":
      guard !script.isSpec else { break }
      for argument in arguments where argument.fields != nil {
        checkOptions(argument, of: function, ["policy", "enabled"])
      }
    default:
      if let options = Runtime.optionsOfFunctions[function] {
        return checkOptions(
          arguments.dropFirst(options.argument).first, of: function, options.names)
      }
      let kind = function.dropFirst("controller.".count)
      guard function.hasPrefix("controller."),
        let known = names.values.controllerOptions[String(kind)]
      else { break }
      checkOptions(arguments.first, of: function, known)
    }
  }

  /// Checks a call of a function of the test runner.
  private func check(
    runnerCall call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression]
  ) {
    let start = callee.range.lowerBound
    if case .member(let base, let name, let offset) = callee.kind,
      let type = inference.inferredType(of: base)?.className,
      let function = names.types.functions(of: type)[name]
    {
      checkNames(in: arguments, function, RoleScope(function: name))
      return check(arguments, name, [function.takingAll], at: offset)
    }
    guard let path = inference.path(of: callee) else { return }
    if assertionsOfMissing.contains(ObjectIdentifier(call)), mentions == nil { return }
    if let assertion = names.assertions?.assertion(in: path) {
      check(arguments, ofAssertion: assertion, at: start)
      check(values: arguments, ofAssertion: assertion, path)
      if hasProblem(at: start) { return }
      checkNames(in: arguments, ofFunction: "assert.\(assertion)")
      return check(arguments, ofRunner: "assert.\(assertion)", at: start)
    }
    checkNames(in: arguments, ofFunction: path)
    // Groups and tests may lack any of their arguments.
    if path.contains(".") { check(arguments, ofRunner: path, at: start) }
  }

  /// `ask { text = "Save?", buttons = { "Save", "Discard" }, default = "Save" }`
  private func check(defaultButton options: [LuaField]?, of function: String) {
    guard let text = options?["default"]?.string else { return }
    var known = function == "ask" ? ["OK"] : ["OK", "Cancel"]
    if let buttons = options?["buttons"] {
      guard let fields = buttons.fields, fields.isSequence else { return }
      known = fields.compactMap(\.value.string?.text)
      if known.count < fields.count { return }
    }
    mention(text, .cases(known))
    if known.contains(text.text) { return }
    report(
      .badArgument,
      "\"\(text.text)\" is no button of \(function)"
        + hintOrNames(for: text.text, in: known),
      at: offset(0, in: text))
  }

  /// Reports a notification that is only posted or only observed, if the other side uses nearly the
  /// same name.
  ///
  /// - Parameter unanswered: the names that only the other side uses.
  private func check(
    notification value: LuaExpression?, answeredBy others: Set<String>, _ unanswered: [String],
    _ verb: String
  ) {
    guard mentions == nil, let text = value?.string, app.unknownNotifications == .none,
      !others.contains(text.text)
    else { return }
    hintBudget -= unanswered.count
    guard hintBudget >= 0, let meant = NearestName.find(text.text, in: unanswered),
      NearestName.isSlip(text.text, for: meant)
    else { return }
    report(
      .unknownEvent,
      "nothing \(verb) the notification \"\(text.text)\"\(NearestName.advice(meant))",
      at: offset(0, in: text), .warning)
  }

  private func check(color value: LuaExpression?) {
    guard let text = value?.string else { return }
    do throws(TideError) { _ = try Color(text.text) } catch {
      report(error.code, error.message, at: offset(0, in: text))
    }
  }

  private func check(propertyType options: LuaExpression?) {
    for field in options?.fields ?? [] where field.name?.text == "type" {
      guard let type = field.value.string else { continue }
      mention(type, .cases(ValueType.allCases.map(\.name)))
      if ValueType(name: type.text) != nil { continue }
      let hint = hintOrNames(for: type.text, in: ValueType.allCases.map(\.name))
      report(
        .badArgument, "there is no type \"\(type.text)\"\(hint)", at: type.range.lowerBound)
    }
  }

  /// Checks for `transform` and `reverse`. Only a nearly correct key is reported, because other
  /// keys are harmless.
  func check(transformerBody body: LuaExpression?) {
    check(otherwiseIn: body)
    for field in body?.fields ?? [] {
      if let name = field.name {
        mention(name.text, at: name.start, .options(of: "transformer", ["transform", "reverse"]))
      }
      guard let name = field.name, !["transform", "reverse"].contains(name.text) else { continue }
      let hint = hint(for: name.text, in: ["transform", "reverse"])
      if hint.isEmpty { continue }
      report(.badArgument, "a transformer has no \"\(name.text)\"\(hint)", at: name.start)
    }
  }

  /// Reports `class("Fig", { … })`, as running it does. Returns false for other arguments.
  private func refuse(fields: LuaExpression, of call: LuaExpression) -> Bool {
    guard fields.fields != nil, case .call(let callee, let arguments) = call.kind,
      let keyword = inference.function(callee), let name = arguments.first?.string
    else { return false }
    report(
      .badArgument,
      "the fields follow the name without a comma: \(keyword) \"\(name.text)\" { … }",
      at: fields.range.lowerBound)
    return true
  }

  /// Reports `class("Fig", "Fruit")`, which names the class that is wanted.
  private func check(baseClass value: LuaExpression?) {
    guard let value, let kind = LiteralKind(value) else { return }
    report(
      .badArgument, "argument 2 of class is a class, not \(kind.shown)", at: value.range.lowerBound)
  }

  /// Checks the plural forms in `strings { de = { ["%d figs"] = { one = …, other = … } } }`.
  private func check(strings table: LuaExpression?) {
    let known = ["zero", "one", "two", "few", "many", "other"]
    for field in table?.fields ?? [] {
      guard let language = field.name?.text, let kind = LiteralKind(field.value),
        field.value.fields == nil
      else { continue }
      report(
        .badArgument,
        "strings maps locales to tables of texts, as strings { de = { Save = \"Sichern\" } }; "
          + "found \(kind.shown) for \"\(language)\"", at: field.value.range.lowerBound)
    }
    for entry in (table?.fields ?? []).flatMap({ $0.value.fields ?? [] }) {
      for field in entry.value.fields ?? [] {
        guard let form = field.name else { continue }
        mention(form.text, at: form.start, .options(of: "a plural", known))
        if known.contains(form.text) { continue }
        let hint = hintOrNames(for: form.text, in: known)
        report(.badArgument, "a plural has no form \"\(form.text)\"\(hint)", at: form.start)
      }
    }
  }

  static let bindOptions = Runtime.bindingOptionNames
  static let propertyOptions = Runtime.propertyOptionNames

  /// Checks a call of a method of a list, a database or another known object.
  func check(method name: String, of base: LuaExpression, _ arguments: [LuaExpression]) {
    if case .store? = inference.inferredType(of: base) {
      check(storeMethod: name, arguments)
      return checkNames(in: arguments, ofMethod: name, of: .store, base)
    }
    if name == "send", case .view(let viewClass)? = inference.inferredType(of: base) {
      return check(sentEvent: arguments.first, of: viewClass)
    }
    if let owner = inference.inferredType(of: base) {
      checkNames(in: arguments, ofMethod: name, of: owner, base)
      if case .userdata("binding") = owner, name == "connect" { check(connected: base, arguments) }
    }
    check(rowsPutInto: base, name, arguments)
    if inference.inferredType(of: base) == nil { check(patternOfUnknown: name, arguments) }
    if case .list? = inference.inferredType(of: base) {
      check(edit: name, of: base)
      check(nilPutInBy: name, arguments)
      if name == "observe" { check(waitsIn: arguments.first, "an observer") }
      check(elements: arguments, putInBy: name, base)
      if name == "sorted", arguments.isEmpty {
        check(sortedWithoutKey: base, at: base.range.upperBound + 1)
      }
      check(functionOf: name, arguments)
    }
    if case .list? = inference.inferredType(of: base) {
    } else if inference.inferredType(of: base) != nil {
      return
    }
    guard name == "observe", arguments.count > 1, arguments.first?.functionBody != nil else {
      return
    }
    checkOptions(
      arguments[1], of: "observe",
      ["initial", "batch", "insertion", "removal", "replacement", "move"])
    checkValues(of: arguments[1], "ListObserveOptions", "observe")
  }

  /// Reports `bind("name -> text", person)`, which lacks the right object.
  private func check(rightOf arguments: [LuaExpression], at offset: Int) {
    guard mentions == nil, arguments.count == 2, arguments[0].string != nil,
      arguments[1].fields == nil
    else { return }
    switch inference.inferredType(of: arguments[1]) {
    case .model?, .object?, .held?, .view?, .controller?, .list?, .instance?, .store?: break
    default: return
    }
    report(
      .badArgument,
      "bind lacks an argument, \"right\": with an object on the left it takes one on the right: "
        + "bind(expression, left, right)", at: offset)
  }

  /// Reports `list:insert(row)`, which lacks the index or the element.
  private func check(
    elements arguments: [LuaExpression], putInBy method: String, _ base: LuaExpression
  ) {
    check(indexIn: arguments, of: method)
    check(firstIndexIn: arguments, of: method)
    guard method == "insert", arguments.count == 1, arguments.last.map(givesSeveral) != true else {
      return
    }
    report(
      .badArgument,
      "insert lacks an argument, \"element\": write \(text(of: base)):insert(index, element)",
      at: arguments[0].range.lowerBound, .warning)
  }

  /// Checks the names in a literal table of options.
  func checkOptions(_ table: LuaExpression?, of function: String, _ known: [String]) {
    mention(fieldAtCaretIn: table, .options(of: function, known))
    for field in table?.fields ?? [] {
      guard let name = field.name else { continue }
      mention(name.text, at: name.start, .options(of: function, known))
      if !known.contains(name.text) {
        let hint = hintOrNames(for: name.text, in: known)
        report(.badArgument, "\(function) has no option \"\(name.text)\"\(hint)", at: name.start)
      }
    }
    guard function == "bind" else { return }
    defer { checkValues(of: table, "BindingOptions", function) }
    for field in table?.fields ?? [] {
      switch field.name?.text {
      case "transform": check(transform: field.value)
      case "deliver":
        guard let text = field.value.string, !["settle", "frame"].contains(text.text) else { break }
        report(
          .badArgument,
          "the option \"deliver\" of bind is \"settle\" or \"frame\", not \"\(text.text)\"",
          at: text.range.lowerBound)
      default: break
      }
    }
  }

  /// Reports `local web = Service("web")`.
  private func check(fieldsTable arguments: [LuaExpression], called: String) {
    guard let value = arguments.first else { return }
    if arguments.count > 1 {
      return report(
        .badArgument, "one too many: \(called) takes one argument, a table of properties",
        at: arguments[1].range.lowerBound)
    }
    if let element = value.fields?.first(where: \.isElement)?.value, !givesSeveral(element) {
      let advice =
        if case .name(let name, _) = element.kind { "\(name) = \(name)" } else { "name = …" }
      return report(
        .badArgument, "the fields of \(called) have names; write \(advice)",
        at: element.range.lowerBound)
    }
    guard value.fields == nil else { return }
    if let kind = LiteralKind(value) {
      return report(
        .badArgument, "\(called) takes a table of properties, not \(kind.shown)",
        at: value.range.lowerBound)
    }
    guard let kind = kind(of: value), [.text, .number, .boolean].contains(kind) else { return }
    report(
      .badArgument,
      "\(called) takes a table of properties, and \(text(of: value)) is \(kind.rawValue)",
      at: value.range.lowerBound)
  }

  /// Checks the fields with which an object of a class is created.
  private func check(fields: LuaExpression?, of shape: LiteralShape, called: String) {
    mention(fieldAtCaretIn: fields, .properties(of: .object(shape), isMethod: false))
    for field in fields?.fields ?? [] {
      if let name = field.name {
        mention(name.text, at: name.start, .properties(of: .object(shape), isMethod: false))
      }
      guard let name = field.name, !shape.contains(name.text) else { continue }
      let hint = hintOrNames(for: name.text, in: shape.names)
      report(
        .unknownProperty, "the class declares no property \"\(name.text)\"\(hint)", at: name.start)
    }
    for field in fields?.fields ?? [] {
      guard let name = field.name else { continue }
      check(
        value: field.value, of: name.text, at: name.start, in: .object(shape), called: called)
    }
  }
}
