import TideBindings
import TideScript

// Functions that return nothing where their result is needed, and calls in place of functions.
extension ScriptChecker {
  /// Reports `text = function() fruit.name:upper() end`.
  ///
  /// - Parameter use: what needs the result.
  func check(resultOf value: LuaExpression?, for use: String) {
    guard mentions == nil, let value, let body = inference.functionBody(of: value) else { return }
    if let what = Self.impatient[use] ?? (use.contains(".") ? use : nil) {
      check(waitsIn: value, what)
    }
    if !Self.functionsAllowed.contains(use) {
      for result in body.results.compactMap(\.first) {
        guard let name = uncalledFunction(result) else { continue }
        report(
          .wrongType, "this gives the function \(name) and does not call it; write \(name)()",
          at: result.range.lowerBound, .warning)
      }
    }
    guard !body.block.isEmpty, body.results.allSatisfy(\.isEmpty), !raises(body)
    else { return }
    if case .call(let call)? = body.block.last { unreturnedCalls.insert(call.range.lowerBound) }
    report(
      .wrongType, "this function returns nothing, and \(use) needs its result; write return …",
      at: value.range.lowerBound, .warning)
  }

  /// What calls functions that must not wait.
  private static let impatient = [
    "computed": "a computed value", "validate": "a validator", "filter": "a filter", "map": "map",
    "sorted": "an order", "group": "group", "bind": "a binding",
  ]

  /// What may take functions as results.
  private static let functionsAllowed: Set = ["map", "computed", "bind"]

  /// Whether a function ends by raising an error, or never.
  func raises(_ body: LuaFunctionBody) -> Bool {
    switch body.block.last {
    case .call(let call)?:
      guard case .call(let callee, _) = call.kind else { return false }
      return ["error", "exit"].contains(inference.path(of: callee) ?? "")
    // Such a loop may be endless.
    case .whileLoop?, .repeatLoop?: return true
    default: return false
    }
  }

  /// Methods of lists that need the result of a function.
  private static let deriving: Set = ["filter", "map", "sorted", "group"]

  /// Checks the functions that a list's method calls.
  func check(functionOf method: String, _ arguments: [LuaExpression]) {
    if Self.deriving.contains(method) { check(resultOf: arguments.first, for: method) }
    if method == "sorted" { check(comparator: arguments.first, for: method) }
  }

  /// Checks the functions that a function of the API calls for their results.
  func check(functionsFor function: String, _ arguments: [LuaExpression]) {
    let options = arguments.first?.fields
    switch function {
    case "computed": check(resultOf: arguments.first, for: "computed")
    case "property":
      check(resultOf: options?["validate"], for: "validate")
      check(validator: options?["validate"])
    case "effect": check(waitsIn: arguments.first, "an effect")
    case "resource": check(fetching: arguments.first)
    case "http.get", "http.put", "http.post", "http.patch", "http.delete", "http.lines":
      check(address: arguments.first)
    case "process.run", "process.lines", "process.start": check(program: arguments, function)
    case "session.keep": check(keptList: arguments, function)
    case "after", "every", "spawn": for argument in arguments { check(uncalledIn: argument) }
    case "observe":
      if arguments.count > 2 { check(waitsIn: arguments[2], "an observer") }
      guard arguments.count == 2, let first = arguments[1].functionBody?.parameters.first,
        ["new", "value", "old", "newValue"].contains(first.name)
      else { break }
      report(
        .badArgument,
        "without a path, observe calls the function with the property's name first; "
          + "write observe(object, \"property\", fn), or function(name, new, old)",
        at: first.start, .warning)
    case "file.write", "file.append": check(fileText: arguments, function)
    case "on": if arguments.count > 2 { check(uncalledIn: arguments[2]) }
    case "dict": check(entries: arguments.first)
    case "transformer": check(transforming: arguments.dropFirst().first)
    case "bind":
      if arguments.first?.string == nil, arguments.count > 2 {
        check(resultOf: arguments[2], for: "bind")
      }
      check(transforming: arguments.last?.fields?["transform"])
    case "feed": check(resultOf: options?["fetch"], for: "feed")
    case "view.component":
      check(resultOf: arguments.dropFirst().first?.fields?["view"], for: "a component")
    case "controller.list", "controller.tree":
      check(resultOf: options?["filter"], for: "filter")
      check(comparator: options?["sort"], for: "sort")
    default: break
    }
    if function.hasPrefix("log."), arguments.count == 1, let fields = arguments[0].fields,
      !fields.isSequence
    {
      report(
        .badArgument, "\(function) takes a message first: write \(function)(\"…\", { … })",
        at: arguments[0].range.lowerBound, .warning)
    }
    check(needed: function, arguments)
  }

  /// Reports `resource(function() http.get(url) end)`, which drops what it fetches. A function that
  /// puts the result elsewhere needs none.
  private func check(fetching value: LuaExpression?) {
    guard mentions == nil, let value, let body = inference.functionBody(of: value),
      body.results.allSatisfy(\.isEmpty)
    else { return }
    for case .call(let call) in body.block {
      guard case .call(let callee, _) = call.kind, let function = inference.function(callee),
        ["http.get", "file.read", "json.decode", "stdin.read"].contains(function)
      else { continue }
      report(
        .wrongType,
        "nothing uses what \(function) gives, and resource needs a result; write return …",
        at: callee.range.lowerBound, .warning)
    }
  }

  /// Reports `file.write(json.encode(rows), path)`.
  private func check(fileText arguments: [LuaExpression], _ function: String) {
    guard arguments.count == 2, case .call(let callee, _) = arguments[0].kind,
      inference.path(of: callee) == "json.encode"
    else { return }
    report(
      .badArgument, "\(function) takes the path first: write \(function)(path, text)",
      at: arguments[0].range.lowerBound)
  }

  /// Reports a validator that ends without the value, and one that takes the value for the object.
  private func check(validator value: LuaExpression?) {
    guard mentions == nil, let value, let body = inference.functionBody(of: value), !body.takesMore
    else { return }
    if body.parameters.count == 1, let only = body.parameters.first, only.isRead,
      !["self", "object"].contains(only.name)
    {
      return report(
        .wrongType,
        "a validator gets the object and then the value, so \"\(only.name)\" is the object; "
          + "write function(self, \(only.name))", at: value.range.lowerBound, .warning)
    }
    guard body.results.contains(where: { !$0.isEmpty }), mayEnd(body.block) else { return }
    let name = body.parameters.count > 1 ? body.parameters[1].name : "value"
    report(
      .wrongType,
      "this validator may end without returning the value, which is then refused; "
        + "write return \(name) at its end", at: value.range.lowerBound, .warning)
  }

  /// Whether a block may reach its end without a return.
  private func mayEnd(_ block: [LuaStatement]) -> Bool {
    switch block.last {
    case .results?, .whileLoop?, .repeatLoop?: return false
    case .call(let call)?:
      guard case .call(let callee, _) = call.kind else { return true }
      return !["error", "exit"].contains(inference.path(of: callee) ?? "")
    case .block(let inner)?: return mayEnd(inner)
    case .branches(let branches, let otherwise)?:
      return otherwise.isEmpty || mayEnd(otherwise) || branches.contains { mayEnd($0.1) }
    default: return true
    }
  }

  /// The options without which a function fails: the argument with the table, the option, and what
  /// it looks like.
  private static let needed: [String: (argument: Int, option: String, written: String)] = [
    "feed": (0, "fetch", "fetch = function(offset, count) … end"),
    "http.request": (0, "url", "url = \"https://…\""),
    "view.component": (1, "view", "view = function(self) … end"),
  ]

  /// Reports `feed { page = 20 }`, which lacks `fetch`.
  private func check(needed function: String, _ arguments: [LuaExpression]) {
    guard let needed = Self.needed[function], needed.argument < arguments.count else { return }
    check(needed: needed.option, needed.written, in: arguments[needed.argument], of: function)
  }

  private func check(
    needed option: String, _ written: String, in table: LuaExpression, of function: String
  ) {
    guard mentions == nil, let fields = table.fields, fields[option] == nil,
      fields.allSatisfy({ $0.name != nil })
    else { return }
    // A misspelt name is reported as such.
    if fields.contains(where: { NearestName.isSlip($0.name?.text ?? "", for: option) }) { return }
    report(
      .badArgument, "\(function) needs \(written)", at: table.range.lowerBound)
  }

  /// Checks a function that transforms, or a table with such functions.
  func check(transforming value: LuaExpression?) {
    guard let value else { return }
    guard let fields = value.fields else { return check(resultOf: value, for: "a transformer") }
    for name in ["transform", "reverse"] { check(resultOf: fields[name], for: name) }
    if fields["reverse"] != nil {
      check(
        needed: "transform", "transform = function(value) … end", in: value, of: "a transformer")
    }
  }

  // MARK: Calls

  /// Reports `every(1, save())` and `touchUpInside = print("a")`, which call the function at once.
  func check(isFunction value: LuaExpression) {
    guard mentions == nil, givesNoFunction(value), !hasProblem(at: value.range.lowerBound) else {
      return
    }
    let call = text(of: value)
    report(
      .wrongType,
      "this calls the function at once, and its result is no function; write "
        + "function() \(call == "value" ? "…" : call) end", at: value.range.lowerBound, .warning)
  }

  /// Reports `rows:filter(function(row, index) … end)`, whose second parameter is always nil.
  private func check(parametersOf value: LuaExpression, takenFrom types: [Substring]) {
    guard mentions == nil, let body = value.functionBody else { return }
    var most = 0
    for type in types {
      guard type.hasPrefix("fun("), !type.contains("..."), let end = type.firstIndex(of: ")") else {
        return
      }
      let list = type[..<end].dropFirst(4)
      most = max(most, list.isEmpty ? 0 : list.count { $0 == "," } + 1)
    }
    guard body.parameters.count > most, case let extra = body.parameters[most], extra.isRead,
      !extra.isReassigned
    else { return }
    report(
      .badArgument,
      "the function is called with \(Self.arguments(most)), so \"\(extra.name)\" is always nil",
      at: extra.start, .warning)
  }

  /// Checks the function of an event, of a key or of a menu's item.
  func check(handler value: LuaExpression) {
    check(isFunction: value)
    check(uncalledIn: value)
  }

  /// Reports `touchUpInside = function() return save end`, which gives the function and does not
  /// call it.
  private func check(uncalledIn value: LuaExpression) {
    guard mentions == nil, let body = value.functionBody, body.block.count == 1,
      let result = body.results.first?.first, body.results.count == 1,
      case .name(let name, _?) = result.kind, inference.functionBody(of: result) != nil
    else { return }
    report(
      .wrongType, "this gives the function \(name) and does not call it; write \(name)()",
      at: result.range.lowerBound, .warning)
  }

  private func givesNoFunction(_ value: LuaExpression) -> Bool {
    let body: LuaFunctionBody?
    switch value.kind {
    // What a server's response or a decoded text holds is no function.
    case .member(let base, _, _):
      guard case .call(let callee, _) = base.kind, let function = inference.function(callee) else {
        return false
      }
      return Self.makersOfData.contains { function.hasPrefix($0) }
    case .call(let callee, _):
      if let path = inference.path(of: callee), let function = LuaLibrary.functions[path],
        isOfLibrary(path)
      {
        return path == "print" || Self.plainTypes.contains(function.result ?? "")
      }
      if let function = inference.function(callee),
        Self.makersOfData.contains(where: { function.hasPrefix($0) })
      {
        return true
      }
      body = inference.functionBody(of: callee)
    case .method(let base, let name, _, _):
      if case .list? = inference.inferredType(of: base), names.values.list.contains(name) {
        return true
      }
      body = inference.inferredType(of: base).flatMap {
        inference.functionBody(named: name, in: $0)
      }
    default: return false
    }
    guard let body, !body.block.isEmpty else { return false }
    return body.results.allSatisfy { $0.isEmpty || $0[0].constantType != nil }
  }

  /// Functions of the API, or tables of them, whose results hold data alone.
  private static let makersOfData = ["http.", "file.read", "json.", "process.run", "stdin.read"]

  private static let plainTypes: Set = ["string", "number", "integer", "boolean"]

  /// Checks arguments of a function of the API that have to be functions.
  func check(_ arguments: [LuaExpression], areFunctionsIn signature: APITypes.Signature) {
    for (argument, parameter) in zip(arguments, signature.parameters) {
      let parts = names.types.alternatives(of: parameter.type)
      let functions = parts.filter { $0.hasPrefix("fun(") || $0 == "function" }
      guard !functions.isEmpty, parts.allSatisfy({ functions.contains($0) || $0 == "nil" }) else {
        continue
      }
      check(isFunction: argument)
      check(parametersOf: argument, takenFrom: functions)
      guard let kind = kind(of: argument), LiteralKind(argument) == nil,
        !hasProblem(at: argument.range.lowerBound)
      else { continue }
      report(
        .badArgument,
        "\(parameter.name) is a function, and \(text(of: argument)) is \(kind.rawValue)",
        at: argument.range.lowerBound)
    }
  }
}
