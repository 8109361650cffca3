import TideBindings
import TideREPL
import TideScript
import TideTerminal

/// A prompt attached to an app in another process.
final class AttachedConversation: Conversation {
  private let session: RemoteSession
  private let reporter: Reporter
  private let loop: EventLoop
  /// Shows the app's output and notices.
  private let show: (_ line: String, _ isNotice: Bool) -> Void

  init(
    to name: String, _ reporter: Reporter,
    show: @escaping (_ line: String, _ isNotice: Bool) -> Void
  ) throws {
    self.reporter = reporter
    self.show = show
    loop = try EventLoop()
    session = try RemoteSession(AttachClient(RunningApp.find(name)))
    session.isInterrupted = Interrupts.take
    session.onNoAnswer = { show($0, true) }
    session.client.onMessage = { [unowned self] message in
      if message.kind == "left" {
        ending = ExitStatus(Int32(truncatingIfNeeded: message.number("code") ?? 0))
      }
      guard let text = message.text("text") else { return }
      show(text, message.kind != "output")
    }
  }

  func parts(of text: String) -> [PromptScript.Part] { session.parts(of: text) }

  func run(_ text: String, isComplete: Bool, at origin: ChunkOrigin) throws -> Reply {
    switch try session.run(text, isComplete: isComplete, at: origin) {
    case .unfinished: .unfinished
    case .values(let lines): .values(lines)
    case .failed(let message):
      message.text("name") == TideError.Code.interrupted.name
        ? .interrupted(reporter.text(of: message)) : .failed(reporter.text(of: message))
    case .failedHere(let error): .failed(reporter.text(of: error))
    case .quit: .quit(ExitStatus(session.leavingCode ?? 0))
    }
  }

  var results: Range<Int> { session.results }

  func completion(of text: String) -> Completion { session.completion(of: text) }
  func isFinished(_ text: String) -> Bool { session.isFinished(text) }

  func wait(for editor: LineEditor) throws {
    guard let descriptor = editor.inputDescriptor else { return }
    var failure: (any Error)?
    let input = try loop.watch(descriptor: descriptor) { editor.readInput() }
    defer { input.cancel() }
    let client = session.client
    let output = try loop.watch(descriptor: client.descriptor) {
      do { try client.readWhatIsThere() } catch { failure = failure ?? error }
    }
    defer { output.cancel() }
    // Messages that arrived together with an answer are already buffered.
    try client.readWhatIsThere()
    while editor.isReading, failure == nil, ending == nil { loop.turn() }
    if let failure { throw failure }
  }

  /// The status after `exit` has left the prompt asynchronously, for example from a timer. The end
  /// of the app is reported as an error instead.
  private(set) var ending: ExitStatus?
  var status: ExitStatus { ending ?? .success }
  /// Whether this prompt asked the app to end.
  var hasStoppedApp: Bool { session.hasStoppedApp }
  /// The app keeps running.
  func end(isBound: Bool) -> Bool { true }

  var width: Int {
    get { session.width }
    set { session.width = newValue }
  }

  var greeting: String {
    let client = session.client
    let process = client.greeting.number("process").map { "-\($0)" } ?? ""
    return
      "attached to \(client.name)\(process). :help lists commands, Ctrl-D leaves and lets it run."
  }
}
