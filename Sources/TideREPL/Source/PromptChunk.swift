import TideLua

/// A text from the prompt, made ready for the interpreter: variables that it declares outside of
/// any block live on, so `local x = 1` becomes an assignment to a variable of the session.
///
/// ```swift
/// PromptChunk("local a, b = 1, 2").text      // "      a, b = 1, 2"
/// PromptChunk("local a, b = 1, 2").locals    // ["a", "b"]
/// ```
///
/// Where the last statement is an expression, `valued` gives its values: of `x = 1; x + 1` it is
/// `x = 1; return x + 1`. Columns stay where they are, for the messages of errors. A variable that
/// has to be closed is left to the chunk alone.
struct PromptChunk {
  /// The statements.
  let text: String
  /// The statements, returning the value of the last; nil where the last is not an expression.
  let valued: String?
  private(set) var locals: [String] = []

  init(_ source: String) {
    let original = Array(source.utf8)
    var bytes = original
    let tokens = Array(LuaTokens(bytes))
    var scanner = StatementScanner()
    var insertions: [Int] = []
    var depth = 0
    /// The first token of the last statement.
    var last: LuaTokens.Token?
    for (index, token) in tokens.enumerated() {
      if scanner.take(token, of: original) { last = token }
      if token.kind != .name || token.range.count > 8 { continue }
      switch Self.word(token, bytes) {
      case "function", "do", "if", "repeat": depth += 1
      case "end", "until": depth -= 1
      case "local" where depth == 0:
        if let declaration = Declaration(tokens[(index + 1)...], bytes) {
          locals += declaration.names
          for range in [token.range] + declaration.attributes {
            for position in range { bytes[position] = 0x20 }
          }
          if let position = declaration.needsValue { insertions.append(position) }
        }
      default: break
      }
    }
    text = Self.text(bytes, insertions.map { ($0, " = nil") })
    if let last, !Self.beginsStatement(last, original) {
      let start = last.range.lowerBound
      valued = Self.text(
        bytes,
        insertions.filter { $0 <= start }.map { ($0, " = nil") } + [(start, "return ")])
    } else {
      valued = nil
    }
  }

  private static func text(_ bytes: [UInt8], _ insertions: [(offset: Int, text: String)]) -> String
  {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count + 8 * insertions.count)
    var end = 0
    for insertion in insertions {
      text += bytes[end..<insertion.offset]
      text += insertion.text.utf8
      end = insertion.offset
    }
    text += bytes[end...]
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a word is the first of a statement that has no value.
  private static func beginsStatement(_ token: LuaTokens.Token, _ bytes: [UInt8]) -> Bool {
    token.kind == .name && statements.contains(word(token, bytes))
  }

  private static let statements: Set<String> = [
    "local", "if", "for", "while", "repeat", "do", "return", "break", "goto",
  ]

  private static func word(_ token: LuaTokens.Token, _ bytes: [UInt8]) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// What follows `local`.
  private struct Declaration {
    private(set) var names: [String] = []
    /// `<const>`.
    private(set) var attributes: [Range<Int>] = []
    /// Behind the last name, where no value follows.
    private(set) var needsValue: Int?

    /// Nil for text that is not a declaration, and for one with to-be-closed variables.
    init?(_ tokens: ArraySlice<LuaTokens.Token>, _ bytes: [UInt8]) {
      var rest = tokens
      func text(_ token: LuaTokens.Token?) -> String { token.map { word($0, bytes) } ?? "" }
      if text(rest.first) == "function" {
        guard let name = rest.dropFirst().first, name.kind == .name else { return nil }
        names = [text(name)]
        return
      }
      var end = 0
      while let name = rest.popFirst() {
        guard name.kind == .name else { return nil }
        names.append(text(name))
        end = name.range.upperBound
        if text(rest.first) == "<" {
          let parts = Array(rest.prefix(3))
          guard parts.count == 3, text(parts[1]) == "const", text(parts[2]) == ">" else {
            return nil
          }
          attributes.append(parts[0].range.lowerBound..<parts[2].range.upperBound)
          end = parts[2].range.upperBound
          rest = rest.dropFirst(3)
        }
        if text(rest.first) != "," { break }
        rest.removeFirst()
      }
      if names.isEmpty { return nil }
      if text(rest.first) != "=" { needsValue = end }
    }
  }
}

extension PromptChunk {
  /// Whether a text can be run as it is, or is wrong beyond what could follow. It is parsed, and
  /// never run.
  static func isFinished(_ text: String, in lua: LuaState) -> Bool {
    let last = PromptScript(text).parts.last?.text ?? text
    if MetaCommand.text(in: last) != nil { return true }
    do throws(LuaError) {
      _ = try PromptChunk(last).load(in: lua, name: "=repl")
      return true
    } catch {
      return !isBeginning(last, failing: error, in: lua)
    }
  }

  /// Whether it can be run.
  func parses(in lua: LuaState) -> Bool { (try? load(in: lua, name: "=repl")) != nil }

  /// Compiles it: as what gives the value of its last statement, or else as statements alone.
  ///
  /// - Throws: the error of the statements.
  func load(
    in lua: LuaState, name: String, firstLine: Int = 1, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    if let valued,
      let function = try? lua.load(
        valued, name: name, firstLine: firstLine, environment: environment)
    {
      return function
    }
    return try lua.load(text, name: name, firstLine: firstLine, environment: environment)
  }

  /// Whether a text is the beginning of a statement or of an expression, such as `1 +`.
  static func isBeginning(_ text: String, failing error: LuaError, in lua: LuaState) -> Bool {
    if isUnfinished(error) { return true }
    guard let valued = PromptChunk(text).valued else { return false }
    do throws(LuaError) {
      _ = try lua.load(valued, name: "=repl")
      return false
    } catch {
      return isUnfinished(error)
    }
  }

  /// Whether the parser came to the end where more could have followed.
  private static func isUnfinished(_ error: LuaError) -> Bool {
    error.kind == .syntax && error.message.hasSuffix("near <eof>")
  }
}
