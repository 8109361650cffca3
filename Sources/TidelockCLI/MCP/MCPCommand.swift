import ArgumentParser
import TideBindings
import TideREPL
import TideScript

/// `tidelock mcp`: serves assistants in editors by the Model Context Protocol.
struct MCPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serves assistants by the Model Context Protocol, for work on a running app.",
    discussion: """
      Editors start it, and talk with it over standard input and output. Its tools act in an app and look \
      into it, as tidelock drive does, check its scripts and search the reference. It can do what a person \
      at the prompt of the same user can do; --read-only leaves only tools that look.

      Examples:
        tidelock mcp
        tidelock mcp todo --read-only
        tidelock mcp --start 'run app.lua'

      Exit codes: 0 the client has closed the input, 64 usage, 69 the app of --start cannot be shown.
      """)

  @Argument(help: "The app, as repl --attach takes it (default: the only one).")
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Start an app without a terminal, and end it at the end.", valueName: "run FILE …"))
  var start: String?

  @Flag(help: "Offer only tools that change nothing.")
  var readOnly = false

  func validate() throws {
    if name != nil, start != nil {
      throw ValidationError("--start starts an app, so that no name is needed.")
    }
    if let start {
      let words: [String]
      do { words = try DriveCommand.words(in: start) } catch {
        throw ValidationError("--start: \(error.message)")
      }
      guard let command = words.first, ["run", "serve"].contains(command) else {
        throw ValidationError("--start takes run FILE, or serve FILE.")
      }
    }
  }

  func run() throws {
    Interrupts.endProgram()
    var app: StartedApp?
    do {
      if let start { app = try StartedApp(DriveCommand.words(in: start), size: nil) }
    } catch {
      if !(error is StartedApp.Ended) {
        Reporter(style: .plain, isJSON: false, file: "tidelock mcp").report(error)
      }
      throw ExitCode(ExitStatus.unavailable.code)
    }
    defer { app?.end() }
    let tools = MCPTools(app: app.map { "\($0.process)" } ?? name, isReadOnly: readOnly)
    MCPServer(tools).run()
  }
}
