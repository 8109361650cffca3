import TideSystem
import ArgumentParser
import TideBindings
import TideLua
import TideREPL
import TideScript
import TideTerminal

extension ReplRun {
  /// Reads input until the user leaves or the app ends.
  func converse(
    at conversation: any Conversation, _ file: HistoryFile
  ) throws -> ExitStatus {
    let editor = LineEditor()
    editor.entries = file.entries
    editor.complete = { text in
      let found = conversation.completion(of: text)
      return (found.start, found.words)
    }
    if options.color.outputStyle.isColored {
      editor.colors = { SyntaxColors.spans(of: $0).map { ($0.range, $0.codes) } }
    }
    editor.isFinished = { conversation.isFinished($0) }
    var texts: [String] = []
    var ending: ExitStatus?
    editor.onText = { texts.append($0) }
    if let interrupter = conversation.interrupter {
      editor.onUnheardInterrupt = { interrupter.interrupt() }
    }
    editor.onEnd = { ending = .success }
    editor.onSignal = { ending = .signal($0) }
    printAbove = { [weak editor] line in
      guard let editor, editor.isReading else { return false }
      editor.printAbove(line)
      return true
    }
    // Removes the prompt before the end is reported.
    defer {
      editor.stop()
      printAbove = { _ in false }
    }
    output.writeLine(conversation.greeting.escapingControls)
    while true {
      if ending != nil || conversation.ending != nil {
        editor.stop()
        let isBound = ending.map { $0 != .success } ?? false
        if try conversation.end(isBound: isBound) { break }
        ending = nil
        output.writeLine("the app stays, as a handler of willQuit wants it")
      }
      try editor.begin(prompt: "> ", continuation: "…> ")
      try conversation.wait(for: editor)
      conversation.width = editor.columns
      for text in texts where ending == nil {
        file.add(text)
        switch try run(text, conversation, isNumbered: true) {
        case .quit(let status): ending = status
        case .interrupted: editor.forgetTypedAhead()
        default: break
        }
      }
      texts = []
    }
    return ending ?? conversation.ending ?? .success
  }
}
