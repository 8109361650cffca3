import TideBindings
import TideLua
import TideScript

/// Lets the interpreter check the syntax of scripts, each within a time limit.
final class SyntaxCheck {
  /// How long the interpreter may take for one script. Most take milliseconds, but a long chain of
  /// `elseif` takes quadratic time, which may be longer than anybody would wait.
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
    // An interpreter that was stopped in the middle of an operation is closed.
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
