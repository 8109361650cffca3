import TideBindings
import TideScript

// Functions that return nothing where their result is needed, and calls in place of functions.
extension ScriptChecker {
  /// Reports `text = function() fruit.name:upper() end`.
  ///
  /// - Parameter use: what needs the result.
  func check(resultOf value: LuaExpression?, for use: String) {
    guard mentions == nil, let value, let body = inference.functionBody(of: value),
      !body.block.isEmpty, body.results.allSatisfy(\.isEmpty), !raises(body)
    else { return }
    report(
      .wrongType, "this function returns nothing, and \(use) needs its result; write return …",
      at: value.range.lowerBound, .warning)
  }

  /// Whether a function ends by raising an error, or never.
  private func raises(_ body: LuaFunctionBody) -> Bool {
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
  }

  /// Checks the functions that a function of the API calls for their results.
  func check(functionsFor function: String, _ arguments: [LuaExpression]) {
    let options = arguments.first?.fields
    switch function {
    case "computed": check(resultOf: arguments.first, for: "computed")
    case "property": check(resultOf: options?["validate"], for: "validate")
    case "transformer": check(transforming: arguments.dropFirst().first)
    case "bind":
      if arguments.first?.string == nil, arguments.count > 2 {
        check(resultOf: arguments[2], for: "bind")
      }
      check(transforming: arguments.last?.fields?["transform"])
    case "feed": check(resultOf: options?["fetch"], for: "feed")
    case "view.component":
      check(resultOf: arguments.dropFirst().first?.fields?["view"], for: "a component")
    case "controller.list", "controller.tree": check(resultOf: options?["filter"], for: "filter")
    default: break
    }
  }

  /// Checks a function that transforms, or a table with such functions.
  func check(transforming value: LuaExpression?) {
    guard let value else { return }
    guard let fields = value.fields else { return check(resultOf: value, for: "a transformer") }
    for name in ["transform", "reverse"] { check(resultOf: fields[name], for: name) }
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

  private func givesNoFunction(_ value: LuaExpression) -> Bool {
    let body: LuaFunctionBody?
    switch value.kind {
    case .call(let callee, _):
      if let path = inference.path(of: callee), let function = LuaLibrary.functions[path],
        isOfLibrary(path)
      {
        return path == "print" || Self.plainTypes.contains(function.result ?? "")
      }
      body = inference.functionBody(of: callee)
    case .method(let base, let name, _, _):
      body = inference.inferredType(of: base).flatMap {
        inference.functionBody(named: name, in: $0)
      }
    default: return false
    }
    guard let body, !body.block.isEmpty else { return false }
    return body.results.allSatisfy { $0.isEmpty || $0[0].constantType != nil }
  }

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
