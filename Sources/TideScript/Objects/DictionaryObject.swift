import TideBindings
import TideGraph

/// A string-keyed map whose entries come and go; a missing key reads as nil.
final class DictionaryObject: DataObject {
  private var entries: [String: Value] = [:]

  private static let dictionaryShape = Shape(
    name: "dict",
    properties: [
      PropertyDescription(" version", .integer, initial: .integer(0), isReadOnly: true)
    ])

  override init() { super.init(shape: Self.dictionaryShape) }

  subscript(key key: String) -> Value {
    Graph.trackRead(of: slot(0))
    return entries[key] ?? .null
  }

  func set(key: String, _ value: Value) {
    if entries[key] ?? .null == value { return }
    if value == .null { entries.removeValue(forKey: key) } else { entries[key] = value }
    _ = graph.write(slot(0), .integer(Int.load(slot(0)) &+ 1))
  }

  /// Adds what the entries take, to what scripts hold.
  func addHeld(to meter: inout MemoryMeter) {
    meter.add(entries.capacity * 56)
    for (key, value) in entries {
      meter.add(key)
      meter.add(value)
    }
  }

  override func dynamicValue(of name: String) -> Value? { self[key: name] }

  var count: Int {
    Graph.trackRead(of: slot(0))
    return entries.count
  }

  var keys: [String] {
    Graph.trackRead(of: slot(0))
    return entries.keys.sorted()
  }
}

extension DictionaryObject: DescribedObject {
  var describedText: String {
    let fields = entries.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.literal)" }
    return fields.isEmpty ? "dict {}" : "dict { \(fields.joined(separator: ", ")) }"
  }
}
