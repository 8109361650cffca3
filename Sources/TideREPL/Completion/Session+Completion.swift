import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

extension Session {
  /// What the text before the caret could go on with: names, members of values, ids after `views.`,
  /// classes after `view.`, fields of the tables that views and objects are made from, paths, events
  /// and other names within strings, meta commands and their arguments.
  ///
  /// Nothing of the app is run by asking: computed properties and `__index` functions are left
  /// alone, and what a call gives is known by the catalogue or not at all.
  public func completion(of text: String) -> Completion {
    runtime.graph.untracked {
      if text.first == ":", !text.hasPrefix("::") { return completion(ofCommand: text) }
      return completion(ofLua: text)
    }
  }

  func complete(_ word: Substring, in text: String, from names: [String]) -> Completion {
    Completion(of: word, in: text, from: names)
  }

  func nothing(in text: String) -> Completion { Completion(start: text.count, words: []) }

  private func completion(ofLua text: String) -> Completion {
    let code = CodeBeforeCaret(text)
    if code.tokens.last?.kind == .openString { return completion(ofOpenString: code) }
    return completion(ofName: code)
  }

  /// The texts that are keys of a table and begin with a word, without running anything of its own.
  ///
  /// A table may have a million keys, of which nobody reads more than some; those beyond are left
  /// out.
  func names(
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
  static let mostNames = 10_000

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
        return completion(ofLua: argument[end...], within: text)
      }
      return completion(ofPath: argument, in: text)
    case .code: return completion(ofLua: argument, within: text)
    case .name: return complete(argument, in: text, from: helpNames(beginning: argument))
    case .module: return complete(argument, in: text, from: loadedModules)
    case .file: return Completion(ofFile: argument, in: text)
    case .choice(let words): return complete(argument, in: text, from: words)
    case .none?, nil: return nothing(in: text)
    }
  }

  private var loadedModules: [String] {
    runtime.modulePaths.map { path in
      let name = path.split(separator: "/").last.map(String.init) ?? path
      return name.hasSuffix(".lua") ? String(name.dropLast(4)) : name
    }
  }

  /// Completes Lua at the end of a longer text.
  private func completion(ofLua text: Substring, within whole: String) -> Completion {
    let found = completion(ofLua: String(text))
    return Completion(start: whole.count - text.count + found.start, words: found.words)
  }

  // MARK: Names

  private func completion(ofName code: CodeBeforeCaret) -> Completion {
    let (text, word, last) = (code.text, code.typed, code.lastBeforeTyped)
    if code.isSeparator(last, ".") || code.isSeparator(last, ":") {
      return completion(ofMember: code, last)
    }
    // A number takes no name, nor do two colons, nor the end of a value.
    if code.isWithinNumber || code.word(last) == ":" || code.isAtEndOfValue {
      return nothing(in: text)
    }
    let fields = fields(at: code)
    if let fields, fields.isAll || word.isEmpty {
      return complete(word, in: text, from: fields.names)
    }
    let globals = (try? runtime.lua.globals).map { names(in: $0, beginning: word) } ?? []
    return Completion(
      of: word, in: text, from: fields?.names ?? [], variableNames, globals,
      Array(CodeBeforeCaret.keywords))
  }

  private func completion(ofMember code: CodeBeforeCaret, _ separator: Int) -> Completion {
    let word = code.typed
    guard let base = code.expression(endingAt: separator - 1),
      // A literal is called within parentheses only: ("a"):upper().
      code.tokens[separator - 1].kind != .string || isCall(base), let value = known(base)
    else { return nothing(in: code.text) }
    if code.word(separator) == ":" {
      return complete(word, in: code.text, from: methods(of: value, beginning: word))
    }
    return Completion(
      ofMember: word, in: code.text, after: code.start(of: separator),
      from: members(of: value, beginning: word))
  }

  private func isCall(_ expression: TypedExpression) -> Bool {
    if case .call = expression { true } else { false }
  }
}

extension Completion {
  /// Completes a name after a dot. A key that is no name of Lua's is written in brackets, which take
  /// the place of the dot.
  init(
    ofMember word: Substring, in text: String, after dot: String.Index, from groups: [[String]]
  ) {
    var seen: Set<String> = []
    let words = groups.flatMap { group in
      group.filter { $0.hasPrefix(word) && seen.insert($0).inserted }.sorted()
    }
    guard words.contains(where: { !Self.isName($0) }) else {
      start = text.distance(from: text.startIndex, to: word.startIndex)
      self.words = words
      return
    }
    start = text.distance(from: text.startIndex, to: dot)
    self.words = words.map { Self.isName($0) ? ".\($0)" : "[\(TransformCall.quoted($0))]" }
  }

  /// Whether a key may stand after a dot.
  static func isName(_ key: String) -> Bool {
    let bytes = Array(key.utf8)
    return bytes.first.map(LuaTokens.isNameStart) == true && bytes.allSatisfy(LuaTokens.isNamePart)
      && !CodeBeforeCaret.keywords.contains(key)
  }
}
