import ArgumentParser
import TideBindings
import TideCheck
import TideScript
import TideTest

/// `tidelock check`: finds mistakes in scripts without running them.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds mistakes in scripts without running them.",
    discussion: """
      Looks at what is written out: syntax, variables that nothing declares, members of modules, \
      binding expressions, paths, properties of rows, transformers, view classes and their \
      properties, options and arguments, formats, keys and variables that occur twice, what nobody uses. Scripts that require each other know \
      each other's names. A folder stands for all Lua files \
      below it; without a path it is the current one.

      Examples:
        tidelock check
        tidelock check app.lua lib --format junit > check.xml
        tidelock check --watch
        tidelock check --fix

      Variables that a host program gives to the scripts are those of --globals, and those that \
      .luacheckrc (globals, read_globals) and .luarc.json (diagnostics.globals) list in the nearest \
      folder that has one of them.

      Exit codes: 0 nothing found, 1 warnings, 2 errors or a fix that could not be written, 64 \
      usage, 66 no such file, 70 a fault of tidelock's.
      """)

  @Argument(help: "Scripts, or folders with scripts (default: .).", completion: .file())
  var paths: [String] = []

  @Option(help: ArgumentHelp("How to tell: plain, json or junit.", valueName: "format"))
  var format: CheckFormat?

  @OptionGroup var app: CheckedAppOptions

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Check again whenever a file is saved, until q is pressed.")
  var watch = false

  @Flag(help: "Write the fixes that can hardly be wrong into the scripts, and tell what is left.")
  var fix = false

  @Flag(help: "The same as --format json: one object a line.")
  var json = false

  func validate() throws {
    if json, let format, format != .json {
      throw ValidationError("--json and --format \(format.rawValue) ask for two things.")
    }
    if watch, fix { throw ValidationError("--watch and --fix ask for two things.") }
    if watch, format == .junit {
      throw ValidationError("--watch reports again and again, but a JUnit file holds one report.")
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
    do {
      let check = try app.makeCheck()
      let paths = self.paths.isEmpty ? ["."] : self.paths
      if watch {
        return try CheckWatch(paths, check, as: chosen, color.style, reporter).run()
      }
      var fixes = fix ? CheckFixes(paths, check, isQuiet: chosen != .plain) : nil
      let files = try fixes?.run() ?? check.run(paths)
      let report = CheckReport(files: files, style: color.style)
      report.write(as: chosen)
      let refusals = (fixes?.refusals ?? [:]).sorted { $0.key < $1.key }
      for refusal in refusals { reporter.report(refusal.value) }
      return refusals.isEmpty ? report.status : ExitStatus(2)
    } catch {
      reporter.report(error)
      return ExitStatus(loading: error)
    }
  }
}

/// `--format` of `check`.
enum CheckFormat: String, CaseIterable, ExpressibleByArgument {
  case plain, json, junit
}
