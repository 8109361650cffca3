import TideBindings
import TideLua
import TideScript
import TideViews

// Completes fields of tables: of views and their `on` and `bindTo`, of objects of the app's
// classes, and of option tables of API functions.
extension Session {
  struct Fields {
    var names: [String]
    /// Whether only these fields are allowed there.
    var isAll = true
  }

  /// The fields of the table in which a key is being typed; nil elsewhere.
  func fields(at code: CodeBeforeCaret) -> Fields? {
    let last = code.lastBeforeTyped
    guard ["{", ",", ";"].contains(code.word(last)),
      let open = code.openBracket(before: last + 1), code.word(open) == "{"
    else { return nil }
    return fields(ofTableAt: open, code)
  }

  private func fields(ofTableAt open: Int, _ code: CodeBeforeCaret) -> Fields? {
    if let viewClass = viewClass(ofTableAt: open, code) {
      let names = viewClass.shape.properties.filter { !$0.isReadOnly }.flatMap {
        [$0.name] + $0.aliases
      }
      return Fields(
        names: names + ["bindTo", "on"], isAll: !viewClass.holdsSubviews)
    }
    // A table nested in a view's table.
    if code.word(open - 1) == "=", let outer = code.openBracket(before: open),
      let viewClass = viewClass(ofTableAt: outer, code)
    {
      switch code.word(open - 2) {
      case "on": return Fields(names: viewClass.events)
      case "bindTo": return Fields(names: viewClass.shape.properties.map(\.name))
      default: return nil
      }
    }
    if case .call(let callee, nil)? = callOfTable(at: open, code),
      case .value(let value)? = known(callee), let made = ClassDescription(value)
    {
      return Fields(names: made.shape.properties.map(\.name))
    }
    return options(ofTableAt: open, code)
  }

  private func viewClass(ofTableAt open: Int, _ code: CodeBeforeCaret) -> ViewClass? {
    guard case .call(let callee, nil)? = callOfTable(at: open, code), let path = callee.path
    else { return nil }
    return viewClass(madeBy: path)
  }

  /// The call whose only argument is the table that begins at a token.
  private func callOfTable(at open: Int, _ code: CodeBeforeCaret) -> TypedExpression? {
    guard code.word(open) == "{", let argument = code.argument(at: open), argument.index == 0 else {
      return nil
    }
    return .call(argument.callee, method: argument.method)
  }

  /// The option names that a function accepts in a table argument.
  private func options(ofTableAt open: Int, _ code: CodeBeforeCaret) -> Fields? {
    guard let argument = code.argument(at: open), argument.method == nil,
      let path = argument.callee.path
    else { return nil }
    for signature in types.functions[path] ?? [] {
      guard signature.parameters.indices.contains(argument.index) else { continue }
      for part in types.alternatives(of: signature.parameters[argument.index].type) {
        if let name = types.className(of: String(part)), types.isOptions(name) {
          return Fields(names: types.fields(of: name).keys.sorted())
        }
      }
    }
    return nil
  }

  /// The allowed values of a view's property, if it has a fixed set of them.
  func cases(_ code: CodeBeforeCaret, _ string: Int) -> [String]? {
    guard code.word(string - 1) == "=", let open = code.openBracket(before: string),
      let viewClass = viewClass(ofTableAt: open, code)
    else { return nil }
    let name = code.word(string - 2)
    if name == "style" { return StyleName.allCases.map(\.rawValue) }
    return viewClass.shape.index(of: name).flatMap { viewClass.shape.propertiesByIndex[$0].cases }
  }
}
