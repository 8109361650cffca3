import TideBindings
import TideCheck
import TideLua
import TideREPL
import TideReload
import TideRun
import TideScript
import TideSystem
import TideTest

/// One run of `tidelock repl`, from loading the script to the exit code.
final class ReplRun {
  private let file: String?
  private let options: ReplOptions
  private let reporter: Reporter
  private var history: HistoryFile?
  /// With whom models are shared; nil for nobody else.
  private var sharing: Sharing?
  let output = StandardOutput()
  /// Writes a line above a prompt that is shown; false where there is none.
  var printAbove: (String) -> Bool = { _ in false }

  init(file: String?, options: ReplOptions) {
    self.file = file
    self.options = options
    reporter = Reporter(style: options.color.style, isJSON: options.json, file: file ?? "repl")
  }

  func run() -> ExitStatus {
    if let name = options.attach { return attach(to: name) }
    do {
      do { sharing = try Sharing.make(options.runtime.sharing, of: file ?? "repl") } catch {
        reporter.report(error)
        return .unavailable
      }
      defer { sharing?.end() }
      let runtime = try Runtime(file: file ?? "repl", configuration: configuration())
      runtime.onError = { [reporter] in reporter.report($0) }
      Interrupts.stopScripts(runtime.lua.interrupter)
      // Opened now, because the wall does not leave its folder open.
      if isAtPrompt { history = HistoryFile() }
      let wall = AppConfinement(
        options.runtime.confine, file: file, access: options.runtime.allowances.access,
        sharing: options.runtime.sharing)
      wall.servePrompt()
      do { try wall.raise(runtime.configuration.logger) } catch {
        reporter.report(error)
        return .unavailable
      }
      defer { wall.tidy() }
      if file != nil {
        do { try runtime.load() } catch {
          reporter.report(error)
          return ExitStatus(loading: error)
        }
      }
      if runtime.exitCode != nil, !runtime.asksBeforeEnding || !isAtPrompt {
        _ = try AppLoop(runtime).quit(within: AppLoop.timeOfEnding)
        return ExitStatus(runtime.exitCode ?? 0)
      }
      let session = try Session(runtime)
      session.onReload = { [unowned runtime] in try runtime.reload($0.map { [$0] }).line }
      session.onOutput = { [unowned self] in writeEscaped($0) }
      return try converse(LocalConversation(session, reporter))
    } catch {
      reporter.report(error)
      return .fault
    }
  }

  private func attach(to name: String) -> ExitStatus {
    Interrupts.stopScripts(nil)
    do {
      let conversation = try AttachedConversation(to: name, reporter) { [unowned self] in
        $1 ? notice($0) : writeEscaped($0)
      }
      return try converse(conversation)
    } catch {
      reporter.report(error)
      switch (error as? TideError)?.code {
      case .attach: return .nothingToAttachTo
      case .interrupted: return .interrupted
      default: return .fault
      }
    }
  }

  private func converse(_ conversation: any Conversation) throws -> ExitStatus {
    if isAtPrompt { return try converse(at: conversation, history ?? HistoryFile()) }
    let failure =
      try options.code.isEmpty
      ? readScript(conversation) : evaluate(options.code, conversation)
    // Nobody is there for whom the app could stay.
    _ = try conversation.end(isBound: true)
    return failure ?? conversation.status
  }

  private var isAtPrompt: Bool { options.code.isEmpty && StandardStreams.areTerminal }

  private func configuration() -> Runtime.Configuration {
    var configuration = Runtime.Configuration()
    configuration.arguments = options.arguments
    configuration.printBytes = { [unowned self] in writeLine(String(decoding: $0, as: UTF8.self)) }
    options.runtime.apply(
      to: &configuration, isJSON: options.json,
      writesStores: file == nil || options.code.isEmpty)
    sharing?.apply(to: &configuration)
    configuration.moduleHints = SpecVocabulary.moduleHints
    if let file { configuration.settingsFolder = SettingsFolder.path(ofApp: file) }
    configuration.keepsSettings = false
    return configuration
  }

  // MARK: Without a prompt

  /// `-e`: each by itself, until one fails or the app ends. Nil where none failed.
  private func evaluate(_ code: [String], _ conversation: any Conversation) throws -> ExitStatus? {
    for code in code where conversation.ending == nil {
      guard show(try conversation.run(code, isComplete: true)) else { return .errorsListed }
    }
    return nil
  }

  /// Standard input that is no terminal: chunk by chunk, as they end. Nil where none failed.
  private func readScript(_ conversation: any Conversation) throws -> ExitStatus? {
    var pending = ""
    for line in InputLines() {
      // The first line of a script may name its interpreter.
      if pending.isEmpty, line.hasPrefix("#!") { continue }
      pending += pending.isEmpty ? line : "\n" + line
      let reply = try conversation.run(pending, isComplete: false)
      if case .unfinished = reply { continue }
      pending = ""
      if case .quit = reply { return .success }
      guard show(reply) else { return .errorsListed }
      if conversation.ending != nil { return nil }
    }
    if !pending.isEmpty, !show(try conversation.run(pending, isComplete: true)) {
      return .errorsListed
    }
    return nil
  }

  /// False after a failure.
  func show(_ reply: Reply) -> Bool {
    switch reply {
    case .values(let lines):
      for line in lines { write(line) }
      return true
    case .failed(let text):
      reporter.write(text)
      return false
    case .unfinished, .quit: return true
    }
  }

  /// Writes what scripts print, as it is: programs may style their own output.
  private func writeLine(_ text: String) {
    if !printAbove(text) { output.writeLine(text) }
  }

  /// Writes anything else: values hold what a script was given by others, and an app that runs
  /// elsewhere may say whatever it likes.
  private func writeEscaped(_ text: String) { writeLine(text.escapingControlsInLines) }

  /// What happens to the app is none of its output.
  private func notice(_ text: String) {
    if options.json {
      var object = JSONLine()
      object.add("notice", text)
      reporter.write(object.text)
    } else {
      let shown = text.escapingControlsInLines
      if !printAbove(shown) { reporter.write(shown) }
    }
  }

  private func write(_ text: String) {
    guard options.json else { return writeEscaped(text) }
    var object = JSONLine()
    object.add("value", text)
    output.writeLine(object.text)
  }
}
