import ArgumentParser

/// `tidelock repl`: a prompt inside a runtime.
struct ReplCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repl",
    abstract: "Talks with an app, or with an empty one, at a prompt.",
    discussion: """
      An expression shows its value, a statement runs; variables live on. Lines that begin with a \
      colon are commands to the prompt: :help lists them. Where standard input is not a terminal it is \
      read as a script. A script that is loaded reads its settings, and what it sets is not kept. With -e \
      its databases are copies that are thrown away, of at most 256 MiB each, unless --original-stores is \
      given. With --attach the prompt is inside an app that tidelock run has started, which :stop ends. \
      With --json a value is {"value":…}, a printed line and a change of a watched expression \
      {"output":…}, and an error, on standard error, {"severity":"error",…}.

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
    try options.runtime.budgets.refuseLimitsOfServing()
    guard options.attach != nil else { return }
    if let file {
      throw ValidationError("--attach enters an app that runs, so \(file) cannot be loaded.")
    }
    let runtime = options.runtime
    if runtime.confine != .auto {
      throw ValidationError("--attach runs no scripts here, so there is nothing to --confine.")
    }
    if !options.arguments.isEmpty || !runtime.allowances.isEmpty || runtime.log != .none
      || !runtime.budgets.isEmpty
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

/// The options of `repl`, apart from the file.
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

  @OptionGroup var runtime: RuntimeOptions

  @Flag(help: "Show values, printed lines and errors as JSON, one object a line.")
  var json = false

  @Argument(parsing: .postTerminator, help: "After --: the script's arg.")
  var arguments: [String] = []
}
