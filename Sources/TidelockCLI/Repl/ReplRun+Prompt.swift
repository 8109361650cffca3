import ArgumentParser
import Foundation
import TideBindings
import TideREPL
import TideScript
import TideTerminal

extension ReplRun {
  /// Reads at a prompt until the person leaves or the app ends.
  func converse(at session: Session) throws -> ExitStatus {
    let runtime = session.runtime
    let editor = LineEditor()
    let file = HistoryFile()
    editor.entries = file.entries
    editor.complete = { text in
      let found = session.completion(of: text)
      return (found.start, found.words)
    }
    editor.isFinished = { session.isFinished($0) }
    var texts: [String] = []
    var ending: ExitStatus?
    editor.onText = { texts.append($0) }
    editor.onEnd = { ending = .success }
    editor.onSignal = { ending = .signal($0) }
    printAbove = { [weak editor] line in
      guard let editor, editor.isReading else { return false }
      editor.printAbove(line)
      return true
    }
    defer { printAbove = { _ in false } }
    output.writeLine(
      "tidelock \(TidelockCommand.configuration.version). :help lists commands, Ctrl-D leaves.")
    while ending == nil, runtime.exitCode == nil {
      try editor.begin(prompt: "> ", continuation: "…> ")
      guard let descriptor = editor.inputDescriptor else { break }
      let watch = try runtime.loop.watch(descriptor: descriptor) { editor.readInput() }
      while editor.isReading, runtime.exitCode == nil { runtime.turn() }
      watch.cancel()
      for text in texts where ending == nil {
        file.add(text)
        _ = Interrupts.take()
        let result = session.run(text, isComplete: true)
        if case .quit = result { ending = .success } else { _ = show(result) }
      }
      texts = []
    }
    return ending ?? runtime.exitCode.map { ExitStatus(code: $0) } ?? .success
  }
}
