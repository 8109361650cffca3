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

/// What was typed in earlier sessions, one entry a chunk, in the user's folder for state.
struct HistoryFile {
  private let path: String?

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let base = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { $0 + "/.local/state" }
    path = base.map { $0 + "/tidelock/history" }
  }

  /// Line ends within an entry are written as `\\n`.
  var entries: [String] {
    guard let path, let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").map { Self.decoded($0) }
  }

  /// Adds an entry; where the file cannot be written the session goes on without it.
  func add(_ entry: String) {
    if entry.allSatisfy(\.isWhitespace) { return }
    guard let path else { return }
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { return }
    _ = StandardStreams.write(Self.encoded(entry) + "\n", to: descriptor)
    close(descriptor)
  }

  private static func encoded(_ entry: String) -> String {
    entry.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func decoded(_ line: Substring) -> String {
    var text = ""
    var isEscaped = false
    for character in line {
      if isEscaped {
        text.append(character == "n" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }
}
