import ArgumentParser

/// `tidelock repl`: a prompt inside a runtime.
struct ReplCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repl",
    abstract: "Talks with an app, or with an empty one, at a prompt.",
    discussion: """
      An expression shows its value, a statement runs; variables live on. Lines that begin with a \
      colon are commands to the prompt: :help lists them. Where standard input is not a terminal it is \
      read as a script. A script that is loaded reads its settings, and what it sets is not kept. With \
      --attach the prompt is inside an app that tidelock run has started.

      Examples:
        tidelock repl
        tidelock repl app.lua
        tidelock repl app.lua -e 'models.fruit.color = "red"' -e models.fruit
        tidelock repl --attach
        tidelock repl --attach todo -e ':why title.text'

      Exit codes: 0 fine, 1 a chunk failed, what exit(n) gave, 64 usage, 65 the script has an error, \
      66 no such file, 69 nothing to attach to, or not confined as --confine \
      required it, 70 a fault of tidelock's, 130 interrupted.
      """)

  @Argument(help: "A script to load first.", completion: .file(extensions: ["lua"]))
  var file: String?

  @OptionGroup var options: ReplOptions

  mutating func validate() throws {
    guard options.attach != nil else { return }
    if let file {
      throw ValidationError("--attach enters an app that runs, so \(file) cannot be loaded.")
    }
    if options.confine != .auto {
      throw ValidationError("--attach runs no scripts here, so there is nothing to --confine.")
    }
    if !options.arguments.isEmpty || !options.allowances.isEmpty || options.log != .none
      || !options.budgets.isEmpty
    {
      throw ValidationError(
        "--attach enters an app that runs: --allow, --log, budgets and arguments are for tidelock run."
      )
    }
  }

  func run() throws {
    let status = ReplRun(file: file, options: options).run()
    if status != .success { throw ExitCode(status.code) }
  }
}

/// What `repl` may be told, beside the file.
struct ReplOptions: ParsableArguments {
  @Option(
    name: .customShort("e"),
    help: ArgumentHelp("Evaluate, and end (may be repeated).", valueName: "code"))
  var code: [String] = []

  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp(
      "Enter an app that runs: by its name, its process's number, or both (todo-1234); without one the only app there is.",
      valueName: "name"))
  var attach: String?

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Option(help: ArgumentHelp("What to log to standard error.", valueName: "level"))
  var log = LogLevel.none

  @OptionGroup var budgets: BudgetOptions

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "Let scripts read files below a folder, write them, read a variable of the environment, run programs (may be repeated).",
      valueName: "read=DIR,write=DIR,env=NAME,run"),
    transform: Allowance.init)
  var allowances: [Allowance] = []

  @Option(help: ConfineChoice.help)
  var confine = ConfineChoice.auto

  @Flag(help: "Show values and errors as JSON, one object a line.")
  var json = false

  @Argument(parsing: .postTerminator, help: "After --: the script's arg.")
  var arguments: [String] = []
}
