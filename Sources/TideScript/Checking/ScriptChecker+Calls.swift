import TideBindings

// The functions of the API, their options and their arguments.
extension ScriptChecker {
  func check(
    call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression],
    _ place: ScriptWalk.Place
  ) {
    if let made = meanings.viewClass(of: call) {
      return check(view: made.name, arguments.first, place)
    }
    if let declaration = meanings.declaration(call) {
      if declaration.fields == nil { report(unfinished: declaration.name, place) }
      return
    }
    if case .constructor(let shape)? = meanings.meaning(of: callee) {
      return check(fields: arguments.first, of: shape)
    }
    guard let function = meanings.function(callee) else { return }
    switch function {
    case "bind": check(bind: arguments)
    case "binding":
      if let text = arguments.first?.string, let expression = parse(binding: text) {
        checkClasses(in: [expression.left, expression.right], of: text)
      }
      checkOptions(arguments.dropFirst().first, of: "bind", Self.bindOptions)
    case "observe":
      check(path: arguments.dropFirst().first, of: arguments.first)
      checkOptions(arguments.dropFirst(3).first, of: function, ["initial", "prior"])
    case "why", "unbind", "trigger.change":
      check(path: arguments.dropFirst().first, of: arguments.first)
    case "ref":
      check(path: arguments.dropFirst().first, of: arguments.first)
      for transform in arguments.dropFirst(2) { check(transform: transform) }
    case "on":
      check(event: arguments.dropFirst().first)
      checkOptions(arguments.dropFirst(3).first, of: function, ["initial"])
    case "trigger.event": check(event: arguments.dropFirst().first)
    case "property": checkOptions(arguments.first, of: function, Self.propertyOptions)
    case "feed": checkOptions(arguments.first, of: function, ["fetch", "page"])
    case "view.component":
      checkOptions(
        arguments.dropFirst().first, of: function, ["properties", "events", "view"])
    case "context":
      guard !script.isSpec else { break }
      for argument in arguments where argument.fields != nil {
        checkOptions(argument, of: function, ["policy", "enabled"])
      }
    default: break
    }
  }

  static let bindOptions = Runtime.bindingOptionNames
  static let propertyOptions = [
    "default", "type", "nullable", "readonly", "enum", "validate", "description",
  ]

  /// A binding's or an observation's method.
  func check(method name: String, _ arguments: [LuaExpression]) {
    guard name == "observe", arguments.count > 1, arguments.first?.functionBody != nil else {
      return
    }
    checkOptions(
      arguments[1], of: "observe",
      ["initial", "batch", "insertion", "removal", "replacement", "move"])
  }

  /// The names in a literal table of options.
  func checkOptions(_ table: LuaExpression?, of function: String, _ known: [String]) {
    for field in table?.fields ?? [] {
      guard let name = field.name else { continue }
      if !known.contains(name.text) {
        let hint = NearestName.hint(for: name.text, in: known)
        report(.badArgument, "\(function) has no option \"\(name.text)\"\(hint)", at: name.start)
      }
    }
    guard function == "bind" else { return }
    for field in table?.fields ?? [] where field.name?.text == "transform" {
      check(transform: field.value)
    }
  }

  /// The fields that an object of a class is made with.
  private func check(fields: LuaExpression?, of shape: LiteralShape) {
    for field in fields?.fields ?? [] {
      guard let name = field.name, !shape.contains(name.text) else { continue }
      let hint = NearestName.hint(for: name.text, in: shape.names.sorted())
      report(
        .unknownProperty, "the class declares no property \"\(name.text)\"\(hint)", at: name.start)
    }
  }
}
