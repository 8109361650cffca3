import ArgumentParser
import TideBindings
import TideLua
import TideREPL
import TideScript
import TideTerminal

/// A prompt in a runtime of this program.
final class LocalConversation: Conversation {
  private let session: Session
  private let reporter: Reporter

  init(_ session: Session, _ reporter: Reporter) {
    self.session = session
    self.reporter = reporter
    session.isInterrupted = Interrupts.take
  }

  private var runtime: Runtime { session.runtime }

  var interrupter: LuaInterrupter? { runtime.lua.interrupter }

  func run(_ text: String, isComplete: Bool) -> Reply {
    switch session.run(text, isComplete: isComplete) {
    case .unfinished: .unfinished
    case .values(let lines): .values(lines)
    case .failed(let error): .failed(reporter.text(of: error))
    case .quit: .quit
    }
  }

  func completion(of text: String) -> Completion { session.completion(of: text) }
  func isFinished(_ text: String) -> Bool { session.isFinished(text) }

  func wait(for editor: LineEditor) throws {
    guard let descriptor = editor.inputDescriptor else { return }
    let watch = try runtime.loop.watch(descriptor: descriptor) { editor.readInput() }
    defer { watch.cancel() }
    while editor.isReading, runtime.exitCode == nil { runtime.turn() }
  }

  func end(isBound: Bool) -> Bool {
    let quits = runtime.quits(
      within: isBound ? 1 : nil, while: { !isBound || runtime.loop.hasWork }
    ) {
      runtime.turn()
      // Ctrl-C ends the wait from here on.
      if Interrupts.take() { runtime.exit(ExitStatus.interrupted.code) }
    }
    if quits { runtime.end() }
    return quits
  }

  var ending: ExitStatus? { runtime.exitCode.map { ExitStatus(code: $0) } }

  var status: ExitStatus {
    ending ?? (runtime.listedErrors > 0 ? .errorsListed : .success)
  }

  var width: Int {
    get { session.width }
    set { session.width = newValue }
  }

  var greeting: String {
    "tidelock \(TidelockCommand.configuration.version). :help lists commands, Ctrl-D leaves."
  }
}
