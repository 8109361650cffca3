import TideLua

/// A text from the prompt, prepared for the interpreter. Local variables declared outside of any
/// block persist: `local x = 1` becomes an assignment to a session variable.
///
/// ```swift
/// PromptChunk("local a, b = 1, 2").text      // "      a, b = 1, 2"
/// PromptChunk("local a, b = 1, 2").locals    // ["a", "b"]
/// ```
///
/// If the last statement is an expression, `valued` returns its values: `x = 1; x + 1` becomes `x =
/// 1; return x + 1`. Columns are preserved for error messages. To-be-closed variables stay local to
/// the chunk.
struct PromptChunk {
  /// The statements.
  let text: String
  /// The statements with a `return` before the last one; nil if the last one is not an expression.
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

  /// Whether a keyword begins a statement without a value.
  private static func beginsStatement(_ token: LuaTokens.Token, _ bytes: [UInt8]) -> Bool {
    token.kind == .name && statements.contains(word(token, bytes))
  }

  private static let statements: Set<String> = [
    "local", "if", "for", "while", "repeat", "do", "return", "break", "goto",
  ]

  private static func word(_ token: LuaTokens.Token, _ bytes: [UInt8]) -> String {
    String(decoding: bytes[token.range], as: UTF8.self)
  }

  /// The declaration after `local`.
  private struct Declaration {
    private(set) var names: [String] = []
    /// `<const>`.
    private(set) var attributes: [Range<Int>] = []
    /// The offset after the last name, if no value follows.
    private(set) var needsValue: Int?

    /// Nil if the text is not a declaration, or declares to-be-closed variables.
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
  /// Whether a text needs no further lines: it is complete, or has an error that no continuation
  /// can fix. The text is parsed but not run.
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

  /// Whether the chunk compiles.
  func parses(in lua: LuaState) -> Bool { (try? load(in: lua, name: "=repl")) != nil }

  /// Compiles the chunk so that it returns the last statement's value, or as plain statements if
  /// that fails.
  ///
  /// - Throws: the compile error of the plain statements, or that of an unfinished expression.
  func load(
    in lua: LuaState, name: String, firstLine: Int = 1, environment: LuaTable? = nil
  ) throws(LuaError) -> LuaFunction {
    var unfinished: LuaError?
    if let valued {
      do throws(LuaError) {
        return try lua.load(valued, name: name, firstLine: firstLine, environment: environment)
      } catch {
        if Self.isUnfinished(error) { unfinished = error }
      }
    }
    do throws(LuaError) {
      return try lua.load(text, name: name, firstLine: firstLine, environment: environment)
    } catch {
      throw error.kind == .syntax ? unfinished ?? error : error
    }
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

  /// Whether the parser failed at the end of the input.
  private static func isUnfinished(_ error: LuaError) -> Bool {
    error.kind == .syntax && error.message.hasSuffix("near <eof>")
  }
}
