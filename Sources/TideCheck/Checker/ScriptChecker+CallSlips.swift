import TideBindings
import TideScript

// Arguments that are of the right kind and still cannot be meant.
extension ScriptChecker {
  /// Reports `log("saved")`: the table of the API is not a function.
  func check(calledTable callee: LuaExpression) {
    guard mentions == nil, !script.isSpec, !app.makesGlobals,
      case .name(let name, nil) = callee.kind, let members = names.members[name],
      names.types.functions[name] == nil, LuaLibrary.functions[name] == nil,
      !app.globals.contains(name), !Self.callableTables.contains(name)
    else { return }
    let advice: String
    switch name {
    case "log": advice = "; write log.info(…)"
    case "view": advice = "; write view.label { … }"
    case "models", "views": advice = "; write \(name).name"
    default:
      let functions = members.sorted().filter { names.types.functions["\(name).\($0)"] != nil }
      advice = functions.isEmpty ? "" : "; it has \(functions.prefix(4).joined(separator: ", "))"
    }
    report(
      .scriptError, "\(name) is a table and cannot be called\(advice)",
      at: callee.range.lowerBound)
  }

  /// Tables of the API that are functions as well.
  private static let callableTables: Set = ["ask", "context", "rich"]

  /// Reports `http.get("example.org")`.
  func check(address value: LuaExpression?) {
    guard mentions == nil, let value else { return }
    var first = value
    if case .operation(let parts, let signs) = value.kind {
      guard signs.allSatisfy({ $0 == ".." }), let part = parts.first else { return }
      first = part
    }
    guard let token = first.string, case let text = token.text.lowercased(), !text.isEmpty else {
      return
    }
    let schemes = ["http://", "https://"]
    // The beginning of a text that goes on may be a part of a scheme.
    if schemes.contains(where: { text.hasPrefix($0) || first !== value && $0.hasPrefix(text) }) {
      return
    }
    report(
      .badArgument,
      "\"\(token.text)\" is not a web address; write one that begins with http:// or https://",
      at: offset(0, in: token))
  }

  /// Reports `process.run("git status")`, a command with its arguments in one text, and
  /// `process.run("git", { timeout = 5 })`, options in the place of arguments.
  func check(program arguments: [LuaExpression], _ function: String) {
    guard mentions == nil, let command = arguments.first else { return }
    let given = arguments.count > 1 ? arguments[1].fields : []
    if let given, !given.isEmpty, given.allSatisfy({ $0.name != nil }) {
      report(
        .badArgument,
        "\(function) takes a list of arguments before the options: "
          + "\(function)(command, { … }, { … })", at: arguments[1].range.lowerBound, .warning)
    }
    guard let text = command.string?.text, text.contains(" "), !text.contains("/"),
      given?.contains(where: \.isElement) == false
    else { return }
    let words = text.split(separator: " ").map { "\"\($0)\"" }
    guard words.count > 1 else { return }
    report(
      .badArgument,
      "\(function) takes a program's name, and its arguments in a list: "
        + "\(function)(\(words[0]), { \(words.dropFirst().joined(separator: ", ")) })",
      at: command.range.lowerBound, .warning)
  }

  /// Reports `db:keep(rows)`, a list without a name.
  func check(keptList arguments: [LuaExpression], _ function: String) {
    guard mentions == nil, arguments.count == 1, let list = arguments.first,
      kind(of: list) == .list
    else { return }
    report(
      .badArgument,
      "\(function) keeps a list under a name; write \(function)(\(text(of: list)), \"…\")",
      at: list.range.lowerBound)
  }

  /// Reports `table.insert(person, rows)`, an object in place of the list.
  func check(object value: LuaExpression, insteadOfListIn function: String) {
    guard mentions == nil, !hasProblem(at: value.range.lowerBound) else { return }
    switch inference.inferredType(of: value) {
    case .model?, .object?: break
    case .held(let shape)? where shape.isOfClass: break
    default: return
    }
    report(
      .libraryArguments,
      "\(function) takes a table or a list first, and \(text(of: value)) is an object",
      at: value.range.lowerBound, .warning)
  }

  /// Reports `transformer("tone", { ok = "green", otherwise = "red" })`, an entry for a text.
  func check(otherwiseIn table: LuaExpression?) {
    guard mentions == nil else { return }
    for case .name("otherwise", let start) in (table?.fields ?? []).map(\.key) {
      report(
        .badArgument,
        "this is the entry for the text \"otherwise\"; write [otherwise] for all other values",
        at: start, .warning)
    }
  }
}
