import TideBindings
import TideScript

// Calls whose only purpose is a result that nothing uses.
extension ScriptChecker {
  /// Reports the statements `text:gsub(" ", "")`, `tostring(n)` and `rows:sorted("name")`.
  func check(unusedResultOf call: LuaExpression) {
    guard mentions == nil, !unreturnedCalls.contains(call.range.lowerBound) else { return }
    switch call.kind {
    case .call(let callee, let arguments):
      guard let path = inference.path(of: callee), isPure(path, arguments) else { return }
      report(
        .unusedResult,
        "\(path) only gives a result, and nothing uses it; \(advice(path, arguments))",
        at: callee.range.lowerBound, .warning)
    case .method(let base, let name, let offset, let arguments):
      switch inference.inferredType(of: base) {
      case .text?:
        if LuaLibrary.functions["string.\(name)"] == nil { return }
        check(unusedText: name, base, arguments, at: offset)
      case .list?:
        // A literal, or a function that is called once for each row, may be meant to be tried out.
        guard Self.deriving.contains(name), !isLiteralList(base),
          arguments.allSatisfy({ inference.functionBody(of: $0) == nil })
        else { return }
        let result =
          Self.lists.contains(name)
          ? "\(name) gives a new list and leaves \(text(of: base)) as it is"
          : "\(name) only gives a result"
        report(.unusedResult, "\(result); nothing uses it", at: offset, .warning)
      case nil:
        guard Self.textMethods.contains(name), isOfTexts(name), inference.path(of: base) == nil
        else { return }
        check(unusedText: name, base, arguments, at: offset)
      default: break
      }
    default: break
    }
  }

  private func check(
    unusedText name: String, _ base: LuaExpression, _ arguments: [LuaExpression], at offset: Int
  ) {
    if name == "gsub", !isPlain(arguments.dropFirst().first) { return }
    let shown = text(of: base)
    let advice =
      if case .name(_, _?) = base.kind { "write \(shown) = \(shown):\(name)(…)" } else {
        "use its result"
      }
    report(
      .unusedResult, "\(name) gives a new text and leaves \(shown) as it is; \(advice)", at: offset,
      .warning)
  }

  /// Whether the replacement of `gsub` calls no function.
  private func isPlain(_ replacement: LuaExpression?) -> Bool {
    guard let replacement else { return true }
    switch LiteralKind(replacement) {
    case .string?, .number?: return true
    default: return kind(of: replacement) == .text
    }
  }

  private func isLiteralList(_ base: LuaExpression) -> Bool {
    switch base.kind {
    case .name, .member: false
    default: true
    }
  }

  /// Whether only texts have a method of that name.
  private func isOfTexts(_ name: String) -> Bool {
    !app.makesGlobals && index.isWhole && !names.methods.contains(name)
      && app.assignedMembers[name] == nil && !app.writtenKeys.contains(name)
  }

  private func advice(_ path: String, _ arguments: [LuaExpression]) -> String {
    guard let first = arguments.first, case .name(_, _?) = first.kind, path.hasPrefix("string.")
    else { return "use it, or take the call out" }
    return "write \(text(of: first)) = \(path)(…)"
  }

  private func isPure(_ path: String, _ arguments: [LuaExpression]) -> Bool {
    if Self.makingValues.contains(path) { return !app.globals.contains(path) }
    guard LuaLibrary.functions[path] != nil, isOfLibrary(path) else { return false }
    if Self.pure.contains(path) { return true }
    if path == "string.gsub" { return isPlain(arguments.dropFirst(2).first) }
    return path.hasPrefix("string.") || path.hasPrefix("math.") && !path.hasPrefix("math.random")
  }

  private static let pure: Set = [
    "tostring", "tonumber", "type", "table.concat", "table.unpack", "table.pack",
  ]
  /// Functions of the API that only make a value.
  private static let makingValues: Set = [
    "isa", "now", "translate", "property", "computed", "json.encode", "rich.bold", "rich.italic",
    "rich.color", "trigger.change", "trigger.notification", "trigger.event", "trigger.call",
    "trigger.every", "trigger.manual",
  ]
  private static let lists: Set = ["filter", "map", "sorted", "group", "slice"]
  private static let deriving = lists.union(["indexOf", "totable"])
  /// Methods of texts with names that nothing else has.
  private static let textMethods: Set = [
    "upper", "lower", "gsub", "rep", "reverse", "sub", "format",
  ]
}
