import TideBindings
import TideScript

/// The session of one attached prompt, on the app's thread. It runs requests one after another and
/// answers them.
final class AttachedSession {
  private let session: Session
  /// The session's inspection of the app, created by its first `inspect` request.
  private var inspection: Inspection?
  private let driver: Driver
  private let number: Int
  private let mailbox: SocketMailbox
  /// Requests that arrived while a chunk runs or waits.
  private var waiting: [Message] = []
  private var isBusy = false
  private var isGoingOn = false
  private var hasEnded = false

  init(
    _ session: Session, number: Int, mailbox: SocketMailbox, driving host: DriveHost
  ) throws {
    self.session = session
    driver = Driver(session, number: number, host: host)
    self.number = number
    self.mailbox = mailbox
    try session.attach()
    session.onLeaving = { [mailbox, number] code in
      mailbox.send(Message("left", ["code": .number(Int(code))]), to: number)
    }
    session.onOutput = { [mailbox, number] line in
      mailbox.send(Message("output", ["text": .text(line)]), to: number)
    }
    session.onRunning = { [mailbox, number] in mailbox.setRunning($0 ? number : nil) }
  }

  /// Whether the app's current output comes from this session's chunk.
  var isPrinting: Bool { session.isCalling }

  func take(_ message: Message) {
    switch message.kind {
    case "complete": complete(message)
    case "inspect": inspect(message)
    case "evaluate", "load", "drive":
      waiting.append(message)
      goOn()
    default:
      var answer = reply(to: message, "error")
      answer["text"] = .text(
        "there is no request \"\(message.kind)\"; there are evaluate, load, drive, complete, inspect and interrupt"
      )
      mailbox.answer(answer, to: number)
    }
  }

  func interrupt() {
    // Stops a waiting chunk; a running one has already been interrupted by the socket thread.
    guard isBusy, mailbox.takeInterrupt(of: number) else { return }
    session.stop()
    driver.stop()
  }

  func end() {
    hasEnded = true
    waiting = []
    session.stop()
    driver.end()
    session.onOutput = { _ in }
    inspection = nil
  }

  /// Reports a reload of the app.
  func note(reload line: String) { inspection?.note(reload: line) }

  private func inspect(_ message: Message) {
    do {
      let inspection =
        try inspection
        ?? Inspection(session.runtime) { [mailbox, number] in mailbox.send($0, to: number) }
      self.inspection = inspection
      mailbox.answer(inspection.answer(message), to: number)
    } catch {
      var answer = reply(to: message, "inspection")
      answer["error"] = .text("\(error)")
      mailbox.answer(answer, to: number)
    }
  }

  private func reply(to message: Message, _ kind: String) -> Message {
    var answer = Message(kind)
    if let id = message["id"] { answer["id"] = id }
    return answer
  }

  private func complete(_ message: Message) {
    var answer = reply(to: message, "completion")
    let found = session.completion(of: message.text("text") ?? "")
    answer["start"] = .number(found.start)
    answer["words"] = .texts(found.words)
    mailbox.answer(answer, to: number)
  }

  // MARK: Running

  private func goOn() {
    // A chunk that ends at once re-enters this function.
    if isGoingOn { return }
    isGoingOn = true
    defer { isGoingOn = false }
    while !isBusy, !hasEnded, !waiting.isEmpty { run(waiting.removeFirst()) }
  }

  private func run(_ message: Message) {
    isBusy = true
    if let width = message.number("width") { session.width = min(max(20, width), 1000) }
    let text = message.text("text") ?? ""
    let then: (ChunkResult) -> Void = { [self] in finish(message, $0) }
    if mailbox.takeInterrupt(of: number) {
      return then(.failed(TideError(.interrupted, "interrupted")))
    }
    if message.kind == "drive" { return driver.perform(message) { [self] in finish(message, $0) } }
    if message.kind == "load" {
      session.start(file: message.text("name") ?? "attached", text, then: then)
    } else {
      session.start(
        text, isComplete: !message.flag("unfinished"), at: ChunkOrigin(message), then: then)
    }
  }

  private func finish(_ message: Message, _ result: ChunkResult) {
    // The chunk has ended, so a pending interrupt has nothing to stop.
    _ = mailbox.takeInterrupt(of: number)
    var answer = reply(to: message, "result")
    switch result {
    case .values(let lines):
      answer["values"] = .texts(lines)
      let results = session.results
      if !results.isEmpty {
        answer["first"] = .number(results.lowerBound)
        answer["results"] = .number(results.count)
      }
    case .unfinished: answer["unfinished"] = true
    case .quit:
      answer["quit"] = true
      if let code = session.leavingCode { answer["code"] = .number(Int(code)) }
    case .failed(let error): Diagnostic(error).describe(in: &answer)
    }
    end(with: answer)
  }

  private func finish(_ message: Message, _ result: DriveAnswer) {
    var answer = reply(to: message, "driven")
    switch result {
    case .done(let lines, let json):
      answer["lines"] = .texts(lines)
      if let json { answer["value"] = .text(json) }
    case .failed(let error): Diagnostic(error).describe(in: &answer)
    }
    end(with: answer)
  }

  private func end(with answer: Message) {
    mailbox.answer(answer, to: number)
    isBusy = false
    goOn()
  }
}

extension ChunkOrigin {
  /// The start of a request's text, in the sender's line numbers.
  fileprivate init(_ message: Message) {
    self.init(line: message.number("line") ?? 1, isInput: message.flag("input"))
  }
}

extension Diagnostic {
  /// Adds the diagnostic's text and its parts to a message.
  fileprivate func describe(in message: inout Message) {
    message["error"] = .text(text())
    message["colored"] = .text(text(style: .colored))
    message["code"] = .text(code.label)
    message["name"] = .text(code.name)
    message["message"] = .text(self.message)
    if let file { message["file"] = .text(file) }
    if let line { message["line"] = .number(line) }
    if let column { message["column"] = .number(column) }
    if !callers.isEmpty { message["callers"] = .texts(callers) }
  }
}
