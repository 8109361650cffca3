package import TideBindings

/// One verb with its arguments, as it is sent to an app.
///
/// ```swift
/// try DriveCommand.commands(in: ["tap", "add", "then", "wait", "#todos.items == 1"])
/// try DriveCommand.commands(inLine: #"ui.tap("add")"#)
/// ```
package struct DriveCommand: Sendable {
  package let verb: DriveVerb
  package private(set) var arguments: [String] = []
  /// By name; an option without a value has an empty text.
  package private(set) var options: [String: String] = [:]

  /// The commands in the words of a command line, which `then` separates.
  ///
  /// - Throws: `driveUsage` for an unknown verb or option, or the wrong number of arguments.
  package static func commands(in words: [String]) throws(TideError) -> [DriveCommand] {
    var commands: [DriveCommand] = []
    for part in words.split(separator: "then", omittingEmptySubsequences: false) {
      guard let name = part.first else {
        throw TideError(.driveUsage, "a verb stands before and after each then")
      }
      commands.append(try DriveCommand(name, Array(part.dropFirst())))
    }
    return commands
  }

  /// The commands in a line of a file: words in the notation of a shell, or a call of a spec, such as
  /// `ui.tap("add")`. A line that is empty or begins with `#` has none.
  package static func commands(inLine line: String) throws(TideError) -> [DriveCommand] {
    if let call = try SpecCall(line) { return [try DriveCommand(call.name, call.arguments)] }
    let words = try ShellWords.words(in: line)
    return words.isEmpty ? [] : try commands(in: words)
  }

  /// The words of a text in the notation of a shell.
  package static func words(in text: String) throws(TideError) -> [String] {
    try ShellWords.words(in: text)
  }

  private init(_ name: String, _ words: [String]) throws(TideError) {
    verb = try DriveVerb.find(name)
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--json", !verb.takesText {
        options[word] = ""
        continue
      }
      guard word.hasPrefix("--"), !verb.options.isEmpty else {
        arguments.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(parts[0])
      guard let hasValue = verb.options[option] else {
        throw TideError(
          .driveUsage,
          "\(verb.name) has no option \(option)"
            + NearestName.hintOrNames(for: option, in: verb.options.keys.sorted()))
      }
      guard hasValue else {
        if parts.count > 1 {
          throw TideError(.driveUsage, "\(option) of \(verb.name) has no value")
        }
        options[option] = ""
        continue
      }
      guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
        throw TideError(.driveUsage, "\(option) of \(verb.name) needs a value")
      }
      options[option] = value
    }
    // A path and a value need no quotes.
    if verb.name == "set", arguments.count > 2 {
      arguments = [arguments[0], arguments[1...].joined(separator: " ")]
    }
    if ["eval", "wait", "assert"].contains(verb.name), arguments.count > 1 {
      arguments = [arguments.joined(separator: " ")]
    }
    guard verb.count.contains(arguments.count) else {
      throw TideError(.driveUsage, "write \(verb.heading)")
    }
  }

  /// The seconds of `--timeout`; nil without the option.
  package func timeout() throws(TideError) -> Double? {
    guard let text = options["--timeout"] else { return nil }
    guard let seconds = Double(text), seconds >= 0, seconds.isFinite else {
      throw TideError(.driveUsage, "--timeout is a number of seconds, not \"\(text)\"")
    }
    return seconds
  }

  /// The request for the app.
  package var request: Message {
    var message = Message("drive", ["verb": .text(verb.name), "arguments": .texts(arguments)])
    for (name, value) in options where name != "--json" {
      message[String(name.dropFirst(2))] = .text(value)
    }
    return message
  }
}

/// Words in the notation of a shell: blanks separate them, quotes and backslashes keep them together.
enum ShellWords {
  static func words(in line: String) throws(TideError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("\\", nil), ("\\", "\""):
        word = (word ?? "") + (rest.popFirst().map(String.init) ?? "")
      case (let end, let open?) where end == open: quote = nil
      case (_, _?): word = (word ?? "") + String(character)
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case ("#", nil) where word == nil: return words
      case (let blank, nil) where blank.isWhitespace:
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw TideError(.driveUsage, "the quote \(quote) is not closed") }
    if let ended = word { words.append(ended) }
    return words
  }
}

/// A call in a spec, whose arguments are literals: `ui.tap("add")`, `ui.select("list", 2)`.
struct SpecCall {
  let name: String
  private(set) var arguments: [String] = []

  /// Nil for a line that is no call of `ui`.
  init?(_ line: String) throws(TideError) {
    let source = Array(line.utf8)
    var tokens = Array(LuaTokens(source))
    func text(_ token: LuaTokens.Token) -> String {
      String(decoding: source[token.range], as: UTF8.self)
    }
    guard tokens.count > 3, text(tokens[0]) == "ui", text(tokens[1]) == "." else { return nil }
    name = text(tokens[2])
    tokens.removeFirst(3)
    let isInParentheses = text(tokens[0]) == "("
    if isInParentheses { tokens.removeFirst() }
    if isInParentheses, tokens.popLast().map(text) != ")" {
      throw TideError(.driveUsage, "write the call in one line: ui.\(name)(…)")
    }
    var sign = ""
    for (index, token) in tokens.enumerated() {
      switch (token.kind, text(token)) {
      case (.string, let literal): arguments.append(try Self.content(of: literal))
      case (.number, let number):
        arguments.append(sign + number)
        sign = ""
      case (.symbol, "-"): sign = "-"
      case (.symbol, ",") where index > 0: continue
      default:
        throw TideError(
          .driveUsage, "the arguments of ui.\(name) are texts and numbers, not \(text(token))")
      }
    }
  }

  /// The text of a string literal.
  private static func content(of literal: String) throws(TideError) -> String {
    if literal.hasPrefix("[") {
      let level = literal.dropFirst().prefix { $0 == "=" }.count
      return String(literal.dropFirst(level + 2).dropLast(level + 2))
    }
    let inner = literal.dropFirst().dropLast()
    guard inner.contains("\\") else { return String(inner) }
    var text = ""
    var rest = inner
    let escapes: [Character: String] = [
      "n": "\n", "t": "\t", "r": "\r", "\\": "\\", "\"": "\"", "'": "'",
    ]
    while let character = rest.popFirst() {
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let next = rest.popFirst(), let known = escapes[next] else {
        throw TideError(.driveUsage, "unsupported escape; use \\n, \\t, \\r, \\\\ or a quote")
      }
      text += known
    }
    return text
  }
}
