import TideBindings
import TideScript
import TideViews

// Values of properties that the app's own models and classes declare.
extension ScriptChecker {
  /// Checks `basket.grade = "poor"`, and the fields of a table from which an object is created.
  func check(
    value: LuaExpression?, of name: String, at offset: Int, in owner: InferredType,
    called owned: String
  ) {
    if case .held(let shape) = owner, shape.isReadOnly, shape.names.contains(name) {
      return report(
        .readOnly,
        "the rows of a query are read only; give it a class: db:list(sql, values, { class = … })",
        at: offset)
    }
    guard let declared = inference.declarations(of: name, in: owner), let value else { return }
    mention(value, amongCasesOf: declared)
    if declared.allSatisfy(\.isReadOnly) {
      return report(.readOnly, "\(owned).\(name) is read only", at: offset)
    }
    check(function: value, givenTo: "\(owned).\(name)", declared)
    check(kindOf: value, givenTo: "\(owned).\(name)", declared)
    let wanted = declared.compactMap { $0.wanted(insteadOf: value) }
    guard let first = wanted.first, wanted.count == declared.count else { return }
    let shown = LiteralKind(value)?.shown ?? "nil"
    let cases = declared.first?.cases
    let near = value.string.flatMap { text in
      cases.map { hint(for: text.text, in: $0.map(\.text)) }
    }
    let verb = cases != nil && value.string != nil ? "is" : "holds"
    report(
      .wrongType, "\(owned).\(name) \(verb) \(first), not \(shown)\(near ?? "")",
      at: value.string?.contentStart ?? value.range.lowerBound)
  }

  /// Checks `people.selectionIndex = person`, a value for a property of an object of the API.
  func check(_ value: LuaExpression, givenTo name: String, as type: String, of owner: InferredType)
  {
    checkNames(in: value, as: type, RoleScope(function: name, rows: owner.rows))
    let parts = names.types.alternatives(of: type).filter { $0 != "nil" }
    let plain: [Substring: [ValueKind]] = [
      "string": [.text], "number": [.number], "integer": [.number], "boolean": [.boolean],
    ]
    let wanted = parts.compactMap { plain[$0] }
    guard mentions == nil, !parts.isEmpty, wanted.count == parts.count,
      let kind = elementKind(of: value), !wanted.joined().contains(kind),
      !hasProblem(at: value.range.lowerBound)
    else { return }
    report(
      .wrongType,
      "\(name) holds \(LiteralKind.wanted(type, in: names.types)), and \(text(of: value)) is "
        + kind.rawValue, at: value.range.lowerBound)
  }

  /// Records strings that are cases of a property.
  private func mention(_ value: LuaExpression, amongCasesOf declared: [DeclaredProperty]) {
    guard mentions != nil, let text = value.string else { return }
    let cases = declared.flatMap { $0.cases?.map(\.text) ?? [] }
    if !cases.isEmpty { mention(text, .cases(cases)) }
  }

  /// Reports `if basket.grade == "poor"`, a comparison with a string that the property never holds.
  func check(comparisons operands: [LuaExpression], _ signs: [String]) {
    for (index, sign) in signs.enumerated() where Self.comparing.contains(sign) {
      let neighbours = [
        index > 0 ? signs[index - 1] : nil, index + 1 < signs.count ? signs[index + 1] : nil,
      ]
      guard neighbours.allSatisfy({ $0 == nil || $0 == "and" || $0 == "or" }) else { continue }
      check(kindsOf: operands[index], sign, operands[index + 1])
      if sign != "==" && sign != "~=" { continue }
      check(operands[index], comparedWith: operands[index + 1])
      check(operands[index + 1], comparedWith: operands[index])
    }
  }

  static let comparing: Set = ["==", "~=", "<", "<=", ">", ">="]

  /// Reports `answer == "Yes"`, if the dialog has no button of that title.
  private func check(answer: LuaExpression, comparedWith text: LuaToken) {
    var call = answer
    if case .name(_, let local?) = answer.kind, !local.isReassigned, let value = local.value {
      call = value
    }
    guard case .call(let callee, let arguments) = call.kind, inference.function(callee) == "ask",
      let options = arguments.first?.fields
    else { return }
    var known = ["OK"]
    if let buttons = options["buttons"] {
      guard let fields = buttons.fields, fields.isSequence else { return }
      known = fields.compactMap(\.value.string?.text)
      if known.count < fields.count { return }
    }
    if known.contains(text.text) { return }
    report(
      .wrongType,
      "the dialog has no button \"\(text.text)\"\(hintOrNames(for: text.text, in: known))",
      at: text.contentStart ?? text.range.lowerBound, .warning)
  }

  private func check(_ member: LuaExpression, comparedWith value: LuaExpression) {
    if mentions == nil, let text = value.string { check(answer: member, comparedWith: text) }
    guard let text = value.string, case .member(let base, let name, _) = member.kind,
      let owner = inference.inferredType(of: base)
    else { return }
    if let cases = cases(of: name, in: owner) {
      mention(text, .cases(cases))
      if cases.contains(text.text) { return }
      return report(
        .wrongType,
        "\(name) is one of \(cases.joined(separator: ", ")), and never \"\(text.text)\""
          + hint(forCase: text.text, in: cases),
        at: text.contentStart ?? text.range.lowerBound, .warning)
    }
    guard let declared = inference.declarations(of: name, in: owner) else { return }
    mention(value, amongCasesOf: declared)
    guard declared.allSatisfy({ $0.cases != nil && !$0.holds(text.text) }),
      let first = declared.first
    else { return }
    let known = first.cases?.map(\.text) ?? []
    report(
      .wrongType,
      "\(name) is one of \(first.words), and never \"\(text.text)\"\(hint(forCase: text.text, in: known))",
      at: text.contentStart ?? text.range.lowerBound, .warning)
  }

  /// The cases of a property of the API; nil if it is not limited to some strings.
  private func cases(of name: String, in owner: InferredType) -> [String]? {
    if case .view(let viewClass?) = owner, let shape = names.viewClasses[viewClass]?.shape,
      let index = shape.index(of: name)
    {
      return shape.propertiesByIndex[index].cases
    }
    guard case .instance(let type) = owner, let type = names.types.fields(of: type)[name] else {
      return nil
    }
    let parts = names.types.alternatives(of: type).filter { $0 != "nil" }
    guard !parts.isEmpty, parts.allSatisfy({ $0.hasPrefix("\"") }) else { return nil }
    return parts.map { String($0.dropFirst().dropLast()) }
  }

  /// Checks `property { default = "good", enum = { "good", "poor" } }`.
  func check(defaultOf options: LuaExpression?) {
    guard let fields = options?.fields, let value = fields["default"] else { return }
    if let name = fields["type"]?.string?.text, fields["enum"] == nil {
      let fitting: [String: [ValueKind]] = [
        "string": [.text], "number": [.number], "integer": [.number], "boolean": [.boolean],
      ]
      guard let known = fitting[name], LiteralKind(value) != nil, let kind = kind(of: value),
        !known.contains(kind)
      else { return }
      return report(
        .wrongType, "a property of type \(name) cannot have \(text(of: value)) as default",
        at: value.range.lowerBound)
    }
    guard let text = value.string, let names = fields["enum"]?.fields,
      case let cases = names.compactMap(\.value.string?.text), cases.count == names.count
    else { return }
    mention(text, .cases(cases))
    if cases.contains(text.text) { return }
    report(
      .badArgument,
      "the default \"\(text.text)\" is not in the enum\(hintOrNames(for: text.text, in: cases))",
      at: text.contentStart ?? text.range.lowerBound)
  }

  /// The name that messages use for the object of an expression.
  func name(of owner: InferredType, _ expression: LuaExpression) -> String {
    if case .model(let name) = owner { name } else { text(of: expression) }
  }
}
