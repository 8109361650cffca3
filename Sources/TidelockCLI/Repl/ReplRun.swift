import TideBindings
import TideLua
import TideREPL
import TideReload
import TideScript

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One run of `tidelock repl`, from loading the script to the exit code.
final class ReplRun {
  private let file: String?
  private let options: ReplOptions
  private let reporter: Reporter
  let output = StandardOutput()
  /// Writes a line above a prompt that is shown; false where there is none.
  var printAbove: (String) -> Bool = { _ in false }

  init(file: String?, options: ReplOptions) {
    self.file = file
    self.options = options
    reporter = Reporter(style: options.color.style, isJSON: options.json, file: file ?? "repl")
  }

  func run() -> ExitStatus {
    do {
      let runtime = try Runtime(path: file ?? "repl", configuration: configuration())
      runtime.onError = { [reporter] in reporter.report($0) }
      Interrupts.stopScripts(runtime.lua.interrupter)
      if file != nil {
        do { try runtime.load() } catch {
          reporter.report(error)
          return ExitStatus(loading: error)
        }
      }
      if let code = runtime.exitCode { return ExitStatus(code: code) }
      let session = try Session(runtime)
      session.onReload = { [unowned runtime] in try runtime.reload($0.map { [$0] }).line }
      session.isInterrupted = Interrupts.take
      session.onOutput = { [unowned self] in writeLine($0) }
      return try converse(session)
    } catch {
      reporter.report(error)
      return .fault
    }
  }

  private func converse(_ session: Session) throws -> ExitStatus {
    if !options.code.isEmpty { return evaluate(options.code, session) }
    return StandardStreams.areTerminal ? try converse(at: session) : readScript(session)
  }

  private func configuration() -> Runtime.Configuration {
    var configuration = Runtime.Configuration()
    configuration.arguments = options.arguments
    configuration.printBytes = { [unowned self] in writeLine(String(decoding: $0, as: UTF8.self)) }
    configuration.logger = options.log.logger(label: "app", isJSON: options.json)
    configuration.lua.access = options.allowances.access
    if let file { configuration.settingsFolder = SettingsFolder.path(ofApp: file) }
    return configuration
  }

  // MARK: Without a prompt

  /// `-e`: each by itself, until one fails or the app ends.
  private func evaluate(_ code: [String], _ session: Session) -> ExitStatus {
    for code in code {
      guard show(session.run(code, isComplete: true)) else { return .errorsListed }
      if let code = session.runtime.exitCode { return ExitStatus(code: code) }
    }
    return status(of: session.runtime)
  }

  /// Standard input that is no terminal: chunk by chunk, as they end.
  private func readScript(_ session: Session) -> ExitStatus {
    var pending = ""
    while let line = readLine(strippingNewline: true) {
      // The first line of a script may name its interpreter.
      if pending.isEmpty, line.hasPrefix("#!") { continue }
      pending += pending.isEmpty ? line : "\n" + line
      let result = session.run(pending)
      if case .unfinished = result { continue }
      pending = ""
      if case .quit = result { return .success }
      guard show(result) else { return .errorsListed }
      if let code = session.runtime.exitCode { return ExitStatus(code: code) }
    }
    if !pending.isEmpty, !show(session.run(pending, isComplete: true)) { return .errorsListed }
    return status(of: session.runtime)
  }

  private func status(of runtime: Runtime) -> ExitStatus {
    runtime.exitCode.map { ExitStatus(code: $0) }
      ?? (runtime.listedErrors > 0 ? .errorsListed : .success)
  }

  /// False after a failure.
  func show(_ result: ChunkResult) -> Bool {
    switch result {
    case .values(let lines):
      for line in lines { write(line) }
      return true
    case .failed(let error):
      reporter.report(error)
      return false
    case .unfinished, .quit: return true
    }
  }

  private func writeLine(_ text: String) {
    if !printAbove(text) { output.writeLine(text) }
  }

  private func write(_ text: String) {
    guard options.json else { return writeLine(text) }
    var object = JSONLine()
    object.add("value", text)
    output.writeLine(object.text)
  }
}
