import ArgumentParser
import TideLua

@main
enum Main {
  static func main() {
    StandardStreams.prepare()
    checkInterpreter()
    TidelockCommand.main()
  }

  /// Says at once where no script can be run; help and what tells of the machine need none.
  private static func checkInterpreter() {
    let arguments = CommandLine.arguments.dropFirst()
    let needy: Set = ["run", "repl", "test", "why", "check", "new", "types", "profile", "serve"]
    guard let problem = LuaInterpreter.problem, let command = arguments.first,
      needy.contains(command), !arguments.contains(where: { ["-h", "--help"].contains($0) })
    else { return }
    _ = StandardStreams.write("tidelock \(command): error: \(problem)\n", to: 2)
    TidelockCommand.exit(withError: ExitCode(ExitStatus.unavailable.code))
  }
}
