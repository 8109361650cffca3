import TideBindings
import TideLua

/// The models, components and ids that an app's scripts write out.
struct AppTypes {
  struct Field {
    let name: String
    let type: String
  }

  struct Model {
    let name: String
    var fields: [Field]
  }

  struct Component {
    let name: String
    let fields: [Field]
    let events: [String]
  }

  private(set) var models: [Model] = []
  private(set) var components: [Component] = []
  private(set) var ids: [(name: String, viewClass: String?)] = []

  init() {}

  /// Reads scripts.
  init(_ paths: [String]) throws {
    let files = try ScriptFiles.files(at: paths)
    try self.init { work in
      for path in files {
        if case .failed(let finding) = work.add(path, isAsked: true) { throw finding.error }
      }
    }
  }

  init(text: String) throws {
    try self.init { work in
      if case .failed(let finding) = work.add(text, path: "app.lua", isAsked: true) {
        throw finding.error
      }
    }
  }

  private init(_ read: (inout ScriptCollection) throws -> Void) throws {
    let names = try ScriptNames()
    var configuration = LuaConfiguration()
    configuration.turn = nil
    var work = ScriptCollection(names: names, interpreter: try LuaState(configuration))
    try read(&work)
    work.addRequired()
    var facts = ScriptFacts()
    for script in work.scripts where !script.isSpec {
      facts.formUnion(script.facts)
      collect(script, names)
    }
    models.sort { $0.name < $1.name }
    components.sort { $0.name < $1.name }
    ids = facts.ids.filter { $0.key.isLuaName }.sorted { $0.key < $1.key }.map { id, classes in
      (id, classes.count == 1 ? classes.first ?? nil : nil)
    }
  }

  private mutating func collect(_ script: Script, _ names: ScriptNames) {
    let meanings = ScriptMeanings(api: names.api, assigned: script.facts.globals)
    var found: [Model] = []
    var made: [Component] = []
    ScriptWalk(visit: { expression, _ in
      if let declaration = meanings.declaration(expression), let fields = declaration.fields,
        declaration.name.text.isLuaName
      {
        found.append(
          Model(name: declaration.name.text, fields: Self.fields(fields.fields ?? [], meanings)))
      }
      guard case .call(let callee, let arguments) = expression.kind,
        meanings.function(callee) == "view.component", let name = arguments.first?.string?.text,
        name.isLuaName
      else { return }
      let options = arguments.dropFirst().first?.fields ?? []
      func option(_ name: String) -> [LuaField] {
        options.first { $0.name?.text == name }?.value.fields ?? []
      }
      made.append(
        Component(
          name: name, fields: Self.fields(option("properties"), meanings),
          events: option("events").compactMap { $0.value.string?.text }.filter(\.isLuaName)))
    }).walk(script.statements)
    for model in found {
      if let index = models.firstIndex(where: { $0.name == model.name }) {
        let known = Set(models[index].fields.map(\.name))
        models[index].fields += model.fields.filter { !known.contains($0.name) }
      } else {
        models.append(model)
      }
    }
    for component in made where !components.contains(where: { $0.name == component.name }) {
      components.append(component)
    }
  }

  private static func fields(_ fields: [LuaField], _ meanings: ScriptMeanings) -> [Field] {
    var seen: Set<String> = []
    return fields.compactMap { field in
      guard let name = field.name?.text, name.isLuaName, seen.insert(name).inserted else {
        return nil
      }
      return Field(name: name, type: type(of: field.value, meanings))
    }
  }

  /// The type of a property, by its default.
  private static func type(of value: LuaExpression, _ meanings: ScriptMeanings) -> String {
    switch value.kind {
    case .string: return "string"
    case .constant("true"), .constant("false"): return "boolean"
    case .constant(let text): return text.utf8.first?.isLuaDigit == true ? "number" : "any"
    case .unary("-", let inner): return type(of: inner, meanings)
    case .unary("not", _): return "boolean"
    case .function: return "function"
    case .table(let fields):
      let isObject = fields.contains { if case .none = $0.key { false } else { true } }
      return isObject ? "tidelock.DataObject" : "tidelock.List"
    case .call(let callee, let arguments):
      return type(ofCall: meanings.function(callee), arguments.first, meanings)
    default: return "any"
    }
  }

  private static func type(
    ofCall function: String?, _ argument: LuaExpression?, _ meanings: ScriptMeanings
  ) -> String {
    switch function {
    case "list", "feed", "concat": return "tidelock.List"
    case "object", "dict": return "tidelock.DataObject"
    case "property": break
    default: return "any"
    }
    let options = argument?.fields ?? []
    func option(_ name: String) -> LuaExpression? { options.first { $0.name?.text == name }?.value }
    let cases = option("enum")?.fields?.compactMap { $0.value.string?.text }
    let named = option("type")?.string.flatMap { ValueType(name: $0.text) }
    let type =
      if let cases, !cases.isEmpty {
        "(\(cases.map { TransformCall.quoted($0) }.joined(separator: "|")))"
      } else {
        named.map { TypeDefinitions.name(of: $0) }
          ?? option("default").map { Self.type(of: $0, meanings) } ?? "any"
      }
    let isNullable: Bool =
      if let flag = option("nullable"), case .constant(let text) = flag.kind {
        text == "true"
      } else {
        option("default") == nil
      }
    return isNullable && type != "any" ? type + "?" : type
  }
}

extension String {
  /// Whether it can stand after a dot in a script.
  var isLuaName: Bool {
    guard let first = utf8.first, first.startsLuaName else { return false }
    return utf8.allSatisfy(\.continuesLuaName) && !LuaToken.keywords.contains(self)
  }
}
