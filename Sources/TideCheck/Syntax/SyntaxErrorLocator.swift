import TideBindings
import TideLua
import TideScript

/// Finds the column of a syntax error. The interpreter always reports the line, but the column only
/// if it is certain.
enum SyntaxErrorLocator {
  /// The same error with a more precise location, and with the block that lacks its `end`.
  static func located(_ error: TideError, in source: LuaSource) -> TideError {
    var located = withColumn(error, in: source)
    guard error.code == .scriptSyntax, source.bytes.count <= MissingEnd.sizeLimit else {
      return located
    }
    if let offset = SplitElseif.find(in: source.bytes) {
      located.location = source.location(of: offset)
      located.message += "; \"else if\" begins a block with an end of its own: write elseif"
      return located
    }
    guard let missing = MissingEnd.find(in: source.bytes)
    else { return located }
    let line = source.location(of: missing.offset).line
    let last = source.location(of: max(missing.insertion - 1, 0)).line
    located.message +=
      "; the \"\(missing.opener)\" of line \(line) has no end: "
      + (line == last ? "write it on that line" : "write it after line \(last)")
    return located
  }

  private static func withColumn(_ error: TideError, in source: LuaSource) -> TideError {
    guard let line = error.location?.line else { return error }
    if let offset = loneBreak(in: error.message, source) {
      var located = error
      located.location = source.location(of: offset)
      return located
    }
    // The interpreter's column is that of the token that it names, or of a misspelt word before it.
    // Of a string with an invalid escape it names the beginning, and the parser finds the escape.
    if let column = error.location?.column, !beginsString(source, line, column) { return error }
    var located = error
    if let offset = jump(in: error.message, source) {
      located.location = source.location(of: offset)
      return located
    }
    // The error of this module's own parser has a column, which is used if the line is the same.
    // The text after that line is not parsed, because the interpreter has not read it and it may be
    // long.
    do throws(LuaParser.Failure) {
      var parser = try LuaParser(source.bytes, upTo: source.lines.end(of: line))
      _ = try parser.script()
    } catch {
      guard case .unexpected(let offset) = error else { return located }
      let location = source.location(of: offset)
      // At the end of the text there is no token to point at, and the last line may be empty.
      if location.line == line, offset < source.bytes.count { located.location = location }
    }
    return located
  }

  /// The offset of the `break` that an error reports at the end of its function: `break outside loop
  /// at line 1`.
  private static func loneBreak(in message: String, _ source: LuaSource) -> Int? {
    guard let rest = message.split(separator: "break outside loop at line ").last,
      message.contains("break outside loop"), let line = Int(rest.prefix { $0.isNumber })
    else { return nil }
    var lexer = LuaLexer(source.bytes)
    let (start, end) = (source.lines.offset(line: line, column: 1), source.lines.end(of: line))
    while let token = try? lexer.next(), token.kind != .end, token.range.lowerBound < end {
      if token.isKeyword("break"), token.range.lowerBound >= start { return token.range.lowerBound }
    }
    return nil
  }

  private static func beginsString(_ source: LuaSource, _ line: Int, _ column: Int) -> Bool {
    let offset = source.lines.offset(line: line, column: column)
    guard offset < source.bytes.count else { return false }
    return [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source.bytes[offset])
  }

  /// The offset of the label after the `goto` that an error reports. The interpreter reports it at
  /// the end of the block: `no visible label 'done' for <goto> at line 1`, `<goto done> at line 1
  /// jumps into …`.
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
