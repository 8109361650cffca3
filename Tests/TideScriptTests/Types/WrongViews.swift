import TideBindings

/// Makes every wrong use of a view class that the definitions tell of: each property and each event
/// misspelt, and with a value of every wrong type.
struct WrongViews {
  let grammar: APIGrammar

  func calls(of name: String) -> [WrongCall] {
    properties(of: name) + events(of: name)
  }

  /// The class's own properties; `tooltip` stands for those that it inherits.
  private func properties(of name: String) -> [WrongCall] {
    let fieldsName = "tidelock.view.\(name).Fields"
    let own = grammar.classes[fieldsName]?.fields ?? []
    let known = Set(grammar.fields(of: fieldsName).map(\.name))
    var calls: [WrongCall] = []
    let tooltip = grammar.classes["tidelock.view.view.Fields"]?.fields.filter {
      $0.name == "tooltip"
    }
    for (property, type) in own + (name == "view" ? [] : tooltip ?? [])
    where !["on", "bindTo"].contains(property) {
      let key = "\(name) \(property)"
      let wrong = WrongCalls.misspelling(of: property, not: known)
      let named = [name, "\"\(wrong)\""]
      for code in [
        "view.\(name) { \(wrong) = nil or 1 }", "local v = view.\(name) {}; return v.\(wrong)",
        "local v = view.\(name) {}; v.\(wrong) = 1",
        "view.\(name) { bindTo = { \(wrong) = \"dataObject.n\" } }",
        "bind(\"n -> \(wrong)\", O(), view.\(name) {})",
      ] {
        calls.append(WrongCall(code: code, names: named, meant: property, key: key))
      }
      calls += elements(of: property, type, name)
      guard let right = LuaType(type, in: grammar).kinds else { continue }
      for kind in LuaKind.allCases where kind != .nil && !right.contains(kind) {
        for code in [
          "view.\(name) { \(property) = \(kind.sample) }",
          "local v = view.\(name) {}; v.\(property) = \(kind.sample)",
        ] {
          calls.append(WrongCall(code: code, names: [name, property], key: key, kind: kind))
        }
      }
    }
    return calls
  }

  /// Lists in which an element is of a wrong type; nil and the marker for it stand for none.
  private func elements(of property: String, _ type: String, _ name: String) -> [WrongCall] {
    guard let right = LuaType(type, in: grammar).elementKinds else { return [] }
    var calls: [WrongCall] = []
    for kind in LuaKind.allCases
    where kind != .nil && kind != .marker && !right.contains(kind) {
      let elements = "\(kind.sample), \(kind.sample)"
      for code in [
        "view.\(name) { \(property) = { \(elements) } }",
        "local v = view.\(name) {}; v.\(property) = { \(elements) }",
        "local v = view.\(name) {}; v.\(property) = list { \(elements) }",
      ] {
        calls.append(
          WrongCall(code: code, names: [property], key: "\(name) \(property) of", kind: kind))
      }
    }
    return calls
  }

  private func events(of name: String) -> [WrongCall] {
    let eventsName = "tidelock.view.\(name).Events"
    let all = Set(grammar.fields(of: eventsName).map(\.name))
    var calls: [WrongCall] = []
    for (event, _) in (grammar.classes[eventsName]?.fields ?? []) + [(name: "focus", type: "")] {
      let wrong = WrongCalls.misspelling(of: event, not: all.union(grammar.events))
      let key = "\(name) \(event)"
      for code in [
        "view.\(name) { on = { \(wrong) = F } }", "on(view.\(name) {}, \"\(wrong)\", F)",
        "view.\(name) {}:send(\"\(wrong)\")", "trigger.event(view.\(name) {}, \"\(wrong)\")",
      ] {
        calls.append(WrongCall(code: code, names: ["\"\(wrong)\""], meant: event, key: key))
      }
      for kind in LuaKind.allCases where ![.nil, .function].contains(kind) {
        calls.append(
          WrongCall(
            code: "view.\(name) { on = { \(event) = \(kind.sample) } }",
            names: ["on"], key: key, kind: kind))
      }
    }
    return calls
  }
}
