import TideBindings

/// Finds the column of a mistake of syntax, of which the interpreter tells the line alone.
enum SyntaxPlace {
  /// The same error with the place that is meant.
  static func placed(_ error: TideError, in source: LuaSource) -> TideError {
    guard let line = error.location?.line else { return error }
    var placed = error
    if let offset = jump(in: error.message, source) {
      placed.location = source.location(of: offset)
      return placed
    }
    // Where our own reading of it ends, if it is the same line. What follows that line has not
    // been judged by the interpreter, and may be long.
    do throws(LuaParser.Failure) {
      var parser = try LuaParser(source.bytes, upTo: source.lines.end(of: line))
      _ = try parser.script()
    } catch {
      guard case .unexpected(let offset) = error else { return placed }
      let place = source.location(of: offset)
      // At the end of the text the words say more: the last line may be empty.
      if place.line == line, offset < source.bytes.count { placed.location = place }
    }
    return placed
  }

  /// The label after the `goto` that an error is about, which is told at the end of its block:
  /// `no visible label 'done' for <goto> at line 1`, `<goto done> at line 1 jumps into …`.
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
