import TideSystem
import ArgumentParser
import TideBindings
import TideCheck
import TideLua
import TideREPL
import TideRun
import TideScript
import TideTest
import TideViews

/// `tidelock why`: explains how a value of an app came about.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Runs an app without a terminal, and prints the causes of a value.",
    discussion: """
      The path begins at a model or at a view's id. The value's own change comes first, what began it \
      last, each with its line. The app reads its settings, and what it sets is not kept. Its databases \
      are copies that are thrown away, of at most 256 MiB each; --original-stores lets it use them \
      themselves.

      Examples:
        tidelock why app.lua fruit.name
        tidelock why ledger.lua ledger.total --allow store=data
        tidelock why app.lua title.text --keys "Tab a b"

      Exit codes: 0 fine, 1 the path leads nowhere or errors were listed, 64 usage, 65 the script has \
      an error, 66 no such file, 69 not confined as --confine required it, 70 a fault of tidelock's.
      """)

  @Argument(help: "The app's main script.", completion: .file(extensions: ["lua"]))
  var file: String

  @Argument(help: "A property: model.property, or a view's id and property.")
  var path: String

  @OptionGroup var start: StartOptions

  @Option(help: ConfineChoice.help)
  var confine = ConfineChoice.auto

  @OptionGroup var access: AccessOptions

  @OptionGroup var budgets: BudgetOptions

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  @Flag(help: "Report causes and errors as JSON, one object a line.")
  var json = false

  @Argument(parsing: .postTerminator, help: "After --: the script's arg.")
  var arguments: [String] = []

  func validate() throws { try budgets.refuseLimitsOfServing() }

  func run() throws {
    let status = explain()
    if status != .success { throw ExitCode(status.code) }
  }

  private func explain() -> ExitStatus {
    let reporter = Reporter(style: color.style, isJSON: json, file: file)
    Interrupts.endProgram()
    do {
      var configuration = Runtime.Configuration()
      configuration.arguments = arguments
      budgets.apply(to: &configuration)
      access.apply(to: &configuration, writesStores: false)
      configuration.moduleHints = SpecVocabulary.moduleHints
      // The app's output is not part of the answer.
      configuration.printBytes = { _ in }
      configuration.settingsFolder = SettingsFolder.path(ofApp: file)
      configuration.keepsSettings = false
      let runtime = try Runtime(file: file, configuration: configuration)
      runtime.onError = { reporter.report($0) }
      let wall = AppConfinement(confine, file: file, access: access.allowances.access)
      do { try wall.raise(nil) } catch {
        reporter.report(error)
        return .unavailable
      }
      defer { wall.tidy() }
      do { try runtime.load() } catch {
        reporter.report(error)
        return ExitStatus(loading: error)
      }
      for assignment in start.assignments { try runtime.set(assignment.path, to: assignment.value) }
      let loop = AppLoop(runtime, TextRenderer())
      defer { loop.close() }
      try loop.catchUp()
      for key in start.keys?.keys ?? [] { try loop.send(.key(key)) }
      loop.close()
      let causes = try Session(runtime).causes(of: path)
      let output = StandardOutput()
      for cause in causes {
        output.writeLine(json ? Self.line(cause) : "\(cause)".escapingControls)
      }
      if causes.isEmpty { output.writeLine("Nothing is known of how it came about.") }
      _ = try AppLoop(runtime).quit(within: AppLoop.timeOfEnding)
      return runtime.listedErrors > 0 ? .errorsListed : .success
    } catch {
      reporter.report(error)
      return .errorsListed
    }
  }

  private static func line(_ cause: Cause) -> String {
    var object = JSONLine()
    object.add("path", cause.path)
    object.add("new", cause.new.preview)
    if let old = cause.old { object.add("old", old.preview) }
    object.add("cause", cause.kind.rawValue)
    if let location = cause.location { object.add("location", "\(location)") }
    if let act = cause.act { object.add("act", act) }
    return object.text
  }
}
