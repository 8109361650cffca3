import TideBindings
import TideLua
import TideScript

/// Finds the column of a syntax error, for which the interpreter gives only the line.
enum SyntaxErrorLocator {
  /// The same error with a more exact location.
  static func located(_ error: TideError, in source: LuaSource) -> TideError {
    guard let line = error.location?.line else { return error }
    var located = error
    if let offset = jump(in: error.message, source) {
      located.location = source.location(of: offset)
      return located
    }
    // Our own parser's error has a column; it counts if it is on the same line. The text after that
    // line is not parsed: the interpreter has not looked at it, and it may be long.
    do throws(LuaParser.Failure) {
      var parser = try LuaParser(source.bytes, upTo: source.lines.end(of: line))
      _ = try parser.script()
    } catch {
      guard case .unexpected(let offset) = error else { return located }
      let location = source.location(of: offset)
      // At the end of the text there is nothing to point at: the last line may be empty.
      if location.line == line, offset < source.bytes.count { located.location = location }
    }
    return located
  }

  /// The offset of the label after the `goto` that an error is about, which the interpreter reports
  /// at the end of the block: `no visible label 'done' for <goto> at line 1`,
  /// `<goto done> at line 1 jumps into …`.
  private static func jump(in message: String, _ source: LuaSource) -> Int? {
    guard let line = message.split(separator: "> at line ").dropFirst().first,
      let number = Int(line.prefix { $0.isNumber }), message.contains("<goto")
    else { return nil }
    let quoted = message.split(separator: "'")
    let name =
      if message.hasPrefix("<goto ") {
        message.dropFirst(6).prefix { $0 != ">" }
      } else {
        quoted.count > 1 ? quoted[1] : ""
      }
    var lexer = LuaLexer(source.bytes)
    var isAfterGoto = false
    let end = source.lines.end(of: number)
    while let token = try? lexer.next(), token.kind != .end, token.range.lowerBound < end {
      if isAfterGoto, token.text == name,
        source.location(of: token.range.lowerBound).line == number
      {
        return token.range.lowerBound
      }
      isAfterGoto = token.isKeyword("goto")
    }
    return nil
  }
}
