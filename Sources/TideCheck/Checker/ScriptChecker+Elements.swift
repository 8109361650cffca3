import TideBindings
import TideScript

// Plain tables and dicts whose elements a script treats as another language does.
extension ScriptChecker {
  // MARK: Plain tables

  /// The variable of a table of elements, and its fields: `local scores = { 3, 9 }`.
  private func elements(_ base: LuaExpression) -> (local: LuaLocal, fields: [LuaField])? {
    guard mentions == nil, case .name(_, let local?) = base.kind, !local.isReassigned,
      let fields = local.value?.fields, fields.isSequence, !app.makesGlobals, !index.setsMetatables
    else { return nil }
    return (local, fields)
  }

  /// Reports `scores.length` and `scores:push(3)`: a table of elements has no members.
  func check(
    member name: String, ofElements base: LuaExpression, at offset: Int, isMethod: Bool = false
  ) {
    guard let (local, fields) = elements(base), !hasProblem(at: offset),
      app.assignedMembers[name] == nil, !app.writtenKeys.contains(name)
    else { return }
    let known = code(forMember: name, of: local.name)
    // A key of a table with elements may be computed.
    if known == nil {
      let uses = elementUses[ObjectIdentifier(local)]
      guard !fields.isEmpty, uses?.isPassed != true, uses?.hasOtherKeys != true else { return }
    }
    let advice = known.map { "; write \($0)" }
    let what = isMethod ? "method" : "member"
    report(
      .unknownMember,
      "\(local.name) is a plain table, which has no \(what) \"\(name)\""
        + (advice ?? "; list { … } makes a list with methods"),
      at: offset, isMethod ? .error : .warning)
  }

  /// The code for what other languages write as a member of a table; nil for another name.
  private func code(forMember name: String, of table: String) -> String? {
    switch name {
    case "length", "count", "size", "len": "#\(table)"
    case "push", "append", "add", "insert": "table.insert(\(table), …)"
    case "remove": "table.remove(\(table), …)"
    case "pop": "table.remove(\(table))"
    case "shift": "table.remove(\(table), 1)"
    case "sort": "table.sort(\(table), …)"
    case "concat", "join": "table.concat(\(table), …)"
    case "unpack": "table.unpack(\(table))"
    case "forEach", "each": "for _, each in ipairs(\(table)) do"
    default: nil
    }
  }

  /// Reports `scores[0]`.
  func check(
    index key: LuaExpression, ofElements base: LuaExpression, _ position: SyntaxWalker.Position
  ) {
    guard case .number(let number)? = LiteralKind(key), Double(number).map({ $0 < 1 }) == true,
      !position.isProbe, let (local, fields) = elements(base), !fields.isEmpty,
      elementUses[ObjectIdentifier(local)]?.hasOtherKeys != true
    else { return }
    report(
      .badArgument,
      "the elements of \(local.name) begin with 1, and there is no element \(number)",
      at: key.range.lowerBound, .warning)
  }

  /// Reports `table.insert(scores, 12, 1)`, whose index is beyond the elements.
  func check(insertedAt index: LuaExpression, _ list: LuaExpression) {
    guard case .number(let number)? = LiteralKind(index), let position = Int(number),
      let (local, fields) = elements(list), position > fields.count + 1 || position < 1,
      let uses = elementUses[ObjectIdentifier(local)], uses.additions < 2, !uses.isPassed
    else { return }
    report(
      .libraryArguments,
      "\(local.name) has \(fields.count == 1 ? "one element" : "\(fields.count) elements"), and an "
        + "element can be inserted at 1 to \(fields.count + 1); the index comes before the value: "
        + "table.insert(\(local.name), index, value)", at: index.range.lowerBound, .warning)
  }

  /// Reports `for i = 0, #rows do … rows[i]`.
  func check(start values: [LuaExpression], _ locals: [LuaLocal], _ block: [LuaStatement]) {
    guard mentions == nil, values.count == 2, let counter = locals.first,
      case .number("0")? = LiteralKind(values[0]), let list = Self.measured(values[1]),
      !source.bytes.contains(word: "[0]")
    else { return }
    if case .name(_, let local?) = list.kind, elementUses[ObjectIdentifier(local)]?.hasZero == true
    {
      return
    }
    var reads = false
    SyntaxWalker(visit: { [self] expression, _ in
      if case .index(let base, let key) = expression.kind, isSame(base, list),
        case .name(_, let local?) = key.kind, local === counter
      {
        reads = true
      }
    }).walk(block)
    guard reads else { return }
    report(
      .badArgument,
      "elements begin with 1, and this loop reads element 0; "
        + "write for \(counter.name) = 1, #\(text(of: list)) do",
      at: values[0].range.lowerBound, .warning)
  }

  /// The list in `#rows` and `#rows - 1`.
  private static func measured(_ limit: LuaExpression) -> LuaExpression? {
    switch limit.kind {
    case .unary("#", let list): list
    case .operation(let parts, ["-"]): measured(parts[0])
    default: nil
    }
  }

  /// Reports `rows:insert(0, row)`.
  func check(firstIndexIn arguments: [LuaExpression], of method: String) {
    guard mentions == nil, ["insert", "remove", "replace", "move"].contains(method),
      let first = arguments.first, case .number(let number)? = LiteralKind(first),
      Double(number).map({ $0 < 1 }) == true
    else { return }
    report(
      .badArgument, "a list begins with element 1, and has no element \(number)",
      at: first.range.lowerBound)
  }

  // MARK: Dicts

  /// The entries that a dict begins with; nil for anything that may be no dict.
  func dict(_ expression: LuaExpression, _ budget: Int = 8) -> [LuaField]? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return dict(inner, budget - 1)
    case .name(_, let local?):
      if local.isReassigned { return nil }
      return local.value.flatMap { dict($0, budget - 1) }
    case .call(let callee, let arguments):
      guard inference.function(callee) == "dict" else { return nil }
      return arguments.first.map { $0.fields } ?? []
    case .member(let base, let name, _):
      guard inference.path(of: base) == nil || inference.path(of: base) == "models",
        let owner = inference.inferredType(of: base)
      else { return nil }
      return inference.shape(of: owner)?.value(of: name).flatMap { dict($0, budget - 1) }
    default: return nil
    }
  }

  /// Reports `prices:get("fig")`.
  func check(dictMethod name: String, at offset: Int, of base: LuaExpression) {
    guard mentions == nil, let entries = dict(base), !hasProblem(at: offset),
      entries[name] == nil, app.assignedMembers[name] == nil,
      entries.allSatisfy({ $0.name != nil })
    else { return }
    let shown = text(of: base)
    let advice =
      switch name {
      case "get", "at": "write \(shown)[key]"
      case "set", "put", "add", "insert": "write \(shown)[key] = value"
      case "has", "contains", "containsKey", "hasKey": "write \(shown)[key] ~= nil"
      case "remove", "delete": "write \(shown)[key] = nil"
      case "keys", "values", "each", "forEach", "pairs", "items", "entries":
        "write for key, value in pairs(\(shown)) do"
      case "count", "size", "length": "write #\(shown)"
      case "observe": "write observe(\(shown), key, fn)"
      default: "read and write its entries: \(shown)[key]"
      }
    report(
      .unknownProperty, "a dict has entries and no method \"\(name)\"; \(advice)", at: offset)
  }

  /// Reports `dict { "a", "b" }`.
  func check(entries table: LuaExpression?) {
    guard let element = table?.fields?.first(where: \.isElement) else { return }
    if givesSeveral(element.value) { return }
    report(
      .badArgument, "a dict's keys are texts, and this value has none; write key = value, or list",
      at: element.value.range.lowerBound)
  }
}

/// What a script does with the elements of a table in a variable.
struct ElementUses {
  /// How many statements add elements.
  private(set) var additions = 0
  /// Whether a statement writes an element at a computed index or a key, or at index 0.
  private(set) var hasOtherKeys = false
  /// Whether the table has an element at index 0.
  private(set) var hasZero = false
  /// Whether a function gets the table, which may add members.
  private(set) var isPassed = false

  /// The uses of all variables of a script, found in one walk.
  static func find(
    in statements: [LuaStatement], _ inference: TypeInference
  ) -> [ObjectIdentifier: ElementUses] {
    var found: [ObjectIdentifier: ElementUses] = [:]
    func change(_ expression: LuaExpression?, _ change: (inout ElementUses) -> Void) {
      guard case .name(_, let local?)? = expression?.kind else { return }
      change(&found[ObjectIdentifier(local), default: ElementUses()])
    }
    SyntaxWalker(
      visit: { expression, _ in
        switch expression.kind {
        case .call(let callee, let arguments):
          let path = inference.path(of: callee)
          if path == "table.insert" { change(arguments.first) { $0.additions += 1 } }
          if path.map({ LuaLibrary.functions[$0] == nil }) ?? true {
            for argument in arguments { change(argument) { $0.isPassed = true } }
          }
        case .method(_, _, _, let arguments):
          for argument in arguments { change(argument) { $0.isPassed = true } }
        case .table(let fields): for field in fields { change(field.value) { $0.isPassed = true } }
        default: break
        }
      },
      assign: { target, value, _ in
        change(value) { $0.isPassed = true }
        guard case .index(let base, let key) = target.kind else { return }
        change(base) { uses in
          uses.additions += 1
          switch key.kind {
          case .constant("0"): (uses.hasOtherKeys, uses.hasZero) = (true, true)
          case .constant, .unary("#", _): break
          case .operation(let parts, _):
            if case .unary("#", _) = parts[0].kind {} else { uses.hasOtherKeys = true }
          case .name(_, let local?):
            if local.isCounter { uses.hasZero = uses.hasZero || local.startsAtZero }
            uses.hasOtherKeys = uses.hasOtherKeys || !local.isCounter || local.startsAtZero
          default: uses.hasOtherKeys = true
          }
        }
      },
      declare: { local, _ in
        for field in local.value?.fields ?? [] {
          if case .expression(let key) = field.key, case .constant("0") = key.kind {
            found[ObjectIdentifier(local), default: ElementUses()].hasZero = true
          }
        }
      }
    ).walk(statements)
    return found
  }
}
