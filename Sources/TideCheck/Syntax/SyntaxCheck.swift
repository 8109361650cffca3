import TideBindings
import TideLua
import TideScript

/// Checks the syntax of scripts with the interpreter, each within a time limit.
final class SyntaxCheck {
  /// The most time that the interpreter may take for one script. Most scripts take milliseconds,
  /// but a long chain of `elseif` takes quadratic time.
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

  /// Throws the script's syntax error, or `scriptTime` if the check takes too long.
  func check(_ text: String, path: String) throws {
    // An interpreter that was interrupted during an operation is closed.
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
