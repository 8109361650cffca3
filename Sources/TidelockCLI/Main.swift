import ArgumentParser
import TideLua
import TideSystem

@main
enum Main {
  static func main() {
    SystemAllocator.returnLargeBlocks()
    StandardStreams.prepare()
    checkArguments()
    checkInterpreter()
    TidelockCommand.main()
  }

  /// Ends the program if an argument is not UTF-8, because a repaired argument would name a
  /// different file.
  private static func checkArguments() {
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index],
        String(validatingCString: argument) == nil
      else { continue }
      let shown = UnsafeBufferPointer(start: argument, count: strlen(argument)).map { byte in
        let byte = UInt8(bitPattern: byte)
        let hex = String(byte, radix: 16, uppercase: true)
        return (0x20..<0x7f).contains(byte)
          ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 0x10 ? "0" : "") + hex
      }
      _ = StandardStreams.write(
        "tidelock: error: the argument \"\(shown.joined())\" is not UTF-8, as names of files must "
          + "be; rename the file, for instance with convmv\n", to: 2)
      TidelockCommand.exit(withError: ExitCode(ExitStatus.usage.code))
    }
  }

  /// Ends the program if the Lua library cannot be used, unless the command shows help or diagnoses
  /// the machine.
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

/// The command `tidelock`; all its functions are subcommands.
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
      ReplCommand.self, DriveProgram.self, MCPCommand.self, TestCommand.self, InspectCommand.self,
      WhyCommand.self,
      ProfileCommand.self,
      CheckCommand.self, LspCommand.self, NewCommand.self, TypesCommand.self, DoctorCommand.self,
    ])

  /// Commands that require the package trait Web.
  private static var serving: [any ParsableCommand.Type] {
    #if Web
      [ServeCommand.self]
    #else
      []
    #endif
  }
}
