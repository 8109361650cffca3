import TideBindings
import TideViews
import TideScript

/// Collects the declarations and mentions of a script, for itself and for the other scripts of its
/// app.
struct DeclarationCollector {
  private let script: Script
  private let inference: TypeInference
  private var symbols = SymbolTable()

  /// Computes a script's symbols.
  static func take(_ script: Script, names: KnownNames) {
    var globals = DeclarationCollector(script, TypeInference(api: names.api, assigned: []))
    globals.collectGlobals()
    var survey = DeclarationCollector(
      script, TypeInference(api: names.api, assigned: globals.symbols.globals))
    survey.symbols = globals.symbols
    survey.symbols.tables = LocalTables(script.statements)
    survey.collect(names)
    script.symbols = survey.symbols
  }

  private init(_ script: Script, _ inference: TypeInference) {
    self.script = script
    self.inference = inference
  }

  // MARK: Globals

  private mutating func collectGlobals() {
    var found = SymbolTable()
    let walk = SyntaxWalker(
      visit: { [inference] expression, _ in
        switch expression.kind {
        case .name("_ENV", _): found.makesGlobals = true
        case .operation(let parts, let signs):
          // The result of `into or _G` may be written to later; that of `x == _G` is not.
          if signs.contains("or"), parts.contains(where: { Self.isGlobalTable($0) }) {
            found.makesGlobals = true
          }
        case .call(let callee, let arguments):
          guard arguments.contains(where: { Self.isGlobalTable($0) }) else { return }
          let function = inference.path(of: callee) ?? ""
          if Self.readers.contains(function) { return }
          guard function == "rawset", arguments.count > 1, Self.isGlobalTable(arguments[0]) else {
            // Code that receives the table of globals may add to it.
            found.makesGlobals = true
            return
          }
          if let name = arguments[1].string?.text {
            found.declareGlobal(name)
          } else {
            found.makesGlobals = true
          }
        default: break
        }
      },
      assign: { [inference] target, value, position in
        switch target.kind {
        case .name(let name, nil):
          found.globals.insert(name)
          found.globalValues[name] = .some(found.globalValues[name] == nil ? value : nil)
          if position.depth == 0 { found.declaredGlobals.insert(name) }
        case .member(let base, let name, _):
          if name == "theme", inference.path(of: base) == "app", let theme = value?.string?.text {
            found.themes.insert(theme)
          }
          if name == "dataObject" { found.changesDataObjects = true }
          // Literal rows are further rows of the same list; see `PlacementCollector`.
          if value.map({ Self.isLiteralList($0, inference) }) != true {
            found.replacedNames.insert(name)
          }
          // Only a class declares its properties. Assignments to `self` in its methods add none.
          if case .name("self", _?) = base.kind {
          } else {
            found.assignedMembers[name, default: []].append(base)
          }
          guard let table = inference.path(of: base), !table.contains(".") else { return }
          if table == "_G" {
            found.declareGlobal(name)
            found.globalValues[name] = .some(nil)
          } else {
            found.addedMembers.insert("\(table).\(name)")
          }
        case .index(let base, let key):
          let name = key.string?.text
          if let name { found.replacedNames.insert(name) }
          guard let table = inference.path(of: base), !table.contains(".") else { return }
          if table != "_G" {
            found.addedMembers.insert("\(table).\(name ?? "*")")
          } else if let name {
            found.declareGlobal(name)
          } else {
            found.makesGlobals = true
          }
        default: break
        }
      },
      declare: { local, _ in if local.name == "_ENV" { found.makesGlobals = true } })
    walk.walk(script.statements)
    symbols = found
  }

  /// Whether a value is a literal list: `{ … }` or `list { … }`.
  static func isLiteralList(_ value: LuaExpression, _ inference: TypeInference) -> Bool {
    if let fields = value.fields { return fields.isSequence }
    guard case .call(let callee, let arguments) = value.kind else { return false }
    return inference.function(callee) == "list" && arguments.first?.fields?.isSequence != false
  }

  /// Functions that only read their table arguments.
  private static let readers: Set<String> = [
    "pairs", "next", "ipairs", "rawget", "rawlen", "rawequal", "getmetatable", "type", "tostring",
    "print", "assert", "select", "dump",
  ]

  private static func isGlobalTable(_ expression: LuaExpression) -> Bool {
    if case .name("_G", nil) = expression.kind { true } else { false }
  }

  // MARK: Declarations

  private mutating func collect(_ names: KnownNames) {
    var expressions: [(LuaExpression, SyntaxWalker.Position)] = []
    var written = WrittenNames(inference) { names.viewClasses[$0] != nil }
    SyntaxWalker(
      visit: { expressions.append(($0, $1)) },
      assign: { target, value, _ in
        if case .member(_, let name, _) = target.kind, let value {
          written.take(assigned: value, to: name)
        }
      }
    ).walk(script.statements)
    script.note(expressions.map(\.0))
    for (expression, position) in expressions {
      written.take(expression)
      switch expression.kind {
      case .string(let token):
        note(token.text)
        // A spec that drops a table affects only its own database.
        symbols.schema.note(token.text, isConditional: position.isConditional || script.isSpec)
      case .name(let name, nil):
        symbols.readGlobals.insert(name)
        if position.isProbe { symbols.probed.insert(name) }
      case .table(let fields):
        for field in fields {
          if !script.isSpec, let text = field.value.string?.text, text.utf8.count <= 256 {
            symbols.shownTexts.insert(text)
          }
          guard let name = field.name?.text else { continue }
          symbols.texts.insert(name)
          if inference.isObjectProperty(field.value) { symbols.objectProperties.insert(name) }
          if name == "bindTo", field.value.fields?.contains(where: Self.isDataObject) == true {
            symbols.changesDataObjects = true
          }
        }
      case .call(let callee, let arguments):
        note(call: expression, callee, arguments, position)
      case .method(_, "migrate", _, let arguments):
        symbols.schema.note(migrations: arguments.first)
      case .member(let base, let name, _):
        switch inference.path(of: base) {
        // `model.fruit` is a mistake that is reported separately.
        case "models", "model": symbols.mentionedModels.insert(name)
        case "views": symbols.mentionedIDs.insert(name)
        default: break
        }
      case .index(let base, let key):
        let name = key.string?.text
        switch (inference.path(of: base), name) {
        case ("models", let name?): symbols.mentionedModels.insert(name)
        case ("models", nil): symbols.usesAllModels = true
        case ("views", let name?): symbols.mentionedIDs.insert(name)
        case ("views", nil): symbols.usesAllViews = true
        default: break
        }
      default: break
      }
    }
    for field in script.themeFields {
      if let name = field.name?.text { symbols.styles.insert(name) }
    }
    if mentionsAllModels(expressions.map(\.0)) { symbols.usesAllModels = true }
    symbols.writtenNames.formUnion(written.names)
    symbols.writtenKeys.formUnion(written.keys)
    if symbols.role == .unknown { symbols.role = role }
  }

  /// The role of the script, judging by its result or its name.
  private var role: ScriptRole {
    if let result = script.returned {
      let value = Self.value(of: result)
      if value == nil || value?.fields != nil || value?.functionBody != nil { return .module }
      if let value, inference.viewClass(of: value) != nil { return .main }
      if let value, inference.declaration(value) != nil { return .module }
      if case .call(let callee, _)? = value?.kind, case .call(let maker, _) = callee.kind,
        inference.function(maker) == "class"
      {
        return .module
      }
    }
    let name = script.source.path.split(separator: "/").last
    return name == "app.lua" || name == "main.lua" ? .main : .unknown
  }

  /// The value of a result; nil for a function that a statement declares.
  private static func value(of result: LuaExpression) -> LuaExpression? {
    guard case .name(_, let local?) = result.kind, !local.isReassigned else { return result }
    return local.function == nil ? local.value ?? result : nil
  }

  /// The literal at the beginning of a computed string.
  private static func beginning(of text: LuaExpression) -> String {
    switch text.kind {
    case .parenthesized(let inner): beginning(of: inner)
    case .operation(let parts, let signs) where signs.allSatisfy { $0 == ".." }:
      parts.first?.string?.text ?? ""
    default: ""
    }
  }

  private static func isDataObject(_ field: LuaField) -> Bool { field.name?.text == "dataObject" }

  /// Whether `models` occurs without a following dot or bracket.
  private func mentionsAllModels(_ expressions: [LuaExpression]) -> Bool {
    var all = 0
    var parts = 0
    for expression in expressions {
      switch expression.kind {
      case .name("models", nil): all += 1
      case .member(let base, "models", _):
        if inference.path(of: base) == "tidelock" { all += 1 }
      default: break
      }
      switch expression.kind {
      case .member(let base, _, _), .index(let base, _):
        switch base.kind {
        case .name("models", nil): parts += 1
        case .member(let table, "models", _):
          if inference.path(of: table) == "tidelock" { parts += 1 }
        default: break
        }
      default: break
      }
    }
    return all > parts
  }

  private mutating func note(_ text: String) {
    if text.utf8.count <= 64, text.utf8.allSatisfy(\.continuesLuaName) {
      symbols.texts.insert(text)
    }
    if text.hasSuffix(".lua"), text.utf8.count < 1024 { symbols.files.insert(text) }
    // Longer strings are data.
    guard text.utf8.count <= 4096 else { return }
    // For each word, whether it also occurs without a dot before it. After a dot it would be a
    // property.
    var seen: [String: Bool] = [:]
    for word in text.utf8.split(whereSeparator: { !$0.continuesLuaName }) {
      let isStep =
        word.startIndex > text.startIndex
        && text.utf8[text.utf8.index(before: word.startIndex)] == UInt8(ascii: ".")
      let name = String(decoding: word, as: UTF8.self)
      seen[name] = !isStep || seen[name] == true
    }
    if ["->", "<-", "<>", "~>", "<~"].contains(where: { text.contains($0) }) {
      note(written: BindingExpression.writtenNames(in: text) ?? Set(seen.keys))
    }
    for (word, isRoot) in seen {
      symbols.words[word, default: 0] += 1
      if isRoot { symbols.roots[word, default: 0] += 1 }
    }
  }

  private mutating func note(written names: Set<String>) {
    symbols.replacedNames.formUnion(names)
    symbols.boundNames.formUnion(names)
  }

  private mutating func note(
    call: LuaExpression, _ callee: LuaExpression, _ arguments: [LuaExpression],
    _ position: SyntaxWalker.Position
  ) {
    if let declaration = inference.declaration(call), let fields = declaration.fields {
      return note(
        model: declaration.name, fields, position, isShared: declaration.keyword == "shared")
    }
    if let made = inference.viewClass(of: call) {
      return note(view: made.name, arguments.first)
    }
    if case .call(let inner, let names) = callee.kind {
      if inference.function(inner) == "transformer", let name = names.first {
        return note(transformer: name, arguments.first)
      }
      if inference.function(inner) == "class", let name = names.first?.string?.text {
        symbols.classDeclarations[name] = .some(
          symbols.classDeclarations[name] == nil ? call : nil)
      }
    }
    guard let function = inference.function(callee) ?? inference.path(of: callee),
      let first = arguments.first
    else { return }
    switch function {
    case "model", "shared": if first.string == nil { symbols.unknownModels.rise(to: first) }
    case "transformer" where arguments.count > 1 || first.string == nil:
      note(transformer: first, arguments.count > 1 ? arguments[1] : nil)
    case "style.define":
      if let name = first.string?.text {
        symbols.styles.insert(name)
      } else {
        symbols.unknownStyles.rise(to: first)
      }
    case "class":
      if let name = first.string?.text {
        symbols.classes.insert(name)
      } else {
        symbols.unknownClasses.rise(to: first)
      }
    case "bind", "ref":
      for path in arguments.dropFirst().compactMap(\.string) {
        if let path = try? Path.parse(path.text), let name = path.lastName {
          note(written: [name])
        }
      }
    case "context", "context.begin": note(context: arguments)
    case "notification.post", "notification.observe", "trigger.notification":
      guard let name = first.string?.text else {
        return symbols.unknownNotifications.rise(to: first)
      }
      if function == "notification.post" {
        symbols.postedNotifications.insert(name)
      } else {
        symbols.observedNotifications.insert(name)
      }
    case "store.open": symbols.schema.note(database: first)
    case "view.component": note(component: first, arguments.count > 1 ? arguments[1] : nil)
    case "require":
      if let name = first.string {
        symbols.requires.append(
          (name.text, name.contentStart ?? first.range.lowerBound, call))
      } else {
        symbols.computedRequires.insert(Self.beginning(of: first))
      }
    case "show" where position.depth == 0: symbols.role = .main
    case "stdin.lines", "undo.manager": note(nameIn: first, of: call)
    case let maker where maker.hasPrefix("controller."): note(nameIn: first, of: call)
    case "resource", "stream", "file.lines", "file.tail", "http.lines", "process.lines",
      "process.start":
      for argument in arguments.dropFirst() { note(nameIn: argument, of: call) }
    default: break
    }
  }

  /// Records the option `name`, by which paths find the object that the call creates.
  private mutating func note(nameIn options: LuaExpression, of call: LuaExpression) {
    guard let name = options.fields?["name"] else { return }
    if let text = name.string?.text {
      symbols.shapes[text, default: LiteralShape()].isOpen = true
      symbols.named[text] = .some(symbols.named[text] == nil ? call : nil)
    } else {
      symbols.unknownModels.rise(to: name)
    }
  }

  private mutating func note(
    model name: LuaToken, _ fields: LuaExpression, _ position: SyntaxWalker.Position,
    isShared: Bool
  ) {
    var shape = fields.fields.map { LiteralShape($0) } ?? .unknown
    if isShared { shape.add("sync", as: .instance("Sync")) }
    symbols.shapes[name.text, default: LiteralShape()].formUnion(shape)
    let isTaken: Bool =
      if let local = position.local {
        local.isRead
      } else if position.global != nil {
        // The readers of a global are unknown.
        true
      } else {
        !position.isStatement
      }
    symbols.models.append(
      SymbolTable.Model(
        name: name.text, offset: name.contentStart ?? name.range.lowerBound,
        isTaken: isTaken, isActive: shape.contains("init"),
        isCertain: !isShared && position.depth == 0 && !position.isConditional
          && !position.mayFail))
  }

  private mutating func note(view name: String, _ table: LuaExpression?) {
    for field in table?.fields ?? [] where field.isID {
      if let id = field.value.string?.text {
        symbols.ids[id, default: []].insert(name)
        let token = field.value.string
        symbols.idPlaces.append((id, token?.contentStart ?? field.value.range.lowerBound))
      } else {
        symbols.unknownIDs.rise(to: field.value)
      }
    }
    if let table, table.fields == nil { symbols.unknownIDs = .computed }
  }

  private mutating func note(transformer name: LuaExpression, _ body: LuaExpression?) {
    guard let text = name.string?.text else {
      symbols.unknownTransformers.rise(to: name)
      return
    }
    let isReversible: Bool =
      if body.flatMap({ inference.functionBody(of: $0) }) != nil {
        false
      } else if let fields = body.flatMap({ inference.table(of: $0) }) {
        fields.contains { $0.name?.text == "reverse" || $0.name == nil }
      } else {
        true
      }
    symbols.transformerPlaces.append(
      (text, name.string?.contentStart ?? name.range.lowerBound))
    symbols.transformers[text] = isReversible || (symbols.transformers[text] ?? false)
  }

  /// Records the name of a context, which an object may own.
  private mutating func note(context arguments: [LuaExpression]) {
    for argument in arguments.prefix(2) {
      if let name = argument.string?.text {
        symbols.contexts.insert(name)
      } else if argument.functionBody == nil, argument.fields == nil {
        // The argument is an object or a name.
        symbols.unknownContexts.rise(to: argument)
      }
    }
  }

  private mutating func note(component name: LuaExpression, _ options: LuaExpression?) {
    guard let text = name.string?.text else {
      symbols.unknownComponents.rise(to: name)
      return
    }
    let fields = options?.fields
    let properties = fields?["properties"]
    let events = fields?["events"]
    let names = events?.fields?.map { $0.value.string?.text }
    let isOpen =
      fields == nil || properties.map { $0.fields == nil } == true
      || events != nil && names?.allSatisfy({ $0 != nil }) != true
    symbols.components[text] = SymbolTable.Component(
      properties: properties?.fields.map { LiteralShape($0) } ?? LiteralShape(),
      events: Set((names ?? []).compactMap(\.self)), isOpen: isOpen)
  }
}
