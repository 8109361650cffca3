import ArgumentParser
import TideLua
import TideSystem

@main
enum Main {
  static func main() {
    SystemAllocator.returnLargeBlocks()
    StandardStreams.prepare()
    checkInterpreter()
    TidelockCommand.main()
  }

  /// Ends the program where the Lua library cannot be used, unless it is to show help or to
  /// diagnose the machine.
  private static func checkInterpreter() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let problem = LuaInterpreter.problem, let command = arguments.first,
      TidelockCommand.configuration.subcommands.contains(where: {
        $0 != DoctorCommand.self && $0.configuration.commandName == command
      }),
      !arguments.contains(where: { ["-h", "--help"].contains($0) })
    else { return }
    _ = StandardStreams.write("tidelock \(command): error: \(problem)\n", to: 2)
    TidelockCommand.exit(withError: ExitCode(ExitStatus.unavailable.code))
  }
}

/// The command `tidelock`: all that it does are its subcommands.
struct TidelockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tidelock",
    abstract: "Runs apps whose models, views and bindings are Lua scripts.",
    discussion: """
      Example:
        tidelock run app.lua
      """,
    version: "0.1.0",
    subcommands: [RunCommand.self] + serving + [
      ReplCommand.self, TestCommand.self, InspectCommand.self, WhyCommand.self, ProfileCommand.self,
      CheckCommand.self, LspCommand.self, NewCommand.self, TypesCommand.self, DoctorCommand.self,
    ])

  /// What only a program with the trait Web has.
  private static var serving: [any ParsableCommand.Type] {
    #if Web
      [ServeCommand.self]
    #else
      []
    #endif
  }
}
