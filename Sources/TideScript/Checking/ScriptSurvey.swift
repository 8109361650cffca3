import TideBindings
import TideViews

/// Collects what a script declares and mentions, for itself and for the others of its app.
struct ScriptSurvey {
  private let script: Script
  private let meanings: ScriptMeanings
  private var facts = ScriptFacts()

  /// Fills in a script's facts.
  static func take(_ script: Script, names: ScriptNames) {
    var globals = ScriptSurvey(script, ScriptMeanings(api: names.api, assigned: []))
    globals.collectGlobals()
    var survey = ScriptSurvey(
      script, ScriptMeanings(api: names.api, assigned: globals.facts.globals))
    survey.facts = globals.facts
    survey.collect()
    script.facts = survey.facts
  }

  private init(_ script: Script, _ meanings: ScriptMeanings) {
    self.script = script
    self.meanings = meanings
  }

  // MARK: Globals

  private mutating func collectGlobals() {
    var found = ScriptFacts()
    let walk = ScriptWalk(
      visit: { [meanings] expression, _ in
        switch expression.kind {
        case .name("_ENV", _): found.makesGlobals = true
        case .operation(let parts, let signs):
          // `into or _G` may be written to later; `x == _G` is not.
          if signs.contains("or"), parts.contains(where: { Self.isGlobalTable($0) }) {
            found.makesGlobals = true
          }
        case .call(let callee, let arguments):
          guard arguments.contains(where: { Self.isGlobalTable($0) }) else { return }
          let function = meanings.path(of: callee) ?? ""
          if Self.readers.contains(function) { return }
          guard function == "rawset", arguments.count > 1, Self.isGlobalTable(arguments[0]) else {
            // Who is given the table of globals may add to it.
            found.makesGlobals = true
            return
          }
          if let name = arguments[1].string?.text {
            found.globals.insert(name)
          } else {
            found.makesGlobals = true
          }
        default: break
        }
      },
      assign: { [meanings] target, _, _ in
        switch target.kind {
        case .name(let name, nil): found.globals.insert(name)
        case .member(let base, let name, _):
          if name == "dataObject" { found.changesDataObjects = true }
          found.writtenNames.insert(name)
          guard let table = meanings.path(of: base), !table.contains(".") else { return }
          if table == "_G" {
            found.globals.insert(name)
          } else {
            found.addedMembers.insert("\(table).\(name)")
          }
        case .index(let base, let key):
          guard let table = meanings.path(of: base), !table.contains(".") else { return }
          let name = key.string?.text
          if table != "_G" {
            found.addedMembers.insert("\(table).\(name ?? "*")")
          } else if let name {
            found.globals.insert(name)
          } else {
            found.makesGlobals = true
          }
        default: break
        }
      },
      declare: { local, _ in if local.name == "_ENV" { found.makesGlobals = true } })
    walk.walk(script.statements)
    facts = found
  }

  /// What does no more than read a table that it is given.
  private static let readers: Set<String> = [
    "pairs", "next", "ipairs", "rawget", "rawlen", "rawequal", "getmetatable", "type", "tostring",
    "print", "assert", "select", "dump",
  ]

  private static func isGlobalTable(_ expression: LuaExpression) -> Bool {
    if case .name("_G", nil) = expression.kind { true } else { false }
  }

  // MARK: Declarations

  private mutating func collect() {
    var expressions: [(LuaExpression, ScriptWalk.Place)] = []
    ScriptWalk(visit: { expressions.append(($0, $1)) }).walk(script.statements)
    for (expression, place) in expressions {
      switch expression.kind {
      case .string(let token): note(token.text)
      case .name(let name, nil):
        if place.isProbe { facts.probed.insert(name) }
      case .table(let fields):
        for field in fields {
          guard let name = field.name?.text else { continue }
          facts.texts.insert(name)
          if name == "bindTo", field.value.fields?.contains(where: isDataObject) == true {
            facts.changesDataObjects = true
          }
        }
      case .call(let callee, let arguments):
        note(call: expression, callee, arguments, place)
      case .member(let base, let name, _):
        if meanings.path(of: base) == "models" { facts.mentionedModels.insert(name) }
      case .index(let base, let key):
        guard meanings.path(of: base) == "models" else { break }
        if let name = key.string?.text {
          facts.mentionedModels.insert(name)
        } else {
          facts.usesAllModels = true
        }
      default: break
      }
    }
    if mentionsAllModels(expressions.map(\.0)) { facts.usesAllModels = true }
    facts.writtenNames.formUnion(facts.texts)
  }

  private func isDataObject(_ field: LuaField) -> Bool { field.name?.text == "dataObject" }

  /// Whether `models` stands anywhere but before a dot or a bracket.
  private func mentionsAllModels(_ expressions: [LuaExpression]) -> Bool {
    var all = 0
    var parts = 0
    for expression in expressions {
      switch expression.kind {
      case .name("models", nil): all += 1
      case .member(let base, "models", _):
        if meanings.path(of: base) == "tidelock" { all += 1 }
      default: break
      }
      switch expression.kind {
      case .member(let base, _, _), .index(let base, _):
        switch base.kind {
        case .name("models", nil): parts += 1
        case .member(let table, "models", _):
          if meanings.path(of: table) == "tidelock" { parts += 1 }
        default: break
        }
      default: break
      }
    }
    return all > parts
  }

  private mutating func note(_ text: String) {
    if text.utf8.count <= 64, text.utf8.allSatisfy(\.continuesLuaName) { facts.texts.insert(text) }
    if text.hasSuffix(".lua"), text.utf8.count < 1024 { facts.files.insert(text) }
    // Longer texts are data.
    guard text.utf8.count <= 4096 else { return }
    var seen: Set<String> = []
    for word in text.utf8.split(whereSeparator: { !$0.continuesLuaName }) {
      seen.insert(String(decoding: word, as: UTF8.self))
    }
    for word in seen { facts.words[word, default: 0] += 1 }
  }

  private mutating func note(
    call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression],
    _ place: ScriptWalk.Place
  ) {
    if let declaration = meanings.declaration(call), let fields = declaration.fields {
      return note(model: declaration.name, fields, place)
    }
    if let made = meanings.viewClass(of: call) {
      return note(view: made.name, arguments.first)
    }
    if case .call(let inner, let names) = callee.kind {
      if meanings.function(inner) == "transformer", let name = names.first {
        return note(transformer: name, arguments.first)
      }
    }
    guard let function = meanings.function(callee) ?? meanings.path(of: callee),
      let first = arguments.first
    else { return }
    switch function {
    case "model": if first.string == nil { facts.unknownModels.rise(to: first) }
    case "transformer" where arguments.count > 1 || first.string == nil:
      note(transformer: first, arguments.count > 1 ? arguments[1] : nil)
    case "view.component": note(component: first, arguments.count > 1 ? arguments[1] : nil)
    case "require":
      if let name = first.string {
        facts.requires.append((name.text, name.contentStart ?? first.range.lowerBound))
      } else {
        facts.requiresUnknown = true
      }
    case "controller.object", "controller.list", "controller.tree", "controller.dictionary",
      "controller.settings":
      guard let name = first.fields?["name"] else { break }
      if let text = name.string?.text {
        facts.shapes[text, default: LiteralShape()].isOpen = true
      } else {
        facts.unknownModels.rise(to: name)
      }
    default: break
    }
  }

  private mutating func note(
    model name: LuaToken, _ fields: LuaExpression, _ place: ScriptWalk.Place
  ) {
    let shape = fields.fields.map { LiteralShape($0) } ?? .unknown
    facts.shapes[name.text, default: LiteralShape()].formUnion(shape)
    let isTaken: Bool =
      if let local = place.local {
        local.isRead
      } else if place.global != nil {
        // Who reads it is hard to say.
        true
      } else {
        !place.isStatement
      }
    facts.models.append(
      ScriptFacts.Model(
        name: name.text, offset: name.contentStart ?? name.range.lowerBound,
        isTaken: isTaken, isActive: shape.contains("init")))
  }

  private mutating func note(view name: String, _ table: LuaExpression?) {
    for field in table?.fields ?? [] where field.isID {
      if let id = field.value.string?.text {
        facts.ids[id, default: []].insert(name)
      } else {
        facts.unknownIDs.rise(to: field.value)
      }
    }
    if let table, table.fields == nil { facts.unknownIDs = .computed }
  }

  private mutating func note(transformer name: LuaExpression, _ body: LuaExpression?) {
    guard let text = name.string?.text else {
      facts.unknownTransformers.rise(to: name)
      return
    }
    let isReversible: Bool =
      if body?.functionBody != nil {
        false
      } else if let fields = body?.fields {
        fields.contains { $0.name?.text == "reverse" || $0.name == nil }
      } else {
        true
      }
    facts.transformers[text] = isReversible || (facts.transformers[text] ?? false)
  }

  private mutating func note(component name: LuaExpression, _ options: LuaExpression?) {
    guard let text = name.string?.text else {
      facts.unknownComponents.rise(to: name)
      return
    }
    let fields = options?.fields
    let properties = fields?["properties"]
    let events = fields?["events"]
    let names = events?.fields?.map { $0.value.string?.text }
    let isOpen =
      fields == nil || properties.map { $0.fields == nil } == true
      || events != nil && names?.allSatisfy({ $0 != nil }) != true
    facts.components[text] = ScriptFacts.Component(
      properties: properties?.fields.map { LiteralShape($0) } ?? LiteralShape(),
      events: Set((names ?? []).compactMap(\.self)), isOpen: isOpen)
  }
}

extension ScriptFacts.Unknown {
  /// Notes an expression that gives a name.
  fileprivate mutating func rise(to expression: LuaExpression) {
    switch expression.kind {
    case .name, .member, .index: if self == .none { self = .passed }
    default: self = .computed
    }
  }
}
