import AttackFiles
import TideREPL

/// Somebody who looks into an app, and asks for the same again and again.
final class DoorInspector {
  private let assault: Assault
  private let look: Door.Entry.Look
  /// The model of the door, by the name under which it is asked for.
  private var node: String?
  private var asked = 0
  private var isWaiting = false

  init(_ assault: Assault, _ look: Door.Entry.Look) {
    self.assault = assault
    self.look = look
  }

  /// What to ask next; nil while the answer before is awaited.
  func next() -> Message? {
    if isWaiting { return nil }
    isWaiting = true
    guard let node else {
      return Message("inspect", ["ask": .text("children"), "node": .text("models")])
    }
    defer { asked += 1 }
    if look == .reads {
      return Message("inspect", ["ask": .text("properties"), "node": .text(node)])
    }
    return Message(
      "inspect",
      [
        "ask": .text("set"), "node": .text(node), "name": .text("n"),
        "text": .text(assault.textForInspector(asked)),
      ])
  }

  func take(_ answer: Message) {
    guard answer.kind == "inspection" else { return }
    isWaiting = false
    if node != nil { return }
    let item = answer.texts("items")?.first { $0.contains("\"label\":\"looked\"") }
    guard let item, let start = item.firstRange(of: "\"node\":\"")?.upperBound else { return }
    node = String(item[start...].prefix { $0 != "\"" })
  }
}
