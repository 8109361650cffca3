import ArgumentParser
import TideREPL
import TideScript

/// `tidelock drive`: acts in a running app, and looks into it.
struct DriveProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drive",
    abstract: "Acts in a running app and looks into it, from a shell.",
    usage: "tidelock drive [<options>] [<name>] <verb> [<argument> ...] [then <verb> ...]",
    discussion: """
      The app is one that tidelock run or serve has started: by its name, its process's number, or \
      both (todo-1234); without a name the only one there is. Several verbs are separated by then. \
      Without a verb they are read from standard input, one line each; a line may also be a call of a \
      spec, such as ui.tap("add"). Acts are those of a person with a focus of their own; the causes of \
      changes name drive. The first verb that fails ends the program.

      Options:
        --start 'run FILE …'  Start an app without a terminal, drive it, and end it.
        --size 80x24          The size of the app that is started.
        -f FILE               Read the verbs from a file; - is standard input.
        --json                Print one object a line for each verb.

      Verbs:
      \(verbs)

      Examples:
        tidelock drive todo type new Milk then keys Enter then capture
        tidelock drive get todos.count
        tidelock drive --start 'run app.lua' tap ok then assert 'models.fruit.n == 1'

      Exit codes: 0 fine, 1 a verb failed, or what was asserted or waited for is not true, 2 usage, 66 no \
      such app, 69 the app refuses the connection or has ended, 75 it did not answer in time; with \
      --start, those of run if the app cannot be shown.
      """)

  @Argument(parsing: .captureForPassthrough, help: .hidden)
  var words: [String] = []

  private static var verbs: String {
    DriveVerb.all.map { verb in
      let options = verb.optionHelp.isEmpty ? "" : "\n      \(verb.optionHelp)"
      return "  \(verb.heading)\n      \(verb.summary)\(options)"
    }.joined(separator: "\n")
  }

  func run() throws {
    let flags = words.prefix { !DriveVerb.isVerb($0) }
    if flags.contains("--help") || flags.contains("-h") { throw CleanExit.helpRequest(self) }
    let status = DriveRun(words).run()
    if status != .success { throw ExitCode(status.code) }
  }
}
