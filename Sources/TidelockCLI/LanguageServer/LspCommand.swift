import ArgumentParser
import TideLanguageServer
import TideSystem
import TideTest

/// `tidelock lsp`: the language server, started by editors.
struct LspCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Serves editors by the Language Server Protocol.",
    discussion: """
      Editors start it, and talk with it over standard input and output: it tells them of mistakes \
      while somebody types, as tidelock check finds them. Its log goes to the editor.

      Example:
        tidelock lsp

      Exit codes: 0 the editor has shut it down, 1 the connection ended otherwise, 64 usage.
      """)

  @Flag(help: "Use standard input and output, as it does anyway; editors may give it.")
  var stdio = false

  @Flag(help: "Serve the page of previews from the start; its address goes into the editor's log.")
  var preview = false

  @OptionGroup var app: CheckedAppOptions

  func run() throws {
    Interrupts.endProgram()
    if isatty(0) != 0 {
      report(
        "this is meant to be started by an editor: it reads the Language Server Protocol, not keys")
    }
    var options = LanguageServer.Options()
    options.access = app.access
    options.hostNames = app.hostNames
    options.specs = .tidelock
    options.sql = CheckedAppOptions.sql
    options.version = TidelockCommand.configuration.version
    options.previewProgram = Self.previewProgram
    options.servesPreviews = preview
    let connection: Connection
    do {
      connection = try Connection(input: 0, output: 1)
    } catch {
      report(error.message)
      throw ExitCode(ExitStatus.fault.code)
    }
    let ending = LanguageServer(connection, options: options).run()
    if let reason = ending.reason { report(reason) }
    if ending.code != 0 { throw ExitCode(ending.code) }
  }

  /// The command that previews an app without permissions. Its budgets end it soon, because it may
  /// run half-typed code.
  private static var previewProgram: [String] {
    [
      "/proc/self/exe", "run", "--json", "--no-watch", "--size", "80x24",
      "--turn", "2", "--memory", "128M", "--confine", "auto",
    ]
  }

  private func report(_ message: String) {
    _ = StandardStreams.write("tidelock lsp: \(message.escapingControls)\n", to: 2)
  }
}
