import ArgumentParser
import TideBindings
import TideCheck
import TideScript
import TideTest

/// `tidelock check`: mistakes in scripts, found without running them.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds mistakes in scripts without running them.",
    discussion: """
      Looks at what is written out: syntax, variables that nothing declares, members of modules, \
      binding expressions, paths, properties of rows, transformers, view classes and their \
      properties, options and arguments, what nobody uses. Scripts that require each other know \
      each other's names. A folder stands for all Lua files \
      below it; without a path it is the current one.

      Examples:
        tidelock check
        tidelock check app.lua lib --format junit > check.xml

      Exit codes: 0 nothing found, 1 warnings, 2 errors, 64 usage, 66 no such file, 70 a fault of \
      tidelock's.
      """)

  @Argument(help: "Scripts, or folders with scripts (default: .).", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("How to tell: plain, json or junit.", valueName: "format"))
  var format: CheckFormat?

  @Option(
    name: .customLong("globals"),
    help: ArgumentHelp(
      "Variables that the program which runs the scripts gives them (may be repeated).",
      valueName: "name,name"))
  var globals: [String] = []

  @Option(
    name: .customLong("allow"),
    help: ArgumentHelp(
      "What the app will be allowed to reach, as for run (may be repeated).",
      valueName: Allowance.forms),
    transform: Allowance.init)
  var allowances: [Allowance] = []

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "The same as --format json: one object a line.")
  var json = false

  func validate() throws {
    if json, let format, format != .json {
      throw ValidationError("--json and --format \(format.rawValue) ask for two things.")
    }
  }

  func run() throws {
    let status = check()
    if status != .success { throw ExitCode(status.code) }
  }

  private var chosen: CheckFormat { json ? .json : format ?? .plain }

  private func check() -> ExitStatus {
    let reporter = Reporter(style: color.style, isJSON: chosen == .json, file: "tidelock")
    Interrupts.endProgram()
    let files: [ScriptCheck.File]
    do {
      let names = globals.flatMap { $0.split(separator: ",").map(String.init) }
      files = try ScriptCheck(access: allowances.access, hostNames: names, specs: .tidelock)
        .run(paths.isEmpty ? ["."] : paths)
    } catch {
      reporter.report(error)
      return ExitStatus(loading: error)
    }
    CheckReport(files: files, style: color.style).write(as: chosen)
    let severities = files.flatMap(\.problems).map(\.severity)
    if severities.contains(.error) { return ExitStatus(2) }
    return severities.isEmpty ? .success : ExitStatus(1)
  }
}

/// `--format` of `check`.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  case plain, json, junit
}
