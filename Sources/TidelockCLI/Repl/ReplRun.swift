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
  let options: ReplOptions
  private let reporter: Reporter
  private var history: HistoryFile?
  /// The connection for shared models; nil without a server.
  private var sharing: Sharing?
  let output = StandardOutput()
  /// Writes a line above a visible prompt. Returns false if there is none.
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
      // Opened before confinement, which makes its folder inaccessible.
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
      session.helpIndex = { PromptHelp.index }
      session.onReload = { [unowned runtime] in try runtime.reload($0.map { [$0] }).line }
      session.onOutput = { [unowned self] in writeOutput($0, isEscaped: true) }
      return try converse(LocalConversation(session, reporter))
    } catch {
      reporter.report(error)
      return .fault
    }
  }

  private func attach(to name: String) -> ExitStatus {
    Interrupts.stopScripts(nil)
    var conversation: AttachedConversation?
    do {
      let attached = try AttachedConversation(to: name, reporter) { [unowned self] in
        $1 ? notice($0) : writeOutput($0, isEscaped: true)
      }
      conversation = attached
      return try converse(attached)
    } catch {
      if conversation?.hasStoppedApp == true, let error = error as? TideError, error.code == .attach
      {
        notice(error.message)
        return .success
      }
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
    let ending =
      try options.code.isEmpty
      ? readScript(conversation) : evaluate(options.code, conversation)
    // Without a user, the app has no reason to stay.
    _ = try conversation.end(isBound: true)
    return ending ?? conversation.status
  }

  private var isAtPrompt: Bool { options.code.isEmpty && StandardStreams.areTerminal }

  private func configuration() -> Runtime.Configuration {
    var configuration = Runtime.Configuration()
    configuration.arguments = options.arguments
    configuration.printBytes = { [unowned self] in
      writeOutput(String(decoding: $0, as: UTF8.self), isEscaped: false)
    }
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

  /// Runs the parts of a text one after another until one fails or leaves, and shows their results.
  /// Returns the last reply.
  ///
  /// - Parameter isNumbered: whether results are shown with their numbers.
  func run(
    _ text: String, _ conversation: any Conversation, isNumbered: Bool = false
  ) throws -> Reply {
    var reply = Reply.values([])
    for part in conversation.parts(of: text) where conversation.ending == nil {
      _ = Interrupts.take()
      reply = try conversation.run(part.text, isComplete: true, at: ChunkOrigin(line: part.line))
      show(reply, conversation.results, isNumbered: isNumbered)
      switch reply {
      case .values, .unfinished: continue
      case .failed, .interrupted, .quit: return reply
      }
    }
    return reply
  }

  /// Runs the texts of `-e` until one fails or leaves, or the app ends. Returns nil if all
  /// succeeded.
  private func evaluate(_ code: [String], _ conversation: any Conversation) throws -> ExitStatus? {
    for code in code where conversation.ending == nil {
      if let ending = ending(of: try run(code, conversation)) { return ending }
    }
    return nil
  }

  /// Runs piped standard input chunk by chunk. Returns nil if no chunk failed.
  private func readScript(_ conversation: any Conversation) throws -> ExitStatus? {
    var script = PipedScript()
    for line in InputLines() {
      guard let chunk = script.add(line: line) else { continue }
      let reply = try conversation.run(chunk.text, isComplete: false, at: chunk.origin)
      if case .unfinished = reply { continue }
      script.removeChunk()
      show(reply, conversation.results)
      if let ending = ending(of: reply) { return ending }
      if conversation.ending != nil { return nil }
    }
    guard let rest = script.rest else { return nil }
    let reply = try conversation.run(rest.text, isComplete: true, at: rest.origin)
    show(reply, conversation.results)
    return ending(of: reply)
  }

  /// The exit status if a script ends after a reply; nil if it continues.
  private func ending(of reply: Reply) -> ExitStatus? {
    switch reply {
    case .values, .unfinished: nil
    case .failed, .interrupted: .errorsListed
    case .quit(let status): status
    }
  }

  /// - Parameters:
  ///   - results: the numbers of the results, which are the first lines.
  ///   - isNumbered: whether to show the numbers, as at a prompt.
  private func show(_ reply: Reply, _ results: Range<Int>, isNumbered: Bool = false) {
    switch reply {
    case .values(let lines):
      for (line, number) in zip(lines, results) { write(line, isNumbered ? number : nil) }
      for line in lines.dropFirst(results.count) { write(line) }
    case .failed(let text), .interrupted(let text): reporter.write(text)
    case .unfinished, .quit: break
    }
  }

  private func writeLine(_ text: String) {
    if !printAbove(text) { output.writeLine(text) }
  }

  /// Writes asynchronous output: printed lines, changes of watched expressions, later results of
  /// tasks.
  ///
  /// - Parameter isEscaped: false for output printed by scripts of this program, which may contain
  ///   escape sequences. Values may contain foreign text, and the output of an app in another
  ///   process is not trusted.
  private func writeOutput(_ text: String, isEscaped: Bool) {
    if options.json { return writeObject("output", text) }
    writeLine(isEscaped ? text.escapingControlsInLines : text)
  }

  /// Reports an event of the app, separately from its output.
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

  /// Writes a result with its number.
  private func write(_ value: String, _ number: Int?) {
    if options.json { return write(value) }
    let isColored = options.color.outputStyle.isColored
    let text = value.escapingControlsInLines
    let start = number.map { SyntaxColors.numbered($0, isColored: isColored) } ?? ""
    writeLine(start + (isColored ? SyntaxColors.colored(text) : text))
  }

  private func write(_ text: String) {
    if options.json { return writeObject("value", text) }
    writeLine(text.escapingControlsInLines)
  }

  private func writeObject(_ name: String, _ text: String) {
    var object = JSONLine()
    object.add(name, text)
    writeLine(object.text)
  }
}
