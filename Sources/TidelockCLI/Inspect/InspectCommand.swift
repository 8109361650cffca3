import ArgumentParser
import TideBindings
import TideREPL
import TideRun
import TideScript
import TideSystem
import TideTerminal

/// `tidelock inspect NAME`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Looks into a running app.",
    discussion: """
      Shows what an app is made of while it runs: models, views, lists, controllers and contexts, and of \
      each property its value, what it is bound to, why it is what it is, how often it changes and \
      what that costs. Ctrl-C leaves, and the app runs on. tidelock serve prints where the \
      same is in a browser.

      Examples:
        tidelock inspect              the only app that runs
        tidelock inspect fruit
        tidelock inspect fruit-1234

      Exit codes: 0 fine, 64 usage, 69 no such app, 70 a fault of tidelock's.
      """)

  @Argument(help: "The app, by its name, its process or both, as repl --attach has it.")
  var name: String?

  @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
  var color = ColorChoice.auto

  func run() throws {
    let reporter = Reporter(style: color.style, isJSON: false, file: name ?? "inspect")
    guard let keyboard = StandardStreams.keyboard else {
      throw ValidationError("inspect needs a terminal; repl --attach -e prints what it is asked.")
    }
    do {
      let client = try AttachClient(RunningApp.find(name))
      let inspector = try inspector(of: client)
      inspector.runtime.onError = { reporter.report($0) }
      let terminal = TerminalRenderer(input: keyboard, usesColor: color.forRenderer)
      _ = try inspector.runtime.runUntilExit(terminal)
      withExtendedLifetime(inspector) {}
    } catch {
      reporter.report(error)
      throw ExitCode((error as? TideError)?.code == .attach ? 69 : 70)
    }
  }

  /// An inspector that receives the app's messages.
  private func inspector(of client: AttachClient) throws -> InspectorApp {
    let inspector = try InspectorApp { try? client.send($0) }
    client.onMessage = { [unowned inspector] in inspector.take($0) }
    var watch: DescriptorWatch?
    watch = try inspector.runtime.loop.watch(descriptor: client.descriptor, keepsRunning: false) {
      [unowned inspector] in
      do { try client.readWhatIsThere() } catch {
        watch?.cancel()
        watch = nil
        let reason = (error as? TideError)?.message ?? "\(error)"
        inspector.take(Message("ended", ["text": .text(reason)]))
      }
    }
    inspector.take(client.greeting)
    return inspector
  }
}
