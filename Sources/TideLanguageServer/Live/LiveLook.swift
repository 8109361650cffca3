import TideCheck
import TideScript
import TideSystem

/// The running app's additions to the hover of a name.
struct LiveLook: Sendable {
  private let live: LiveApp
  /// The path of the property, and its current value.
  private let value: (path: String, text: String)?
  /// The line in the app's file; nil if the document has unsaved changes.
  private let line: Int?
  private let file: String

  /// The timeout for the app in seconds, because the rest of the hover waits for it.
  private static let patience = 0.15

  /// Nil if no app is running.
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

  /// Requests the details from the app, which may take a while.
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
