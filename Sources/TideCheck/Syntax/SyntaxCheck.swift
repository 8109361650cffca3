import TideBindings
import TideLua
import TideScript

/// Has the interpreter look at the syntax of scripts, each in a bounded time.
final class SyntaxCheck {
  /// How long the interpreter may take for one script. Most take milliseconds; some keep it busy
  /// for longer than anybody waits: each `elseif` looks at all before it.
  static let timeLimit = Duration.seconds(10)

  private let timeLimit: Duration
  private var interpreter: LuaState

  init(timeLimit: Duration = SyntaxCheck.timeLimit) throws {
    self.timeLimit = timeLimit
    interpreter = try Self.interpreter(timeLimit)
  }

  private static func interpreter(_ timeLimit: Duration) throws -> LuaState {
    var configuration = LuaConfiguration()
    configuration.turn = timeLimit
    return try LuaState(configuration)
  }

  /// Throws what is wrong with a script's syntax, or `scriptTime`.
  func check(_ text: String, path: String) throws {
    // One that was stopped in the middle of an operation is closed.
    if !interpreter.isOpen { interpreter = try Self.interpreter(timeLimit) }
    do throws(LuaError) { _ = try interpreter.load(text, name: "@" + path) } catch {
      guard error.kind == .time else { throw error }
      throw TideError(
        .scriptTime,
        "reading the script takes the interpreter too long, more than \(timeLimit); "
          + "divide it into modules",
        location: SourceLocation(file: path, line: 1))
    }
  }
}

/// Finds the column of a mistake of syntax, of which the interpreter tells the line alone.
enum SyntaxErrorLocator {
  /// The same error with the location that is meant.
  static func located(_ error: TideError, in source: LuaSource) -> TideError {
    guard let line = error.location?.line else { return error }
    var located = error
    if let offset = jump(in: error.message, source) {
      located.location = source.location(of: offset)
      return located
    }
    // Where our own reading of it ends, if it is the same line. What follows that line has not
    // been judged by the interpreter, and may be long.
    do throws(LuaParser.Failure) {
      var parser = try LuaParser(source.bytes, upTo: source.lines.end(of: line))
      _ = try parser.script()
    } catch {
      guard case .unexpected(let offset) = error else { return located }
      let location = source.location(of: offset)
      // At the end of the text the words say more: the last line may be empty.
      if location.line == line, offset < source.bytes.count { located.location = location }
    }
    return located
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
