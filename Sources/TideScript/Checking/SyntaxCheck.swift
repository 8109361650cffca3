import TideBindings
import TideLua

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
