import TideBindings
import TideScript
import TideViews

// Operators and indexes with values that they cannot take.
extension ScriptChecker {
  /// The kind of a value, as messages name it.
  enum ValueKind: String {
    case list = "a list"
    case object = "an object"
    case number = "a number"
    case boolean = "true or false"
    case text = "a text"
    /// A table that is written out.
    case table = "a table"
  }

  /// The kind that every value of an expression has, apart from nil; nil if it is not certain.
  func kind(of expression: LuaExpression, _ budget: Int = 8) -> ValueKind? {
    if budget == 0 { return nil }
    switch expression.kind {
    case .parenthesized(let inner): return kind(of: inner, budget - 1)
    case .unary("#", _): return .number
    case .unary("not", _): return .boolean
    case .name(_, let local?):
      if local.isCounter { return .number }
      if local.isReassigned { return nil }
      if let call = local.sharedCall { return givesMatchedText(call) ? .text : nil }
      // A variable's table may have a metatable.
      if let value = local.value, let kind = kind(of: value, budget - 1),
        kind != .table || !index.setsMetatables
      {
        return kind
      }
      return objectKind(of: expression)
    case .member(let base, let name, _):
      return kind(ofProperty: name, of: base) ?? objectKind(of: expression)
    case .method, .call: return kind(ofCall: expression) ?? objectKind(of: expression)
    case .operation(_, let signs): return kind(ofOperation: signs)
    default:
      switch LiteralKind(expression) {
      case .string: return .text
      case .number: return .number
      case .boolean: return .boolean
      case .table: return .table
      case .function, nil: return nil
      }
    }
  }

  /// The kind of what a comparison or a calculation gives.
  private func kind(ofOperation signs: [String]) -> ValueKind? {
    if signs.contains("and") || signs.contains("or") { return nil }
    if signs.contains(where: Self.comparing.contains) { return .boolean }
    // Metatables may define what the signs do.
    return signs.allSatisfy { Self.rank($0) > 6 } && !index.setsMetatables ? .number : nil
  }

  /// The kind of the result of a function of Lua's library.
  private func kind(ofCall call: LuaExpression) -> ValueKind? {
    if givesMatchedText(call) { return .text }
    if case .call(let callee, _) = call.kind, inference.function(callee) != nil,
      case .text? = inference.inferredType(of: call)
    {
      return .text
    }
    let path: String
    switch call.kind {
    case .method(let base, let name, _, _):
      guard case .text? = inference.inferredType(of: base) else { return nil }
      path = "string.\(name)"
    case .call(let callee, _):
      guard let known = inference.path(of: callee) else { return nil }
      path = known
    default: return nil
    }
    // Its captures may be indexes.
    guard path != "string.match", !app.makesGlobals, isOfLibrary(path),
      let result = LuaLibrary.functions[path]?.result?.replacing("?", with: "")
    else { return nil }
    return ValueType(name: result).flatMap { kind(ofType: $0) }
  }

  private func kind(ofProperty name: String, of base: LuaExpression) -> ValueKind? {
    guard let owner = inference.inferredType(of: base) else { return nil }
    if let type = typeOfAPI(property: name, of: owner) { return kind(ofType: type) }
    guard let declared = inference.declarations(of: name, in: owner), let first = declared.first,
      declared.allSatisfy({ $0.type == first.type && ($0.cases == nil) == (first.cases == nil) })
    else { return nil }
    if first.cases != nil { return .text }
    return first.type.flatMap { kind(ofType: $0) }
  }

  private func kind(ofType type: ValueType) -> ValueKind? {
    switch type {
    case .string: .text
    case .number, .integer: .number
    case .boolean: .boolean
    default: nil
    }
  }

  /// The type of a property of the API that is never nil.
  private func typeOfAPI(property name: String, of owner: InferredType) -> ValueType? {
    switch owner {
    case .view(let viewClass?):
      guard let shape = names.viewClasses[viewClass]?.shape, let index = shape.index(of: name)
      else { return nil }
      let property = shape.propertiesByIndex[index]
      return property.isNullable || property.takesStyledText ? nil : property.type
    case .instance(let type):
      return names.types.fields(of: type)[name].flatMap { ValueType(name: $0) }
    default: return nil
    }
  }

  /// Whether an expression is certainly an object of the API, with which nothing can be computed.
  private func isHostObject(_ expression: LuaExpression) -> Bool {
    switch expression.kind {
    case .name(_, _?), .call, .method: break
    case .parenthesized(let inner): return isHostObject(inner)
    case .member(let base, let name, _):
      // A module's member that is assigned once.
      guard case .table(let shape, _)? = inference.inferredType(of: base),
        shape.value(of: name) != nil
      else { return false }
    default: return false
    }
    switch inference.inferredType(of: expression) {
    case .store?, .controller?, .view?, .userdata?: return true
    case .instance(let type)?: return Self.observed.contains(type)
    default: return false
    }
  }

  /// Classes of the API whose values are data objects.
  private static let observed: Set = [
    "Resource", "StoreValue", "UndoManager", "WatchedFile", "Program",
  ]

  private func objectKind(of expression: LuaExpression) -> ValueKind? {
    if case .member(_, let name, _) = expression.kind, app.replacedNames.contains(name) {
      return nil
    }
    switch inference.inferredType(of: expression) {
    case .list: return .list
    case .model: return .object
    default: return nil
    }
  }

  // MARK: Operators

  /// Reports `basket.fruits + 1`, an operation with a list in place of a number or string.
  func check(operands: [LuaExpression], _ signs: [String]) {
    for (index, operand) in operands.enumerated() {
      let beside = [index > 0 ? signs[index - 1] : nil, index < signs.count ? signs[index] : nil]
      // The operator that binds most tightly takes the operand.
      guard let sign = beside.compactMap(\.self).max(by: { Self.rank($0) < Self.rank($1) }),
        let kind = kind(of: operand) ?? (isHostObject(operand) ? .object : nil)
      else { continue }
      if !refuses(kind, operand, sign) {
        if kind == .text, Self.rank(sign) > 6, let first = firstText(of: operand) {
          report(
            .wrongType,
            "\(text(of: operand)) begins as \"\(first)\", with which \"\(sign)\" cannot be computed"
              + (sign == "+" ? "; write .. to join texts" : ""),
            at: operand.range.lowerBound, .warning)
        }
        continue
      }
      let advice =
        switch (sign, kind) {
        case ("+", .text): "; write .. to join texts"
        case ("~", _): "; write ~= to compare"
        case (_, .list) where Self.rank(sign) == 1, (_, .table) where Self.rank(sign) == 1:
          "; write #\(text(of: operand)) for its length"
        default: ""
        }
      return report(
        .wrongType,
        "\(text(of: operand)) is \(kind.rawValue), with which \"\(sign)\" cannot be computed\(advice)",
        at: operand.range.lowerBound)
    }
  }

  /// Reports `-basket.fruits`.
  func check(negated operand: LuaExpression) {
    let shown = text(of: operand)
    switch kind(of: operand) {
    case .list?, .object?, .boolean?:
      let kind = kind(of: operand)?.rawValue ?? ""
      report(
        .wrongType, "\(shown) is \(kind), which has no negative", at: operand.range.lowerBound)
    case .text?:
      guard let first = firstText(of: operand) else { return }
      report(
        .wrongType, "\(shown) begins as \"\(first)\", which has no negative",
        at: operand.range.lowerBound, .warning)
    default: break
    }
  }

  /// Reports `fruit.count > "3"`, which cannot be computed, and `fruit.name == 3`, which is never
  /// true.
  func check(kindsOf left: LuaExpression, _ sign: String, _ right: LuaExpression) {
    check(objectOfAPI: left, comparedBy: sign, with: right)
    guard let one = kind(of: left), let other = kind(of: right), one != other else { return }
    let plain: Set<ValueKind> = [.number, .boolean, .text]
    let isEquality = sign == "==" || sign == "~="
    // The precedence of `not` is reported instead.
    if isEquality, case .unary("not", _) = left.kind, LiteralKind(right) != nil { return }
    guard plain.contains(one) || plain.contains(other),
      isEquality || plain.contains(one) && plain.contains(other)
    else { return }
    let (left, right, offset) = (text(of: left), text(of: right), right.range.lowerBound)
    if isEquality {
      report(
        .wrongType,
        "\(left) is \(one.rawValue), and \(right) \(other.rawValue), which are never equal",
        at: offset, .warning)
    } else if one != .boolean, other != .boolean {
      report(
        .wrongType,
        "cannot compare \(left), \(one.rawValue), with \(right), \(other.rawValue); "
          + "write tonumber(…)", at: offset)
    }
  }

  /// Reports `process.run("git") == 0`, an object of the API that is compared with a number.
  private func check(
    objectOfAPI value: LuaExpression, comparedBy sign: String, with literal: LuaExpression
  ) {
    guard mentions == nil, case .instance(let type)? = inference.inferredType(of: value),
      let kind = kind(of: literal), [.number, .boolean, .text].contains(kind),
      case let fields = names.types.fields(of: type), !fields.isEmpty
    else { return }
    let verb = sign == "==" || sign == "~=" ? "which are never equal" : "which have no order"
    report(
      .wrongType,
      "\(text(of: value)) is an object with \(fields.keys.sorted().prefix(4).joined(separator: ", ")), "
        + "and \(text(of: literal)) is \(kind.rawValue), \(verb)", at: literal.range.lowerBound,
      .warning)
  }

  /// Checks arguments of a function of the library, whose parameters' names say what they are.
  func check(kindsOf arguments: [LuaExpression], for parameters: [String], of path: String) {
    for (index, (argument, parameter)) in zip(arguments, parameters).enumerated() {
      guard index == 0 || !path.hasPrefix("table."),
        let wanted = Self.wanted(as: parameter, in: path), let kind = kind(of: argument),
        kind != wanted, !hasProblem(at: argument.range.lowerBound)
      else { continue }
      switch (wanted, kind) {
      // Lua reads the one as the other.
      case (.text, .number), (.list, .object), (.list, .table): continue
      case (.number, .text):
        guard let text = argument.string?.text, !text.utf8.contains(where: { $0.isLuaDigit }) else {
          continue
        }
      default: break
      }
      let name = parameter.hasSuffix("?") ? parameter.dropLast() : parameter[...]
      report(
        .libraryArguments,
        "\(path) takes \(wanted == .list ? "a table" : wanted.rawValue) as \(name), and "
          + "\(text(of: argument)) is \(kind.rawValue)", at: argument.range.lowerBound, .warning)
    }
  }

  /// The kind of a parameter of the library; nil if it may be anything.
  private static func wanted(as parameter: String, in path: String) -> ValueKind? {
    let name = parameter.hasSuffix("?") ? String(parameter.dropLast()) : parameter
    switch path.split(separator: ".").first {
    case "math": return ["type", "tointeger"].contains { path.hasSuffix($0) } ? nil : .number
    case "string":
      if ["n", "i", "j", "init"].contains(name) { return .number }
      return ["s", "pattern", "sep"].contains(name) ? .text : nil
    case "table": return ["list", "t", "table"].contains(name) ? .list : nil
    case "ipairs", "pairs": return .list
    default: return nil
    }
  }

  /// How tightly an operator binds; 0 for one that takes any value.
  private static func rank(_ sign: String) -> Int {
    switch sign {
    case "<", "<=", ">", ">=": 1
    case "|": 2
    case "~": 3
    case "&": 4
    case "<<", ">>": 5
    case "..": 6
    case "+", "-": 7
    case "*", "/", "//", "%": 8
    case "^": 9
    default: 0
    }
  }

  /// The text that a model's property has at first, if it is certainly no number.
  func firstText(of operand: LuaExpression) -> String? {
    guard case .member(let base, let name, _) = operand.kind,
      case .model(let model)? = inference.inferredType(of: base),
      let text = app.shapes[model]?.value(of: name)?.string?.text, !text.isEmpty,
      !text.utf8.contains(where: { $0.isLuaDigit })
    else { return nil }
    return text
  }

  private func refuses(_ kind: ValueKind, _ operand: LuaExpression, _ sign: String) -> Bool {
    let rank = Self.rank(sign)
    switch kind {
    case .list, .object, .table: return rank > 0
    case .boolean: return rank > 0
    case .number: return false
    case .text:
      if (2...5).contains(rank) { return true }
      // Lua computes with a text that is a number.
      guard rank > 6, let text = operand.string?.text else { return false }
      return !Self.isNumeric(text)
    }
  }

  /// Whether Lua computes with a text as with a number.
  private static func isNumeric(_ text: String) -> Bool {
    let bytes = text.utf8.filter { $0 > 0x20 }
    guard bytes.contains(where: \.isLuaDigit) else { return false }
    return text.lowercased().contains("0x") || Double(String(decoding: bytes, as: UTF8.self)) != nil
  }

  /// Reports `#fruit.count`.
  func check(lengthOf operand: LuaExpression) {
    guard let kind = kind(of: operand), kind == .number || kind == .boolean else { return }
    report(
      .wrongType, "\(text(of: operand)) is \(kind.rawValue), which has no length",
      at: operand.range.lowerBound)
  }

  /// Reports `people.selectedObject[1]`.
  func check(index key: LuaExpression, of base: LuaExpression) {
    guard case .number(let number)? = LiteralKind(key) else { return }
    switch inference.inferredType(of: base) {
    case .list? where Double(number).map { $0 < 1 } == true:
      return report(
        .badArgument, "a list begins with element 1, and has no element \(number)",
        at: key.range.lowerBound, .warning)
    case .model?: break
    case .object(let shape)?, .held(let shape)?:
      if shape.isOpen || shape.isUntyped { return }
    default: return
    }
    report(
      .unknownProperty, "\(text(of: base)) is an object, which has no elements",
      at: base.range.lowerBound, .warning)
  }

  // MARK: Lists

  /// The kind of a value, of objects of classes too.
  func elementKind(of expression: LuaExpression) -> ValueKind? {
    if let kind = kind(of: expression) { return kind }
    switch inference.inferredType(of: expression) {
    case .object?, .held?: return .object
    default: return nil
    }
  }

  /// Reports `table.insert(rows, row, 1)` and `table.remove(rows, row)`.
  func check(
    index argument: LuaExpression, inCallOf function: String, _ arguments: [LuaExpression]
  ) {
    guard let kind = elementKind(of: argument), kind != .number, kind != .boolean else { return }
    let list = text(of: arguments[0])
    let isList = self.kind(of: arguments[0]) == .list
    let advice =
      switch function {
      case "table.insert": "; write table.insert(\(list), index, \(text(of: argument)))"
      case _ where isList: "; write \(list):removeObject(\(text(of: argument)))"
      default: ""
      }
    report(
      .wrongType, "argument 2 of \(function) is a whole number, not \(kind.rawValue)\(advice)",
      at: argument.range.lowerBound)
  }

  /// Reports `list:insert(row, 1)` and `list:remove(row)`, which take an index first.
  func check(indexIn arguments: [LuaExpression], of method: String) {
    guard ["insert", "remove"].contains(method), let first = arguments.first,
      let kind = elementKind(of: first), kind == .object || kind == .list
    else { return }
    let advice =
      method == "remove"
      ? "; write removeObject(\(text(of: first)))" : "; write insert(index, \(text(of: first)))"
    report(
      .badArgument, "argument 1 of \(method) is a whole number, not \(kind.rawValue)\(advice)",
      at: first.range.lowerBound)
  }
}
