import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

extension Session {
  /// What the text before the caret could go on with: names, properties and methods, ids after
  /// `views.`, classes after `view.`, paths and transformers within binding texts, meta commands
  /// and their arguments.
  ///
  /// Nothing of the app is run by asking: computed properties and `__index` functions are left
  /// alone.
  public func completion(of text: String) -> Completion {
    runtime.graph.untracked {
      if text.first == ":", !text.hasPrefix("::") { return completion(ofCommand: text) }
      if let inner = OpenText(text) { return completion(ofPath: inner.text, in: text) }
      return completion(ofName: text)
    }
  }

  private func complete(_ word: Substring, in text: String, from names: [String]) -> Completion {
    Completion(of: word, in: text, from: names)
  }

  /// The texts that are keys of a table and begin with a word, without running anything of its own.
  ///
  /// A table may have a million keys, of which nobody reads more than some; those beyond are left
  /// out.
  private func names(
    in table: LuaTable, beginning word: Substring,
    where isWanted: (LuaValue) -> Bool = { _ in true }
  ) -> [String] {
    var names: [String] = []
    var left = Self.mostKeys
    try? table.forEach { key, value in
      if let name = key.string, name.hasPrefix(word), isWanted(value) { names.append(name) }
      left -= 1
      return left > 0 && names.count < Self.mostNames
    }
    return names
  }

  /// How many keys of a table are looked at, and how many names of one are offered.
  private static let mostKeys = 100_000
  private static let mostNames = 10_000

  // MARK: Commands

  private func completion(ofCommand text: String) -> Completion {
    let rest = text.dropFirst()
    guard let blank = rest.firstIndex(where: \.isWhitespace) else {
      return complete(rest, in: text, from: MetaCommand.all.map(\.name))
    }
    let name = rest[..<blank]
    let argument = rest[blank...].drop(while: \.isWhitespace)
    switch MetaCommand.all.first(where: { $0.name == name })?.argument {
    case .path:
      // After the path of `:set` comes Lua.
      if let end = argument.firstIndex(where: \.isWhitespace) {
        return completion(ofName: String(argument[end...]), within: text)
      }
      return completion(ofPath: argument, in: text)
    case .code: return completion(ofName: String(argument), within: text)
    case .name:
      return complete(argument, in: text, from: MetaCommand.all.map(\.name) + APICatalogue.names)
    case .module: return complete(argument, in: text, from: moduleNames)
    case .file: return Completion(ofFile: argument, in: text)
    case .none?, nil: return Completion(start: text.count, words: [])
    }
  }

  private var moduleNames: [String] {
    runtime.modulePaths.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    }
  }

  /// Completes Lua at the end of a longer text.
  private func completion(ofName text: String, within whole: String) -> Completion {
    let inner = OpenText(text).map { completion(ofPath: $0.text, in: text) }
    let found = inner ?? completion(ofName: text)
    return Completion(start: whole.count - text.count + found.start, words: found.words)
  }

  // MARK: Names

  private func completion(ofName text: String) -> Completion {
    let chain = NameChain(text)
    guard let first = chain.steps.first else {
      let globals = (try? runtime.lua.globals).map { names(in: $0, beginning: chain.word) } ?? []
      return Completion(of: chain.word, in: text, from: variableNames, globals, Self.keywords)
    }
    guard var value = value(named: first) else { return Completion(start: text.count, words: []) }
    for step in chain.steps.dropFirst() {
      guard let next = member(step, of: value) else {
        return Completion(start: text.count, words: [])
      }
      value = next
    }
    if chain.steps == ["view"] {
      return complete(chain.word, in: text, from: runtime.viewClassNames + Runtime.viewMakers)
    }
    if chain.steps == ["views"] {
      return complete(chain.word, in: text, from: runtime.viewIDs)
    }
    if chain.steps == ["models"] {
      return complete(chain.word, in: text, from: runtime.models.names)
    }
    if chain.isMethod {
      return complete(chain.word, in: text, from: methods(of: value, beginning: chain.word))
    }
    return Completion(
      of: chain.word, in: text, from: members(of: value, beginning: chain.word),
      value.object == nil ? [] : methods(of: value, beginning: chain.word))
  }

  private static let keywords = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  private func value(named name: String) -> LuaValue? {
    variable(name) ?? (try? runtime.lua.globals.rawGet(.string(name)))
  }

  /// A part of a value, unless it would have to be computed.
  private func member(_ name: String, of value: LuaValue) -> LuaValue? {
    switch value {
    case .table(let table):
      if library[table] != nil, let found = try? table[.string(name)] { return found }
      if let found = try? table.rawGet(.string(name)), !found.isNil { return found }
      // Models and views are found by functions of the runtime's own, which change nothing.
      if let object = runtime.models[name] ?? runtime.view(withID: name) {
        return try? runtime.luaValue(.object(object))
      }
      return nil
    case .object(let handle):
      guard let object = handle.dataObject, let index = object.shape.index(of: name),
        object.shape.propertiesByIndex[index].derive == nil || object is View
      else { return nil }
      return try? runtime.luaValue(object[name])
    default: return nil
    }
  }

  private func members(of value: LuaValue, beginning word: Substring) -> [String] {
    switch value {
    case .table(let table):
      return library[table] ?? names(in: table, beginning: word)
    case .object(let handle): return handle.dataObject?.shape.properties.map(\.name) ?? []
    case .string:
      let library = (try? runtime.lua.globals.rawGet("string")) ?? .nil
      return members(of: library, beginning: word)
    default: return []
    }
  }

  private func methods(of value: LuaValue, beginning word: Substring) -> [String] {
    switch value {
    case .object(let handle): handle.dataObject.map(runtime.methodNames) ?? []
    case .table(let table): names(in: table, beginning: word) { $0.function != nil }
    case .string: members(of: value, beginning: word)
    default: []
    }
  }

  // MARK: Paths

  /// Completes the last path of a binding's text, or a transformer after `|`.
  private func completion(ofPath inner: Substring, in text: String) -> Completion {
    let separators = "<>-&~! \t|,()"
    let start = inner.lastIndex { separators.contains($0) }.map { inner.index(after: $0) }
    let path = inner[(start ?? inner.startIndex)...]
    let before = inner[..<path.startIndex].reversed().drop(while: \.isWhitespace)
    if before.first == "|" {
      return complete(path, in: text, from: runtime.transformers.names)
    }
    var steps = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let word = steps.popLast() else { return Completion(start: text.count, words: []) }
    guard let first = steps.first else {
      return complete(word, in: text, from: rootNames)
    }
    guard var object = object(named: String(first)) else {
      return Completion(start: text.count, words: [])
    }
    for step in steps.dropFirst() {
      guard let index = object.shape.index(of: String(step)),
        object.shape.propertiesByIndex[index].derive == nil,
        case .object(let next as DataObject) = object[String(step)]
      else { return Completion(start: text.count, words: []) }
      object = next
    }
    return complete(word, in: text, from: object.shape.properties.map(\.name))
  }
}

/// The text within quotes that are not closed at the end.
private struct OpenText {
  let text: Substring

  init?(_ source: String) {
    var last: LuaTokens.Token?
    for token in LuaTokens(source) { last = token }
    guard let last, last.kind == .openString else { return nil }
    let inner = source.utf8.index(source.utf8.startIndex, offsetBy: last.range.lowerBound + 1)
    text = source[inner...]
  }
}

/// `a.b:c` at the end of a text: the names before the last, and the one that is being typed.
private struct NameChain {
  let steps: [String]
  let word: Substring
  let isMethod: Bool

  init(_ text: String) {
    let start = text.lastIndex { !Self.isPart($0) && $0 != "." && $0 != ":" }
    var chain = text[(start.map { text.index(after: $0) } ?? text.startIndex)...]
    // What follows `..` is a value of its own.
    if let dots = chain.ranges(of: "..").last { chain = chain[dots.upperBound...] }
    let end = chain.lastIndex { !Self.isPart($0) }
    word = chain[(end.map { chain.index(after: $0) } ?? chain.startIndex)...]
    isMethod = end.map { chain[$0] == ":" } ?? false
    let before = end.map { chain[..<$0] } ?? ""
    steps = before.isEmpty ? [] : before.split { $0 == "." || $0 == ":" }.map(String.init)
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || character == "_"
  }
}
