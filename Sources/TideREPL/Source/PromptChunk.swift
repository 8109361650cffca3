import TideLua

/// A text from the prompt, made ready for the interpreter: variables that it declares outside of
/// any block live on, so `local x = 1` becomes an assignment to a variable of the session.
///
/// ```swift
/// PromptChunk("local a, b = 1, 2").text      // "      a, b = 1, 2"
/// PromptChunk("local a, b = 1, 2").locals    // ["a", "b"]
/// ```
///
/// Columns stay where they are, for the messages of errors. A variable that has to be closed is
/// left to the chunk alone.
struct PromptChunk {
  private(set) var text: String
  private(set) var locals: [String] = []

  init(_ source: String) {
    text = source
    var bytes = Array(source.utf8)
    let tokens = Array(LuaTokens(bytes))
    var insertions: [Int] = []
    var depth = 0
    for (index, token) in tokens.enumerated() where token.kind == .name {
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
    for position in insertions.reversed() { bytes.insert(contentsOf: " = nil".utf8, at: position) }
    text = String(decoding: bytes, as: UTF8.self)
  }

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
    if MetaCommand.text(in: text) != nil { return true }
    if (try? lua.load("return \(text)", name: "=repl")) != nil { return true }
    do throws(LuaError) {
      _ = try lua.load(PromptChunk(text).text, name: "=repl")
      return true
    } catch {
      return !isBeginning(text, failing: error, in: lua)
    }
  }

  /// Whether a text is the beginning of a statement or of an expression, such as `1 +`.
  static func isBeginning(_ text: String, failing error: LuaError, in lua: LuaState) -> Bool {
    if isUnfinished(error) { return true }
    do throws(LuaError) {
      _ = try lua.load("return \(text)", name: "=repl")
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
