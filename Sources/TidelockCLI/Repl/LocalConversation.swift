import ArgumentParser
import TideBindings
import TideLua
import TideREPL
import TideRun
import TideScript
import TideTerminal

/// A prompt for a runtime of this program.
final class LocalConversation: Conversation {
  private let session: Session
  private let reporter: Reporter
  private let loop: AppLoop

  init(_ session: Session, _ reporter: Reporter) {
    self.session = session
    self.reporter = reporter
    loop = AppLoop(session.runtime)
    session.isInterrupted = Interrupts.take
  }

  private var runtime: Runtime { session.runtime }

  var interrupter: LuaInterrupter? { runtime.lua.interrupter }

  func parts(of text: String) -> [PromptScript.Part] { session.parts(of: text) }

  func run(_ text: String, isComplete: Bool, at origin: ChunkOrigin) -> Reply {
    switch session.run(text, isComplete: isComplete, at: origin) {
    case .unfinished: .unfinished
    case .values(let lines): .values(lines)
    case .failed(let error) where error.code == .interrupted:
      .interrupted(reporter.text(of: error))
    case .failed(let error): .failed(reporter.text(of: error))
    case .quit: .quit(.success)
    }
  }

  var results: Range<Int> { session.results }

  func completion(of text: String) -> Completion { session.completion(of: text) }
  func isFinished(_ text: String) -> Bool { session.isFinished(text) }

  func wait(for editor: LineEditor) throws {
    guard let descriptor = editor.inputDescriptor else { return }
    let watch = try runtime.loop.watch(descriptor: descriptor) { editor.readInput() }
    defer { watch.cancel() }
    try loop.run(while: { editor.isReading })
  }

  func end(isBound: Bool) throws -> Bool {
    loop.keepsRunning = { !isBound }
    // Ctrl-C ends the waiting.
    loop.afterTurn = { [unowned runtime] in
      if Interrupts.take() { runtime.exit(ExitStatus.interrupted.code) }
    }
    defer { loop.afterTurn = {} }
    return try loop.quit(within: isBound ? AppLoop.timeOfEnding : nil)
  }

  var ending: ExitStatus? { runtime.exitCode.map { ExitStatus($0) } }

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
