import AttackFiles
import TideSystem
import WebClients

/// A viewer of an app that is served, who does the same again and again.
final class DoorViewer {
  private let client: RawClient
  private let tree: String
  private(set) var hasEnded = false

  /// - Parameter address: as the server prints it: `http://127.0.0.1:8765/?token=…`.
  init(_ address: String) throws {
    let request = WebAddress(address)
    client = try RawClient(port: request.port)
    client.send(request.upgrade())
    _ = client.head()
    tree = client.message() ?? ""
    hasEnded = tree.isEmpty || tree.hasPrefix("[[\"end\"")
  }

  /// Does for the so many-th time what leads to a door.
  func act(_ entry: Door.Entry, _ number: Int) {
    while client.hasInput {
      guard let message = client.message(), !message.hasPrefix("[[\"end\"") else {
        hasEnded = true
        return
      }
    }
    guard case .page(let event, _) = entry else { return }
    switch event {
    case .press: client.say("[\(number),\"press\",\(view("button"))]")
    case .edit: client.say("[\(number),\"edit\",\(view("field")),0,0,\"x\"]")
    case .key: client.say("[\(number),\"key\",\(view("button")),\"F2\"]")
    case .select: client.say("[\(number),\"select\",\(view("list")),\(number % 2),\"\"]")
    case .value: client.say("[\(number),\"value\",\(view("slider")),\(number % 10)]")
    case .menu: client.say("[\(number),\"menu\",\(view("button")),[0]]")
    case .click: client.say("[\(number),\"click\",\(view("button")),0,0,0]")
    }
  }

  /// The number of the first view of a class, as the page was told.
  private func view(_ className: String) -> String {
    guard let end = tree.firstRange(of: ",\"\(className)\"")?.lowerBound else { return "0" }
    return String(tree[..<end].reversed().prefix { $0.isNumber }.reversed())
  }

  /// Whether the server still gives its page.
  static func isAnswered(_ address: String) -> Bool {
    let request = WebAddress(address)
    guard let client = try? RawClient(port: request.port) else { return false }
    client.send(request.get("/"))
    return client.head().hasPrefix("HTTP/1.1 200")
  }
}
