import TideBindings
import TideScript

// Edits that lists refuse: of lists that follow other ones, and nil as an element.
extension ScriptChecker {
  /// The methods that edit a list.
  private static let editing: Set = [
    "append", "insert", "remove", "removeObject", "replace", "move", "set", "clear",
  ]

  /// Reports `open:append(task)`, if `open` is what `tasks:filter(…)` has given.
  func check(edit method: String, of list: LuaExpression, at offset: Int? = nil) {
    guard mentions == nil, Self.editing.contains(method), let source = sourceOfDerived(list) else {
      return
    }
    report(
      .readOnly,
      "\(text(of: list)) follows another list and cannot be edited; edit \(source)",
      at: offset ?? list.range.lowerBound)
  }

  /// What a derived list follows, in words; nil for a list that may be edited.
  private func sourceOfDerived(_ list: LuaExpression, _ budget: Int = 8) -> String? {
    if budget == 0 { return nil }
    switch list.kind {
    case .parenthesized(let inner): return sourceOfDerived(inner, budget - 1)
    case .name(_, let local?):
      return local.isReassigned ? nil : local.value.flatMap { sourceOfDerived($0, budget - 1) }
    case .method(let base, let name, _, _):
      guard ["filter", "sorted", "map", "group", "slice"].contains(name),
        case .list? = inference.inferredType(of: base)
      else { return nil }
      return sourceOfDerived(base, budget - 1) ?? text(of: base)
    case .call(let callee, _):
      return inference.function(callee) == "concat" ? "one of those that it joins" : nil
    case .member(let base, "arrangedObjects", _):
      guard case .controller("list", _)? = inference.inferredType(of: base) else { return nil }
      return "its content, or call \(text(of: base)):add(…)"
    default: return nil
    }
  }

  /// Reports `list { "fig", nil, "pear" }`.
  func check(nilIn table: LuaExpression?) {
    guard mentions == nil, let fields = table?.fields, fields.isSequence, fields.count > 1 else {
      return
    }
    for (index, field) in fields.dropLast().enumerated() {
      guard case .constant("nil") = field.value.kind else { continue }
      // Those at the end have no effect.
      let rest = fields[(index + 1)...]
      guard
        rest.contains(where: { if case .constant("nil") = $0.value.kind { false } else { true } })
      else { return }
      return report(
        .badArgument,
        "a list holds no nil, but element \(index + 1) is nil; use null, or leave it out",
        at: field.value.range.lowerBound)
    }
  }

  /// Checks the lists among the fields with which a model, a class or an object is declared.
  func check(nilInListsOf fields: [LuaField]?) {
    for field in fields ?? [] where field.name != nil { check(nilIn: field.value) }
  }

  /// Reports `rows:append(nil)`.
  func check(nilPutInBy method: String, _ arguments: [LuaExpression]) {
    guard mentions == nil, ["append", "insert", "replace"].contains(method) else { return }
    for argument in arguments.dropFirst(method == "append" ? 0 : 1) {
      guard case .constant("nil") = argument.kind else { continue }
      report(
        .badArgument, "a list holds no nil; use null, or remove the element",
        at: argument.range.lowerBound)
    }
  }
}
