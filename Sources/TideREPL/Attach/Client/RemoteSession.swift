import TideSystem
package import TideBindings
import TideLua
package import TideScript

/// A session in another process's app; the counterpart of `Session`, which runs in this process.
///
/// Commands about files and the editor run in this process, everything else in the app. Whether a
/// text is complete is also decided here, so that typing never waits for the app.
package final class RemoteSession {
  package enum Result {
    case unfinished
    case values([String])
    /// The app's failure, as fields of a message.
    case failed(Message)
    case failedHere(TideError)
    case quit
  }

  package let client: AttachClient
  private let parser: LuaState
  private var chunks = TypedChunks()
  /// The width in columns for printed values.
  package var width = 80
  /// The numbers of the last text's results: `3..<4` for a result that is available as `_3`.
  package private(set) var results = 0..<0
  /// Whether the user wants to interrupt the running chunk; polled several times a second.
  package var isInterrupted: () -> Bool = { false }
  /// Called when the app has not stopped its chunk, with a hint on how to leave the session.
  package var onNoAnswer: (String) -> Void = { _ in }

  /// The exit code with which `exit` left this prompt.
  package private(set) var leavingCode: Int32?
  /// Whether this session asked the app to end.
  package private(set) var hasStoppedApp = false

  /// The number of unanswered interrupts after which the session ends.
  private static let patience = 3

  package init(_ client: AttachClient) throws {
    self.client = client
    parser = try LuaState(LuaConfiguration())
  }

  package func isFinished(_ text: String) -> Bool { PromptChunk.isFinished(text, in: parser) }

  package func completion(of text: String) -> Completion {
    if let blank = text.firstIndex(where: \.isWhitespace), text.first == ":",
      case .file? = MetaCommand.find(in: text)?.command.argument
    {
      return Completion(ofFile: text[blank...].drop(while: \.isWhitespace), in: text)
    }
    return client.completion(of: text)
  }

  /// Runs a text in the app and waits for its result.
  ///
  /// Throws if the connection to the app is lost.
  package func run(
    _ text: String, isComplete: Bool = false, at origin: ChunkOrigin = ChunkOrigin()
  ) throws -> Result {
    results = 0..<0
    do {
      if let line = MetaCommand.text(in: text),
        let (command, argument) = MetaCommand.find(in: line),
        command.isAtPrompt || command.name == "quit", !command.isCut(argument)
      {
        return try run(command, argument)
      }
    } catch let error as TideError where error.code != .attach {
      return .failedHere(error)
    }
    return try evaluate(text, isComplete: isComplete, at: origin)
  }

  /// Splits a text into parts that run one after another.
  package func parts(of text: String) -> [PromptScript.Part] {
    PromptScript(text).checkedParts(in: parser)
  }

  private func run(_ command: MetaCommand, _ argument: String) throws -> Result {
    switch command.name {
    case "quit": return .quit
    case "save": return .values([try ChunkFile.save(chunks.texts, to: argument)])
    case "edit": return try evaluate(ChunkFile.edit(chunks.last ?? ""), isComplete: true)
    default:
      let text = try ScriptFile.read(argument)
      return try ask(Message("load", ["name": .text(argument), "text": .text(text)]))
    }
  }

  private func evaluate(
    _ text: String, isComplete: Bool, at origin: ChunkOrigin = ChunkOrigin()
  ) throws -> Result {
    var request = Message("evaluate", ["text": .text(text), "width": .number(width)])
    if !isComplete { request["unfinished"] = true }
    if origin.line > 1 { request["line"] = .number(origin.line) }
    if origin.isInput { request["input"] = true }
    let command = MetaCommand.text(in: text)
    if let command, MetaCommand.find(in: command)?.command.name == "stop" { hasStoppedApp = true }
    let result = try ask(request)
    if case .unfinished = result { return result }
    if command == nil { chunks.add(text) }
    return result
  }

  private func ask(_ request: Message) throws -> Result {
    var interrupts = 0
    let answer = try client.ask(request) {
      guard isInterrupted() else { return }
      interrupts += 1
      if interrupts >= Self.patience {
        throw TideError(.interrupted, "left \(client.name), which does not answer")
      }
      if interrupts > 1 {
        onNoAnswer("\(client.name) does not answer; Ctrl-C once more leaves it")
      }
      try client.interrupt()
    }
    guard let answer else { return .values([]) }
    results = Self.results(of: answer)
    if answer.flag("quit") {
      leavingCode = answer.number("code").map { Int32(truncatingIfNeeded: $0) }
      return .quit
    }
    if answer.flag("unfinished") { return .unfinished }
    if let text = answer.text("text"), answer.kind == "error" {
      return .failedHere(TideError(.attach, text))
    }
    return answer["error"] == nil ? .values(answer.texts("values") ?? []) : .failed(answer)
  }

  /// The numbers of an answer's results; empty if the app sends invalid numbers.
  private static func results(of answer: Message) -> Range<Int> {
    guard let first = answer.number("first"), let count = answer.number("results"),
      (0...(answer.texts("values")?.count ?? 0)).contains(count), first >= 0,
      first <= Int.max - count
    else { return 0..<0 }
    return first..<first + count
  }
}

extension Message {
  /// The failure as text for people. The app's text is escaped and styled here, because an
  /// untrusted app must not control the terminal.
  package func diagnosticText(style: DiagnosticStyle) -> String {
    let plain = (text("error") ?? "").escapingControlsInLines
    var lines = plain.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard style.isColored, let first = lines.first else { return plain }
    lines[0] = styledHeading(first, style)
    for (index, line) in lines.enumerated().dropFirst() {
      if line.hasPrefix("  from ") {
        lines[index] = "  " + style.caller(String(line.dropFirst(2)))
      } else if line.last == "^", line.dropLast().allSatisfy({ $0 == " " }) {
        lines[index] = String(line.dropLast()) + style.caret("^")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Styles the location, kind and message of a first line that contains them.
  private func styledHeading(_ line: String, _ style: DiagnosticStyle) -> String {
    var location = text("file").map { $0.escapingControls + ":" } ?? ""
    if let line = number("line") { location += "\(line):" }
    if let column = number("column") { location += "\(column):" }
    let code = (text("code") ?? "").escapingControls
    let kind = "error[\(code)]:"
    let start = (location.isEmpty ? "" : location + " ") + kind + " "
    guard line.hasPrefix(start) else { return line }
    return (location.isEmpty ? "" : style.location(location) + " ") + style.kind(kind) + " "
      + style.message(String(line.dropFirst(start.count)))
  }

  /// The failure as one line of JSON, in the format of the program's own diagnostics.
  package var diagnosticJSON: String {
    var object = JSONLine()
    object.add("severity", "error")
    for (name, value) in fields {
      switch (name, value) {
      case ("code", .text(let text)), ("name", .text(let text)), ("message", .text(let text)),
        ("file", .text(let text)):
        object.add(name, text)
      case ("line", .number(let number)), ("column", .number(let number)): object.add(name, number)
      case ("callers", .texts(let texts)): object.add(name, texts)
      default: break
      }
    }
    return object.text
  }
}
