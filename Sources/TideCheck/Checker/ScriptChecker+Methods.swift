import TideBindings
import TideScript

// Calls of methods and of the app's own functions: a dot instead of a colon, and extra arguments.
extension ScriptChecker {
  /// `owner.name(…)`
  func check(calling callee: LuaExpression, _ arguments: [LuaExpression]) {
    if case .member(let base, let name, let offset) = callee.kind,
      let owner = inference.inferredType(of: base)
    {
      if case .text = owner, let function = LuaLibrary.functions["string.\(name)"],
        isOfLibrary(function.name), arguments.count < function.least,
        arguments.last.map(givesSeveral) != true
      {
        return report(
          .methodCall,
          "\(name) is a method, and a call with a dot does not pass the string; "
            + "write \(text(of: base)):\(name)(…)", at: offset, isSure: arguments.isEmpty)
      }
      if isMethod(name, of: owner, arguments) {
        if let first = arguments.first, text(of: first) == text(of: base) { return }
        report(
          .methodCall,
          "\(name) is a method, and a call with a dot does not pass the object; "
            + "write \(text(of: base)):\(name)(…)", at: offset,
          isSure: !mayBeObject(arguments.first, of: owner))
        return
      }
    }
    check(textFunction: callee, arguments)
    if let body = inference.functionBody(of: callee) {
      check(arguments, of: body, calledBy: callee)
    } else if case .member(_, _, let offset) = callee.kind, let kind = kind(of: callee) {
      report(
        .wrongType, "\(text(of: callee)) is \(kind.rawValue), which cannot be called", at: offset)
    } else if case .member(let base, let name, let offset) = callee.kind,
      let owner = inference.inferredType(of: base), isComputed(name, of: owner)
    {
      report(
        .wrongType, "\(text(of: callee)) is computed when it is read; take out the parentheses",
        at: offset, .warning)
    }
  }

  /// Reports `name.upper()` where nothing is known about `name`, if only texts have such a method.
  private func check(textFunction callee: LuaExpression, _ arguments: [LuaExpression]) {
    guard mentions == nil, case .member(let base, let name, let offset) = callee.kind,
      case .name(_, let local?) = base.kind, arguments.last.map(givesSeveral) != true,
      inference.inferredType(of: base) == nil, inference.path(of: base) == nil,
      let function = LuaLibrary.functions["string.\(name)"], arguments.count < function.least,
      isOfLibrary(function.name), !app.makesGlobals, index.isWhole, index.writesAllKeys,
      !names.methods.contains(name), app.assignedMembers[name] == nil,
      !app.writtenKeys.contains(name)
    else { return }
    if case .call? = local.value?.kind { return }
    report(
      .methodCall,
      "\(name) is a method of texts, and a call with a dot does not pass the text; "
        + "write \(local.name):\(name)(…)", at: offset, isSure: arguments.isEmpty)
  }

  /// Whether a property is computed, from anything but a function.
  private func isComputed(_ name: String, of owner: InferredType) -> Bool {
    guard let values = inference.shape(of: owner)?.values(of: name), !values.isEmpty else {
      return false
    }
    return values.allSatisfy { value in
      guard case .call(let callee, let arguments) = value.kind,
        inference.function(callee) == "computed", let body = arguments.first?.functionBody
      else { return false }
      return body.results.compactMap(\.first).allSatisfy { result in
        switch result.kind {
        case .operation(_, let signs): !signs.contains("and") && !signs.contains("or")
        case .constant, .string, .unary, .table: true
        default: kind(of: result) != nil
        }
      }
    }
  }

  private func isMethod(
    _ name: String, of owner: InferredType, _ arguments: [LuaExpression]
  ) -> Bool {
    if let type = owner.className {
      // Passing the object under another name is correct.
      if let first = arguments.first, inference.inferredType(of: first)?.className == type {
        return false
      }
      return names.types.methods(of: type)[name] != nil
    }
    // A subclass may override the method.
    guard let values = inference.shape(of: owner)?.values(of: name), !values.isEmpty else {
      return false
    }
    return values.allSatisfy { value in
      guard let body = inference.functionBody(of: value), !body.takesMore else { return false }
      return body.parameters.first?.name == "self" && arguments.count < body.parameters.count
    }
  }

  /// Whether the first argument of a call with a dot may be the object itself.
  private func mayBeObject(_ argument: LuaExpression?, of owner: InferredType) -> Bool {
    guard let argument else { return false }
    switch (LiteralKind(argument), inference.inferredType(of: argument)) {
    case (.string?, _), (.number?, _), (.boolean?, _), (.function?, _), (_, .text?), (_, .plain?):
      return false
    case (.table?, _): return owner.className == nil
    default: return true
    }
  }

  /// `owner:name(…)`
  func check(
    method name: String, at offset: Int, of base: LuaExpression, taking arguments: [LuaExpression]
  ) {
    if let table = inference.path(of: base), !app.globals.contains(table) {
      let path = "\(table).\(name)"
      // `assert:snapshot()` is luassert's own.
      if script.isSpec, table == "assert", name != "snapshot",
        names.assertions?.assertions.contains(name) == true
      {
        return reportColon(name, base, at: offset)
      }
      if names.types.functions[path] != nil,
        names.api.contains(table) || script.isSpec && names.members[table] != nil
      {
        reportColon(name, base, at: offset)
      } else if LuaLibrary.functions[path] != nil, isOfLibrary(path), !app.makesGlobals {
        reportColon(name, base, at: offset)
      }
      return
    }
    if case .call(let callee, let names) = base.kind, inference.function(callee) == "class",
      let own = names.first?.string
    {
      return report(
        .badArgument,
        "the class that is inherited from is the second argument: "
          + "class(\"\(own.text)\", \(name)) { … }", at: offset)
    }
    guard let owner = inference.inferredType(of: base) else { return }
    if let type = owner.className {
      if names.types.functions(of: type)[name] != nil {
        return reportColon(name, base, at: offset)
      }
      return check(arguments, ofMethod: name, in: type, at: offset)
    }
    if case .constructor(let shape) = owner {
      // A subclass may override the method.
      let bodies = shape.values(of: name).map(\.functionBody)
      guard !bodies.isEmpty, bodies.allSatisfy({ $0?.parameters.first?.name == "self" }) else {
        return
      }
      let advice =
        switch selfRole(at: offset, of: base) {
        case .subclass: "write \(text(of: base)).\(name)(self, …)"
        case .own: "write self:\(name)(…)"
        case nil: "call it on one of its objects"
        }
      return report(
        .methodCall, "a colon gives \(name) the class \(text(of: base)) as self; \(advice)",
        at: offset)
    }
    guard let body = inference.functionBody(named: name, in: owner) else {
      return check(calledValue: name, of: owner, base, at: offset)
    }
    if case .table = owner, !body.isMethod, !body.takesMore,
      body.parameters.first?.name != "self", arguments.count >= body.parameters.count
    {
      return reportColon(name, base, at: offset, .warning)
    }
    check(arguments, of: body, name, given: 1, at: offset)
  }

  /// Reports `person:name()`, a call of a property that is a value or computed.
  private func check(
    calledValue name: String, of owner: InferredType, _ base: LuaExpression, at offset: Int
  ) {
    guard let values = inference.shape(of: owner)?.values(of: name), !values.isEmpty,
      values.allSatisfy({ $0.constantType != nil }) || isComputed(name, of: owner)
    else { return }
    report(
      .wrongType, "\(name) is a property and no method; write \(text(of: base)).\(name)",
      at: offset, .warning)
  }

  private func reportColon(
    _ name: String, _ base: LuaExpression, at offset: Int, _ severity: Diagnostic.Severity = .error
  ) {
    report(
      .methodCall,
      "\(name) is no method, and a colon gives it \(text(of: base)) as its first argument; "
        + "write \(text(of: base)).\(name)(…)", at: offset, severity)
  }

  // MARK: Arguments

  private func check(
    _ arguments: [LuaExpression], of body: LuaFunctionBody, calledBy callee: LuaExpression
  ) {
    switch callee.kind {
    case .name(let name, _):
      check(arguments, of: body, name, given: 0, at: callee.range.lowerBound)
    case .member(_, let name, let offset):
      check(arguments, of: body, name, given: 0, at: offset)
    default: break
    }
  }

  /// Reports arguments beyond the last parameter, missing arguments that the function computes
  /// with, and arguments that the function passes to a property which refuses them.
  private func check(
    _ arguments: [LuaExpression], of body: LuaFunctionBody, _ name: String, given: Int,
    at offset: Int
  ) {
    let parameters = body.parameters.dropFirst(given)
    for (argument, parameter) in zip(arguments, parameters) where LiteralKind(argument) != nil {
      for destination in body.parameterUses.destinations[ObjectIdentifier(parameter)] ?? [] {
        check(argument, givenTo: destination, as: parameter.name, of: name)
      }
    }
    for (argument, parameter) in zip(arguments, parameters) {
      check(argument, usedAs: parameter, in: body, of: name)
    }
    if arguments.last.map(givesSeveral) != true,
      let missing = parameters.dropFirst(arguments.count).first(where: {
        body.parameterUses.needed.contains(ObjectIdentifier($0))
      })
    {
      return report(
        .badArgument,
        "\(name) lacks an argument, \"\(missing.name)\", which it cannot do without: write "
          + "\(name)(\(parameters.map(\.name).joined(separator: ", ")))", at: offset, .warning)
    }
    let most = body.parameters.count - given
    guard !body.takesMore, most >= 0, arguments.count > most else { return }
    if case .constant("nil") = arguments[most].kind { return }
    // A function with an empty body is a placeholder that another module may replace.
    if body.block.isEmpty { return }
    report(
      .extraArgument, "\(name) takes \(Self.arguments(most)), so this one is ignored",
      at: arguments[most].range.lowerBound, .warning)
  }

  /// Reports `add("fig", "two")`, if `add` computes with its second parameter.
  private func check(
    _ argument: LuaExpression, usedAs parameter: LuaLocal, in body: LuaFunctionBody,
    of function: String
  ) {
    guard let uses = body.parameterUses.kinds[ObjectIdentifier(parameter)],
      !hasProblem(at: argument.range.lowerBound)
    else { return }
    guard let kind = LiteralKind(argument) else {
      guard uses.contains(.computed), let first = firstText(of: argument) else { return }
      return report(
        .badArgument,
        "\(function) computes with its \"\(parameter.name)\", and \(text(of: argument)) begins as "
          + "\"\(first)\"", at: argument.range.lowerBound, .warning)
    }
    let wrong = uses.first { use in
      switch (use, kind) {
      case (.computed, .string(let text)): !text.utf8.contains { $0.isLuaDigit }
      case (.computed, .boolean), (.computed, .table), (.computed, .function): true
      case (.joined, .boolean), (.joined, .table), (.joined, .function): true
      case (.indexed, .number), (.indexed, .boolean), (.indexed, .function): true
      case (.called, .string), (.called, .number), (.called, .boolean): true
      default: false
      }
    }
    guard let wrong else { return }
    report(
      .badArgument,
      "\(function) \(wrong.rawValue) its \"\(parameter.name)\", which \(kind.shown) cannot be used for",
      at: argument.range.lowerBound, .warning)
  }

  private func check(
    _ argument: LuaExpression, givenTo destination: ParameterUses.Destination,
    as parameter: String, of function: String
  ) {
    let owner: InferredType?
    let property: String
    switch destination {
    case .field(let name, let callee):
      property = name
      owner =
        if case .constructor(let shape)? = inference.inferredType(of: callee) {
          .object(shape)
        } else {
          nil
        }
    case .member(let name, let base): (property, owner) = (name, inference.inferredType(of: base))
    }
    guard let owner, let declared = inference.declarations(of: property, in: owner) else { return }
    let wanted = declared.compactMap { $0.wanted(insteadOf: argument) }
    guard let first = wanted.first, wanted.count == declared.count,
      let shown = LiteralKind(argument)?.shown
    else { return }
    report(
      .wrongType,
      "\(function) gives \(property) its \"\(parameter)\", which holds \(first), not \(shown)",
      at: argument.string?.contentStart ?? argument.range.lowerBound, .warning)
  }

  /// The source text of an expression, or "value" if it is long.
  func text(of expression: LuaExpression) -> String {
    let bytes = script.source.bytes[expression.range]
    return bytes.count > 40 || bytes.contains(UInt8(ascii: "\n"))
      ? "value" : String(decoding: bytes, as: UTF8.self)
  }
}
