import TideBindings
import TideScript

// Variables that nothing reads, variables and keys that occur twice, and globals that no script
// declares.
extension ScriptChecker {
  // MARK: Local variables

  /// Checks the variables of a block and of its inner blocks. The bodies of function expressions
  /// are checked separately.
  ///
  /// - Parameter parameters: those of the function whose body the block is.
  func checkVariables(_ block: [LuaStatement], parameters: [LuaLocal] = []) {
    if script.isDefinitions || mentions != nil { return }
    var declared: [String: LuaLocal] = [:]
    for parameter in parameters where !parameter.isRead && !parameter.isReassigned {
      declared[parameter.name] = parameter
    }
    for statement in block {
      switch statement {
      case .local(let locals, let values):
        check(locals, values)
        for (local, value) in zip(locals, values) { check(null: value, in: local) }
        if locals.count == 1 { check(repeated: locals[0], values.first, declared) }
        for local in locals { declared[local.name] = local }
      case .localFunction(let local, let body):
        check([local], [])
        check(repeated: local, nil, declared)
        declared[local.name] = local
        checkVariables(of: body)
      case .function(_, let body): checkVariables(of: body)
      case .block(let inner), .whileLoop(_, let inner), .repeatLoop(let inner, _),
        .forLoop(_, _, let inner):
        checkVariables(inner)
      case .branches(let branches, let otherwise):
        for (_, inner) in branches { checkVariables(inner) }
        checkVariables(otherwise)
      case .assignment, .call, .results: break
      }
    }
  }

  func checkVariables(of body: LuaFunctionBody) {
    checkVariables(body.block, parameters: body.parameters)
  }

  private func check(_ locals: [LuaLocal], _ values: [LuaExpression]) {
    for (index, local) in locals.enumerated() where isUnused(local) {
      let value = index < values.count ? values[index] : values.last
      // The variables before a used result of one call are needed.
      let isShared = values.count < locals.count && index >= values.count - 1 && !values.isEmpty
      if isShared, locals[(values.count - 1)...].contains(where: { !isUnused($0) }) { continue }
      if let outer = hidden(by: local) {
        let line = script.source.location(of: outer.start).line
        report(
          .unusedLocal,
          "this is another \"\(local.name)\" than that of line \(line), and nothing reads it; take out "
            + "local to assign to that one", at: local.start, .warning)
        continue
      }
      if let value, isNamedForReaders(value) { continue }
      let verb = local.function == nil && value?.functionBody == nil ? "reads" : "calls"
      report(
        .unusedLocal,
        "nothing \(verb) \"\(local.name)\"; take it out, or call it _\(local.name) if that is meant",
        at: local.start, .warning)
    }
  }

  /// Reports `local pending = null`, which would count as true, of a variable that gets other values
  /// later.
  private func check(null value: LuaExpression, in local: LuaLocal) {
    guard local.isReassigned, inference.path(of: value) == "null" else { return }
    report(
      .wrongType, "null is a value for lists and counts as true; write nil",
      at: value.range.lowerBound, .warning)
  }

  /// The variable without a value that an unused variable of an inner block hides.
  private func hidden(by local: LuaLocal) -> LuaLocal? {
    guard local.function == nil, let value = local.value, value.functionBody == nil else {
      return nil
    }
    return localsByName[local.name]?.prefix(Self.hiddenLimit).last { outer in
      outer !== local && outer.start < local.start && local.start < outer.scopeEnd
        && outer.beginsAsNil && outer.iterated == nil && !outer.isCounter
        && outer.parameterOf == nil && outer.isRead
    }
  }

  /// The most variables of one name that are compared.
  private static let hiddenLimit = 64

  private func isUnused(_ local: LuaLocal) -> Bool {
    !local.isRead && !local.isExtended && !local.isClosed && !local.name.isEmpty
      && !local.name.hasPrefix("_")
  }

  /// Whether the variable may be meant as documentation: its value has a side effect, like most
  /// calls and everything that the API creates, or it is a name of the library that is made local.
  private func isNamedForReaders(_ value: LuaExpression) -> Bool {
    switch value.kind {
    case .parenthesized(let inner): return isNamedForReaders(inner)
    case .method(let base, _, _, _):
      if case .text? = inference.inferredType(of: base) { return false }
      return true
    case .name, .member: return inference.path(of: value) != nil
    case .call(let callee, _):
      if let module = inference.context.modules[ObjectIdentifier(value)] {
        return hasEffects(module)
      }
      guard let path = inference.path(of: callee) else { return true }
      return LuaLibrary.functions[path]?.hasSideEffects != false
    default: return false
    }
  }

  /// Whether a module does something besides defining functions and values.
  private func hasEffects(_ module: Script) -> Bool {
    let symbols = module.symbols
    if !symbols.globals.isEmpty || !symbols.addedMembers.isEmpty || !symbols.models.isEmpty
      || !symbols.requires.isEmpty || module.failure != nil
    {
      return true
    }
    return module.calls.contains { call in
      guard case .call(let callee, _) = call.kind else { return false }
      return inference.function(callee) != nil
    } || module.statements.contains { if case .call = $0 { true } else { false } }
  }

  /// Reports a variable that is declared twice in one block. Exempt is `local line = line:lower()`,
  /// which continues the former variable.
  private func check(
    repeated local: LuaLocal, _ value: LuaExpression?, _ declared: [String: LuaLocal]
  ) {
    guard let former = declared[local.name], !local.name.isEmpty, !local.name.hasPrefix("_"),
      value.map({ !reads(former, $0) }) ?? true
    else { return }
    let line = script.source.location(of: former.start).line
    if former.parameterOf != nil {
      return report(
        .repeatedLocal,
        "\"\(local.name)\" is a parameter already, which nothing reads; take out this variable, or "
          + "give it another name", at: local.start, .warning)
    }
    report(
      .repeatedLocal,
      "\"\(local.name)\" is declared at line \(line) of the same block already; assign to it, or "
        + "give this one another name", at: local.start, .warning)
  }

  private func reads(_ local: LuaLocal, _ value: LuaExpression) -> Bool {
    var reads = false
    SyntaxWalker(visit: { expression, _ in
      if case .name(_, let found?) = expression.kind, found === local { reads = true }
    }).walk([.results([value])])
    return reads
  }

  // MARK: Keys

  /// Reports a key that occurs twice in a table.
  func check(keysOf fields: [LuaField]) {
    if fields.count < 2 || mentions != nil { return }
    var seen: Set<String> = []
    for field in fields {
      guard let key = Self.key(of: field), !seen.insert(key.text).inserted else { continue }
      report(
        .repeatedKey, "the key \(key.text) stands twice in this table; only the last value counts",
        at: key.start, .warning)
    }
  }

  /// Reports a command with a misspelt `canExecute`, which could always be executed.
  func check(command fields: [LuaField]) {
    guard mentions == nil, fields["execute"] != nil, fields["canExecute"] == nil else { return }
    for case let (name, start)? in fields.map(\.name)
    where NearestName.slip(name, for: "canExecute") != nil {
      report(
        .unknownProperty, "a command has no \"\(name)\"\(NearestName.advice("canExecute"))",
        at: start, .warning)
    }
  }

  /// Reports `object { canExecute = … }`, which lacks what a command does.
  func check(unfinishedCommand table: LuaExpression?) {
    guard mentions == nil, let fields = table?.fields, fields["execute"] == nil,
      let condition = fields.first(where: { $0.name?.text == "canExecute" })?.name,
      fields.allSatisfy({ $0.name != nil })
    else { return }
    let slip = fields.compactMap(\.name).first { NearestName.slip($0.text, for: "execute") != nil }
    if let slip {
      return report(
        .unknownProperty, "a command has no \"\(slip.text)\"\(NearestName.advice("execute"))",
        at: slip.start, .warning)
    }
    report(
      .badArgument, "a command needs execute = function(self, sender) … end", at: condition.start,
      .warning)
  }

  private static func key(of field: LuaField) -> (text: String, start: Int)? {
    if let name = field.name { return ("\"\(name.text)\"", name.start) }
    guard case .expression(let key) = field.key, case .constant(let text) = key.kind, text != "..."
    else { return nil }
    return (text, key.range.lowerBound)
  }

  // MARK: Globals

  /// Reports an assignment to an undeclared variable, which creates a global.
  ///
  /// The body of a main script declares globals by assigning to them. A global that a module
  /// assigns counts as declared if another script reads it.
  func check(
    assignedGlobal name: String, at offset: Int, _ position: SyntaxWalker.Position
  ) {
    let isLazy = app.probed.contains(name) && (position.depth == 0 || position.isConditional)
    guard mentions == nil, !isLazy, mayBeAccidental(name) else { return }
    if app.declaredGlobals.contains(name) {
      guard position.depth == 0, !isReadElsewhere(name),
        index.required.contains(ObjectIdentifier(script)) || isUnreadSlip(name)
      else { return }
    }
    report(
      .accidentalGlobal,
      "\"\(name)\" is assigned and declared nowhere, so that it is a global; "
        + "write local \(name)\(hint(for: name, in: declaredNames))", at: offset, .warning)
  }

  /// Whether a global is assigned only by accident, with nearly the name of another variable. Then
  /// reading it is a mistake too.
  func isMisspelt(_ name: String) -> Bool {
    mayBeAccidental(name) && !app.declaredGlobals.contains(name) && !app.probed.contains(name)
      && !hint(for: name, in: declaredNames).isEmpty
  }

  private func mayBeAccidental(_ name: String) -> Bool {
    !app.makesGlobals && !script.isDefinitions && name != "_ENV" && !name.isEmpty
      && !names.globals.contains(name)
  }

  /// Whether nothing reads a global, which has nearly the name of a local variable.
  private func isUnreadSlip(_ name: String) -> Bool {
    guard !script.isSpec, !script.symbols.readGlobals.contains(name),
      let meant = NearestName.find(name, in: declaredNames.subtracting([name]).sorted())
    else { return false }
    return NearestName.isSlip(name, for: meant)
  }

  private func isReadElsewhere(_ name: String) -> Bool {
    index.scripts.contains { $0 !== script && $0.symbols.readGlobals.contains(name) }
  }
}
