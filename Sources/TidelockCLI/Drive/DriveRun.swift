import Glibc
import TideBindings
import TideREPL
import TideScript
import TideSystem

/// One run of `tidelock drive`, from its arguments to the exit code.
final class DriveRun {
  private let words: [String]
  private let output = StandardOutput()
  private var isJSON = false
  private var app: StartedApp?
  /// The report of the reload that was asked for.
  private var notices: [String] = []

  /// The time in which an app has to answer a verb, beyond the time of a wait, in seconds.
  private static let patience = 30.0
  /// The seconds of a wait without `--timeout`.
  private static let wait = 10.0

  init(_ words: [String]) { self.words = words }

  func run() -> ExitStatus {
    // For errors of the arguments themselves.
    isJSON = words.contains("--json")
    do {
      let options = try DriveOptions(words)
      isJSON = options.isJSON
      if options.commands.isEmpty, options.file == nil, isatty(0) != 0 {
        throw TideError(.driveUsage, "a verb is missing; tidelock drive --help lists them")
      }
      let descriptor = try options.file.map(Self.open) ?? 0
      defer { if descriptor > 0 { close(descriptor) } }
      let found: RunningApp
      do {
        if let start = options.start { app = try StartedApp(start, size: options.size) }
        found = try RunningApp.find(app.map { "\($0.process)" } ?? options.name)
      } catch let ended as StartedApp.Ended {
        return ended.status == .success ? .unavailable : ended.status
      } catch {
        report(error)
        return .noFile
      }
      defer { app?.end() }
      let client = try AttachClient(found)
      client.onMessage = { [unowned self] message in
        guard let text = message.text("text") else { return }
        if message.kind == "notice" { notices.append(text) }
      }
      for command in options.commands {
        if let status = try perform(command, client) { return status }
      }
      if !options.commands.isEmpty { return .success }
      for line in InputLines(descriptor) {
        for command in try DriveCommand.commands(inLine: line) {
          if let status = try perform(command, client) { return status }
        }
      }
      return .success
    } catch {
      report(error)
      return Self.status(of: error)
    }
  }

  private static func status(of error: any Error) -> ExitStatus {
    switch (error as? TideError)?.code {
    case .driveUsage: .driveUsage
    case .attach: .nothingToAttachTo
    case .scriptFile: .driveUsage
    default: .fault
    }
  }

  private static func open(_ path: String) throws(TideError) -> Int32 {
    if path == "-" { return 0 }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { return descriptor }
    throw TideError(.scriptFile, "cannot open \(path): \(SystemText.of(errno))")
  }

  // MARK: Verbs

  /// Sends a verb and prints its answer. Returns the exit status if it failed.
  private func perform(_ command: DriveCommand, _ client: AttachClient) throws -> ExitStatus? {
    notices = []
    let verb = command.verb.name
    let wait = try verb == "wait" ? command.timeout() ?? Self.wait : 0
    let answer: Message?
    do {
      answer = try client.ask(command.request, seconds: Self.patience + wait)
    } catch let error as TideError where error.code == .attach && verb == "quit" {
      // The app may end before its answer is sent.
      answer = Message("driven", ["lines": []])
    }
    guard let answer else {
      report(TideError(.attach, "\(client.name) does not answer \(verb)"), verb: verb)
      return .timedOut
    }
    if answer["error"] != nil {
      report(answer, verb)
      return answer.text("name") == TideError.Code.driveUsage.name ? .driveUsage : .errorsListed
    }
    if let text = answer.text("text"), answer.kind == "error" {
      throw TideError(.attach, text)
    }
    try show(answer, of: command)
    return nil
  }

  private func show(_ answer: Message, of command: DriveCommand) throws {
    let verb = command.verb.name
    var lines = (answer.texts("lines") ?? []) + (verb == "reload" ? notices : [])
    var value = answer.text("value")
    if let path = command.options["--svg"] {
      try FileOutput.write(lines.joined(separator: "\n"), to: path)
      (lines, value) = ([], path.quotedForJSON)
    } else if let path = command.options["--png"] {
      try PNGConverter.convert(lines.joined(separator: "\n"), to: path)
      (lines, value) = ([], path.quotedForJSON)
    }
    if isJSON {
      var object = JSONLine()
      object.add("verb", verb)
      object.add("ok", true)
      if let value { object.add("value", raw: value) }
      if value == nil, !lines.isEmpty { object.add("lines", lines) }
      output.writeLine(object.text)
    } else {
      // Only the host writes escape sequences, and only when asked.
      for line in lines {
        output.writeLine(command.options["--ansi"] == nil ? line.escapingControlsInLines : line)
      }
    }
  }

  private func report(_ answer: Message, _ verb: String) {
    if isJSON {
      var object = JSONLine()
      object.add("verb", verb)
      object.add("ok", false)
      object.add("error", raw: answer.diagnosticJSON)
      output.writeLine(object.text)
    } else {
      write(answer.diagnosticText(style: .plain))
    }
  }

  private func report(_ error: any Error, verb: String? = nil) {
    let diagnostic = Diagnostic(describing: error)
    guard isJSON else { return write(diagnostic.text()) }
    var object = JSONLine()
    if let verb { object.add("verb", verb) }
    object.add("ok", false)
    object.add("error", raw: diagnostic.json)
    output.writeLine(object.text)
  }

  private func write(_ text: String) { _ = StandardStreams.write(text + "\n", to: 2) }
}

extension ExitStatus {
  /// A usage error of `drive`.
  static let driveUsage = ExitStatus(2)
  /// The app did not answer.
  static let timedOut = ExitStatus(75)
}
