import TideBindings
import TideREPL
import TideScript
import TideTerminal

/// A prompt in an app that runs elsewhere.
final class AttachedConversation: Conversation {
  private let session: RemoteSession
  private let reporter: Reporter
  private let loop: EventLoop
  /// For what the app prints, and for what happens to it.
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
    session.client.onMessage = { message in
      guard let text = message.text("text") else { return }
      show(text, message.kind != "output")
    }
  }

  func run(_ text: String, isComplete: Bool) throws -> Reply {
    switch try session.run(text, isComplete: isComplete) {
    case .unfinished: .unfinished
    case .values(let lines): .values(lines)
    case .failed(let message): .failed(reporter.text(of: message))
    case .failedHere(let error): .failed(reporter.text(of: error))
    case .quit: .quit
    }
  }

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
    // What came with an answer waits in this program already.
    try client.readWhatIsThere()
    while editor.isReading, failure == nil { loop.turn() }
    if let failure { throw failure }
  }

  /// The end of the app is reported as an error.
  var ending: ExitStatus? { nil }
  var status: ExitStatus { .success }
  /// The app runs on.
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
