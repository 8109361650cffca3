import Glibc
import Testing
import WebClients

/// A page of a served app: the texts that it is sent, and what a person does in it.
///
/// ```swift
/// let page = try PageReader(url)
/// page.wait(for: "3 services")
/// page.press("F5", in: "column")
/// ```
final class PageReader {
  private let client: RawClient
  /// All that has come.
  private(set) var text = ""
  private var number = 0
  /// The lists whose rows have been asked for.
  private var asked: Set<String> = []

  /// - Parameters:
  ///   - url: as the server prints it: `http://127.0.0.1:8765/?token=…`.
  ///   - place: where its page connects.
  init(_ url: String, at place: String = "/ws") throws {
    let address = WebAddress(url)
    client = try RawClient(port: address.port)
    client.send(address.upgrade(place))
    _ = client.head()
    text = client.message() ?? ""
    askForRows()
  }

  /// Reads until a text has come.
  func wait(for wanted: String, sourceLocation: SourceLocation = #_sourceLocation) {
    for _ in 0..<2000 {
      read()
      if text.contains(wanted) { return }
      usleep(10_000)
    }
    Issue.record("\"\(wanted)\" never came in \(text.suffix(4000))", sourceLocation: sourceLocation)
  }

  /// Forgets what has come so far, but for the views' numbers.
  func clear() {
    read()
    views.merge(found()) { $1 }
    text = ""
  }

  /// Presses a key while the first view of a class has the focus.
  func press(_ key: String, in viewClass: String) { say("key", viewClass, ",\"\(key)\"") }

  /// Clicks the first view of a class.
  func click(_ viewClass: String) { say("press", viewClass) }

  private var views: [String: String] = [:]

  private func say(_ event: String, _ viewClass: String, _ rest: String = "") {
    let view = found()[viewClass] ?? views[viewClass] ?? "0"
    number += 1
    client.say("[\(number),\"\(event)\",\(view)\(rest)]")
  }

  private func read() {
    while client.hasInput, let message = client.message() { text += message }
    askForRows()
  }

  /// A page asks for the rows that it shows.
  private func askForRows() {
    for match in text.matches(of: #/(\d+),"(?:list|table)"/#)
    where asked.insert(String(match.output.1)).inserted {
      number += 1
      client.say("[\(number),\"rows\",\(match.output.1),0,50]")
    }
  }

  /// The numbers of the first views of each class.
  private func found() -> [String: String] {
    var found: [String: String] = [:]
    for match in text.matches(of: #/(\d+),"([a-z]+)"/#) {
      let viewClass = String(match.output.2)
      if found[viewClass] == nil { found[viewClass] = String(match.output.1) }
    }
    return found
  }
}
