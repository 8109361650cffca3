import TideBindings
import TideScript
import TideViews

// The number and the types of arguments, compared with the catalogue.
extension ScriptChecker {
  /// Functions with forms that the catalogue does not list, such as `shared "name" {…}`.
  private static let manifold: Set<String> = [
    "model", "shared", "class", "transformer", "rich", "ask", "bind",
  ]

  func check(_ arguments: [LuaExpression], ofFunction function: String, at start: Int) {
    // A global that the check cannot see may have replaced the API's.
    if Self.manifold.contains(function) || script.isDefinitions || app.makesGlobals { return }
    guard let signatures = names.types.functions[function], !app.globals.contains(function) else {
      return
    }
    check(arguments, function, signatures, at: start)
  }

  /// Checks a call of a test runner's function, which ignores extra arguments.
  func check(_ arguments: [LuaExpression], ofRunner function: String, at start: Int) {
    guard let signatures = names.types.functions[function], !app.makesGlobals,
      !app.globals.contains(String(function.prefix { $0 != "." }))
    else { return }
    check(arguments, function, signatures.map(\.takingAll), at: start)
  }

  func check(
    _ arguments: [LuaExpression], ofMethod name: String, in type: String, at start: Int
  ) {
    guard let signature = names.types.methods(of: type)[name] else { return }
    check(arguments, name, [signature], at: start)
  }

  func check(
    _ arguments: [LuaExpression], _ name: String, _ signatures: [APITypes.Signature], at start: Int
  ) {
    if checkCount(of: arguments, name, signatures, at: start) { return }
    if signatures.count == 1 { check(arguments, areFunctionsIn: signatures[0]) }
    let isFull = arguments.last.map(givesSeveral) != true
    let fitting = signatures.filter { signature in
      (signature.takesMore || signature.parameters.count >= arguments.count)
        && (!isFull || signature.least <= arguments.count)
    }
    var furthest: (index: Int, type: String)?
    if signatures.count == 1 { check(kindsOf: arguments, signatures[0], name) }
    check(objectsIn: arguments, signatures, name)
    for signature in fitting.isEmpty ? signatures : fitting {
      guard let wrong = firstWrong(arguments, signature) else {
        return checkOptions(in: arguments, signature, name)
      }
      if furthest.map({ $0.index < wrong }) ?? true {
        furthest = (wrong, signature.parameters[wrong].type)
      }
    }
    guard let furthest, let kind = LiteralKind(arguments[furthest.index]) else { return }
    let wanted = LiteralKind.wanted(furthest.type, in: names.types)
    report(
      .badArgument,
      "argument \(furthest.index + 1) of \(name) is \(wanted), not \(kind.shown)",
      at: arguments[furthest.index].range.lowerBound)
  }

  /// Reports `file.write(path, rows)`, a list or an object in place of a text or a number.
  private func check(
    kindsOf arguments: [LuaExpression], _ signature: APITypes.Signature, _ name: String
  ) {
    for (index, pair) in zip(arguments, signature.parameters).enumerated() {
      let (argument, parameter) = pair
      let parts = names.types.alternatives(of: parameter.type)
      guard parts.contains(where: { $0 != "nil" }), parts.allSatisfy({ Self.plain.contains($0) }),
        let kind = kind(of: argument), kind == .list || kind == .object,
        !hasProblem(at: argument.range.lowerBound)
      else { continue }
      report(
        .badArgument,
        "argument \(index + 1) of \(name) is \(LiteralKind.wanted(parameter.type, in: names.types)), "
          + "and \(text(of: argument)) is \(kind.rawValue)", at: argument.range.lowerBound)
    }
  }

  /// Reports `observe(basket.count, fn)`, a number or a text in place of an object.
  private func check(
    objectsIn arguments: [LuaExpression], _ signatures: [APITypes.Signature], _ name: String
  ) {
    guard let first = arguments.first, LiteralKind(first) == nil, let kind = kind(of: first),
      [.number, .text, .boolean].contains(kind), !hasProblem(at: first.range.lowerBound),
      signatures.allSatisfy({ signature in
        guard let type = signature.parameters.first?.type else { return false }
        return names.types.alternatives(of: type).allSatisfy {
          names.types.className(of: String($0)) != nil
        }
      })
    else { return }
    report(
      .badArgument,
      "argument 1 of \(name) is an object, and \(text(of: first)) is \(kind.rawValue)",
      at: first.range.lowerBound)
  }

  private static let plain: Set<Substring> = ["string", "number", "integer", "boolean", "nil"]

  /// Finds the first argument that is a literal of the wrong type.
  func firstWrong(
    _ arguments: [LuaExpression], _ signature: APITypes.Signature
  ) -> Int? {
    zip(arguments, signature.parameters).enumerated().first { _, pair in
      guard let kind = LiteralKind(pair.0) else { return false }
      return !kind.isAdmitted(by: pair.1.type, in: names.types, converts: true)
    }?.offset
  }

  /// Reports too few or too many arguments.
  private func checkCount(
    of arguments: [LuaExpression], _ name: String, _ signatures: [APITypes.Signature],
    at start: Int
  ) -> Bool {
    let most = signatures.map { $0.takesMore ? Int.max : $0.parameters.count }.max() ?? .max
    if arguments.count > most {
      let extra = arguments[most]
      // Optional parameters may follow.
      if case .constant("nil") = extra.kind { return false }
      report(
        .badArgument, "one too many: \(name) takes \(Self.arguments(most))",
        at: extra.range.lowerBound)
      return true
    }
    guard let least = signatures.min(by: { $0.least < $1.least }), arguments.count < least.least,
      arguments.last.map(givesSeveral) != true
    else { return false }
    let missing = least.parameters[arguments.count].name
    let written = least.parameters.map(\.name).joined(separator: ", ")
    report(
      .badArgument, "\(name) lacks an argument, \"\(missing)\": write \(name)(\(written))",
      at: start)
    return true
  }

  /// A number of arguments in words.
  static func arguments(_ count: Int) -> String {
    switch count {
    case 0: "no arguments"
    case 1: "one argument"
    default: "\(count) arguments"
    }
  }

  /// Whether an expression may return several values.
  func givesSeveral(_ expression: LuaExpression) -> Bool {
    switch expression.kind {
    case .call, .method, .constant("..."): true
    default: false
    }
  }

  // MARK: Options

  /// Functions whose option names are checked elsewhere.
  private static let ownOptions: Set<String> = [
    "bind", "binding", "observe", "on", "property", "view.component", "context",
  ]

  private func checkOptions(
    in arguments: [LuaExpression], _ signature: APITypes.Signature, _ name: String
  ) {
    for (argument, parameter) in zip(arguments, signature.parameters) {
      guard argument.fields != nil, let type = names.types.optionsName(in: parameter.type) else {
        continue
      }
      checkValues(of: argument, type, name)
      guard !Self.ownOptions.contains(name), Runtime.optionsOfFunctions[name] == nil,
        !name.hasPrefix("controller."), name != "list", !name.hasPrefix("style.")
      else { continue }
      checkOptions(argument, of: name, names.types.fields(of: type).keys.sorted())
    }
  }

  /// Checks the values of options that are literals.
  func checkValues(of table: LuaExpression?, _ type: String, _ function: String) {
    let known = names.types.fields(of: type)
    for field in table?.fields ?? [] {
      if let name = field.name, let type = known[name.text], field.value.fields != nil,
        let inner = names.types.optionsName(in: type), !Self.nestedOptions.contains(inner),
        !function.hasPrefix("style.")
      {
        checkOptions(field.value, of: name.text, names.types.fields(of: inner).keys.sorted())
        checkValues(of: field.value, inner, name.text)
        continue
      }
      guard let name = field.name, let type = known[name.text], let kind = LiteralKind(field.value),
        !kind.isAdmitted(by: type, in: names.types, converts: false)
      else { continue }
      let offset = field.value.range.lowerBound
      if hasProblem(at: offset) { continue }
      let wanted = LiteralKind.wanted(type, in: names.types)
      if function.hasPrefix("controller."), function != "controller.settings", name.text != "name" {
        report(
          .wrongType, "\(function).\(name.text) is \(wanted), not \(kind.shown)", at: offset)
      } else {
        report(
          .badArgument,
          "the option \"\(name.text)\" of \(function) is \(wanted), not \(kind.shown)", at: offset)
      }
    }
  }
}
