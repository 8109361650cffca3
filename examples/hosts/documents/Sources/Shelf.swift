import FoundationEssentials
import Tidelock

/// A text, and what scripts find out about it.
final class Document: DataObject {
  @Property var text = ""
  @Property var words = 0
  @Property var title = ""
}

/// Keeps documents, each with a runtime of its own: what one script breaks is no other's business.
actor Shelf {
  struct Summary: Sendable {
    var title: String
    var words: Int
  }

  private struct Entry {
    var document: Document
    var runtime: Runtime
  }

  private let worker = Worker()
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
  private let script: String
  private var entries: [Int: Entry] = [:]

  init(script: String) { self.script = script }

  /// Puts a text into a document, and says what its script has made of it.
  func edit(_ number: Int, _ text: String) throws -> Summary {
    let entry = try entries[number] ?? open(number)
    let errors = entry.runtime.errors.count
    entry.document.text = text
    entry.runtime.settle()
    if entry.runtime.errors.count > errors, let error = entry.runtime.errors.last { throw error }
    return Summary(title: entry.document.title, words: entry.document.words)
  }

  var count: Int { entries.count }

  private func open(_ number: Int) throws -> Entry {
    var configuration = Runtime.Configuration(memory: .megabytes(4), turn: .milliseconds(500))
    configuration.print = { print("document \(number): \($0)") }
    let runtime = try Runtime(app: URL(filePath: script), configuration: configuration)
    let document = Document()
    try runtime.register("document", document)
    try runtime.load()
    let entry = Entry(document: document, runtime: runtime)
    entries[number] = entry
    return entry
  }
}
