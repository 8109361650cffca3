import TideCheck
import TideScript
import TideSystem

/// What the running app adds to the hover of a name.
struct LiveLook: Sendable {
  private let live: LiveApp
  /// The path of the property, and its value.
  private let value: (path: String, text: String)?
  /// The line in the file that the app runs; nil if the text has unsaved changes.
  private let line: Int?
  private let file: String

  /// How long the app may take, in seconds, because the rest of the hover waits for it.
  private static let patience = 0.15

  /// Nil if no app runs.
  init?(at range: Range<Int>, _ question: ScriptQuestion) {
    guard let live = question.server.live, live.isAttached else { return nil }
    self.live = live
    file = question.path
    let paths = question.script.livePaths(in: 0..<question.script.bytes.count)
    value = paths.first { $0.name == range }.flatMap { place in
      live.value(of: place.path, in: question.path).map { (place.path, $0) }
    }
    let isSaved =
      (try? ScriptFile.read(question.path)).map { Array($0.utf8) }
      == question.script.bytes
    line = isSaved ? question.text.position(of: range.lowerBound).line + 1 : nil
  }

  /// Asks the app, which may take a while.
  var text: String {
    var text = ""
    if let value {
      text += "\n\nIn the running app: " + Markdown.code(value.text)
      let causes = live.evaluate(":why \(value.path)", seconds: Self.patience) ?? ""
      if !causes.isEmpty { text += "\n\n" + Markdown.block(causes) }
    }
    guard let line else { return text }
    let bindings = live.bindings(madeIn: file, line: line, seconds: Self.patience)
    for binding in bindings.prefix(3) {
      text += "\n\nIn the running app, \(Markdown.code(binding.text)): \(binding.cost)"
      if let error = binding.error { text += "; error: \(Markdown.code(error))" }
    }
    return text
  }
}
