import TideBindings
import TideGraph
import TideLua
import TideScript
import TideViews

extension Session {
  /// Completes the text before the caret: names, members of values, ids after `views.`, classes
  /// after `view.`, fields in tables for views and objects, names within strings such as paths and
  /// events, and meta commands with their arguments.
  ///
  /// Completion runs no code of the app: it skips computed properties and `__index` functions, and
  /// takes the results of calls from the catalogue only.
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

  /// The string keys of a table that begin with a prefix; runs no code of the table.
  ///
  /// A table may have a million keys. The search is bounded, and keys beyond the bound are left
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

  /// The limits of keys searched and of names offered.
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
      // The argument of `:set` is a path followed by Lua.
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
    // No name can follow a number, two colons, or the end of a value.
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
      Array(LuaState.keywords))
  }

  private func completion(ofMember code: CodeBeforeCaret, _ separator: Int) -> Completion {
    let word = code.typed
    guard let base = code.expression(endingAt: separator - 1),
      // A string literal needs parentheses for a method call: ("a"):upper().
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
  /// Completes a name after a dot. A key that is not a Lua identifier is written in brackets, which
  /// replace the dot.
  init(
    ofMember word: Substring, in text: String, after dot: String.Index, from groups: [[String]]
  ) {
    var seen: Set<String> = []
    let words = groups.flatMap { group in
      group.filter { $0.hasPrefix(word) && seen.insert($0).inserted }.sorted()
    }
    guard words.contains(where: { !LuaState.isName($0) }) else {
      start = text.distance(from: text.startIndex, to: word.startIndex)
      self.words = words
      return
    }
    start = text.distance(from: text.startIndex, to: dot)
    self.words = words.map { LuaState.isName($0) ? ".\($0)" : "[\(TransformCall.quoted($0))]" }
  }
}
