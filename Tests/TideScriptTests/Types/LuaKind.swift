/// What a Lua value is, as far as the types of the definitions tell values apart.
enum LuaKind: CaseIterable {
  case `nil`, boolean, integer, number, text, table, function, thread
  case object, list, view, `class`, trigger, marker

  /// A value of the kind that no function takes for something else.
  var sample: String {
    switch self {
    case .nil: "nil"
    case .boolean: "true"
    case .integer: "12"
    case .number: "1.5"
    case .text: "\"wrong word\""
    case .table: "{ strange = 1 }"
    case .function: "F"
    case .thread: "coroutine.create(F)"
    case .object: "O()"
    case .list: "L()"
    case .view: "V()"
    case .class: "K"
    case .trigger: "trigger.manual()"
    case .marker: "null"
    }
  }
}

/// A type of the definitions: which kinds of values are of it, and one that is.
struct LuaType {
  let text: String
  private let grammar: APIGrammar

  init(_ text: String, in grammar: APIGrammar) {
    self.text = text
    self.grammar = grammar
  }

  /// The kinds of values that are of the type; nil for a type that any value is of.
  ///
  /// Of texts `.text` stands for any text: a type of some words alone does not have it.
  var kinds: Set<LuaKind>? {
    var kinds: Set<LuaKind> = []
    for part in Self.parts(of: text) {
      guard let more = kindsOfPart(part) else { return nil }
      kinds.formUnion(more)
    }
    return kinds
  }

  /// The kinds of the elements that lists of the type have; nil where any, or no list, is of it.
  var elementKinds: Set<LuaKind>? {
    for part in Self.parts(of: text) {
      if part.hasSuffix("?") {
        if let kinds = LuaType(String(part.dropLast()), in: grammar).elementKinds { return kinds }
      } else if part.hasPrefix("("), part.hasSuffix(")") {
        let inner = LuaType(String(part.dropFirst().dropLast()), in: grammar)
        if let kinds = inner.elementKinds { return kinds }
      } else if part.hasSuffix("[]") {
        return LuaType(String(part.dropLast(2)), in: grammar).kinds
      }
    }
    return nil
  }

  private func kindsOfPart(_ part: String) -> Set<LuaKind>? {
    if part.hasSuffix("?") {
      return LuaType(String(part.dropLast()), in: grammar).kinds.map { $0.union([.nil]) }
    }
    if part.hasPrefix("("), part.hasSuffix(")") {
      return LuaType(String(part.dropFirst().dropLast()), in: grammar).kinds
    }
    if part.hasPrefix("\"") { return [] }
    if part.hasPrefix("fun(") { return [.function] }
    if part.hasPrefix("{") { return [.table] }
    // A list may stand wherever a table of elements may.
    if part.hasSuffix("[]") { return [.table, .list] }
    let name = String(part.prefix { $0 != "<" })
    switch name {
    case "any", "T", "U": return nil
    case "string": return [.text]
    case "integer": return [.integer]
    case "number": return [.integer, .number]
    case "boolean", "false": return [.boolean]
    case "table": return [.table, .list]
    case "function": return [.function]
    case "tidelock.DataObject": return [.object, .list, .view]
    case "tidelock.List": return [.list]
    case "tidelock.Class": return [.class]
    case "tidelock.Trigger": return [.trigger]
    case "tidelock.Marker": return [.marker]
    default: break
    }
    if name.hasPrefix("tidelock.view."), !name.hasSuffix(".Fields"), !name.hasSuffix(".Events") {
      return [.view]
    }
    if let alias = grammar.aliases[name], alias != name {
      return LuaType(alias, in: grammar).kinds
    }
    return isRecord ? [.table] : []
  }

  /// Whether it is one of some words.
  var hasWords: Bool {
    Self.parts(of: text).contains { part in
      let plain = part.hasSuffix("?") ? String(part.dropLast()) : part
      return plain.hasPrefix("\"") || grammar.aliases[plain]?.hasPrefix("\"") == true
    }
  }

  /// The class whose fields are what a table of the type may have.
  var record: String? {
    for part in Self.parts(of: text) {
      let plain = part.hasSuffix("?") ? String(part.dropLast()) : part
      if let alias = grammar.aliases[plain], alias != plain, !alias.isEmpty {
        if let found = LuaType(alias, in: grammar).record { return found }
      }
      if Self.isRecord(plain), grammar.classes[plain] != nil { return plain }
    }
    return nil
  }

  private var isRecord: Bool { Self.parts(of: text).contains(where: Self.isRecord) }

  private static func isRecord(_ name: String) -> Bool {
    ["Options", "Fields", "Events", "Pair", "ViewBinding", "Sides"].contains {
      name.hasSuffix($0)
    }
  }

  /// The fields of a type that is written out: `{ initial?: boolean }`.
  var writtenFields: [APIGrammar.Parameter] {
    for part in Self.parts(of: text) where part.hasPrefix("{") {
      // As the parameters of a function, in other brackets.
      return APIGrammar.parameters(of: "(" + part.dropFirst().dropLast() + ")")
    }
    return []
  }

  /// A value of the type, for a parameter of that name.
  func sample(for name: String) -> String {
    let parts = Self.parts(of: text)
    if parts.allSatisfy({ $0.hasPrefix("\"") }), let word = parts.first { return word }
    if kinds == [.function] { return "F" }
    if let known = Self.samples[name] { return known }
    for part in parts {
      if let sample = sampleOfPart(part) { return sample }
    }
    return "O()"
  }

  private func sampleOfPart(_ part: String) -> String? {
    if part.hasSuffix("?") { return sampleOfPart(String(part.dropLast())) }
    if part.hasPrefix("(") {
      return LuaType(String(part.dropFirst().dropLast()), in: grammar).sample(for: "")
    }
    if part.hasPrefix("\"") { return part }
    if part.hasPrefix("fun(") { return "F" }
    if part.hasSuffix("[]") { return part == "integer[]" ? "{ 1 }" : "{}" }
    if part.hasPrefix("{") {
      let fields = writtenFields.filter { !$0.isOptional }.map {
        "\($0.name) = \(LuaType($0.type, in: grammar).sample(for: $0.name))"
      }
      return "{ \(fields.joined(separator: ", ")) }"
    }
    let name = String(part.prefix { $0 != "<" })
    switch name {
    case "any", "T", "U", "tidelock.DataObject": return "O()"
    case "string": return "\"n\""
    case "integer", "number": return "1"
    case "boolean": return "true"
    case "table": return "{}"
    case "function": return "F"
    case "tidelock.List": return "L()"
    case "tidelock.Class": return "K"
    case "tidelock.Trigger": return "trigger.manual()"
    case "tidelock.Task": return "spawn(F)"
    case "tidelock.App": return "app"
    default: break
    }
    if name.hasPrefix("tidelock.view."), !name.hasSuffix(".Fields"), !name.hasSuffix(".Events") {
      return "V()"
    }
    if let alias = grammar.aliases[name], alias != name {
      return LuaType(alias, in: grammar).sample(for: "")
    }
    guard isRecord, let record else { return nil }
    let required = grammar.fields(of: record).filter {
      grammar.classes[record]?.required.contains($0.name) == true
    }
    let fields = required.map {
      "\($0.name) = \(LuaType($0.type, in: grammar).sample(for: $0.name))"
    }
    return "{ \(fields.joined(separator: ", ")) }"
  }

  /// What parameters want to be given whose types do not tell enough.
  private static let samples = [
    "expression": "\"m.n -> m.k\"", "method": "\"go\"", "event": "\"focus\"", "view": "V()",
    "editor": "O()", "class": "\"label\"", "placeholders": "{ text = { null = \"none\" } }",
    "definition": "{ view = function() return V() end }", "page": "10",
    "seconds": "1", "fn": "F", "sources": "{ \"m.n\", \"m.n\" }", "target": "\"m.text\"",
    "app": "app", "color": "\"red\"",
  ]

  /// The parts of a union, where no bracket is open.
  static func parts(of type: String) -> [String] {
    var parts = [""]
    var depth = 0
    var isQuoted = false
    var isFunction = false
    for character in type {
      if character == "\"" { isQuoted.toggle() }
      if !isQuoted {
        if "([{<".contains(character) { depth += 1 }
        if ")]}>".contains(character) { depth -= 1 }
      }
      // What follows a function's result is a part of it no more than what follows a text.
      let part = parts[parts.count - 1]
      if character == " ", depth == 0, !isQuoted, !isFunction || !part.hasSuffix(":") { break }
      if character == "|" && depth == 0 && !isQuoted {
        parts.append("")
        isFunction = false
      } else {
        parts[parts.count - 1].append(character)
        if parts[parts.count - 1] == "fun" { isFunction = true }
      }
    }
    return parts.filter { !$0.isEmpty }
  }
}
