import ArgumentParser

/// `tidelock profile FILE`.
struct ProfileCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile",
    abstract: "Runs an app, and tells where its time goes.",
    discussion: """
      The app runs as by tidelock run, on a terminal or without one. When it ends, a table tells what ran: \
      each binding, computed value, effect, observer, transformer, handler and view function with its line, \
      how often it ran, how long with what ran inside and for itself, and for how many bytes it has asked \
      the interpreter. Its databases are copies that are thrown away, of at most 256 MiB each, unless \
      --original-stores is given.

      Examples:
        tidelock profile app.lua
        tidelock profile app.lua --for 10 --svg flames.svg
        tidelock profile app.lua --keys "Tab a b" --for 1 --speedscope app.speedscope.json

      Exit codes: those of tidelock run; 1 also where a file cannot be written.
      """)

  @Argument(help: "The app's main script.", completion: .file(extensions: ["lua"]))
  var file: String

  @OptionGroup var profiling: ProfileOptions

  @OptionGroup var options: RunOptions

  func validate() throws { try options.runtime.budgets.refuseLimitsOfServing() }

  func run() throws {
    let session = RunSession(file: file, options: options)
    session.profiling = profiling
    let status = session.run()
    Interrupts.dieOfSignal(endingWith: status)
    if status != .success { throw ExitCode(status.code) }
  }
}

/// Output options of a profile.
struct ProfileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Write a flame graph as an SVG picture.", valueName: "file"),
    completion: .file(extensions: ["svg"]))
  var svg: String?

  @Option(
    help: ArgumentHelp("Write a file for speedscope.app.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var speedscope: String?

  @Option(help: ArgumentHelp("How many lines the table has at most.", valueName: "count"))
  var top = 40

  func validate() throws {
    if top < 0 { throw ValidationError("--top is how many lines the table has: 0 or more.") }
    if svg?.isEmpty == true || speedscope?.isEmpty == true {
      throw ValidationError("--svg and --speedscope need the name of a file.")
    }
  }
}
