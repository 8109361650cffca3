import TideBindings
import TideGraph

/// A string-keyed map whose entries come and go; a missing key reads as nil.
final class DictionaryObject: DataObject {
  private var entries: [DictionaryKey: Value] = [:]

  private static let dictionaryShape = Shape(
    name: "dict",
    properties: [
      PropertyDescription(" version", .integer, initial: .integer(0), isReadOnly: true)
    ])

  override init() { super.init(shape: Self.dictionaryShape) }

  subscript(key: DictionaryKey) -> Value {
    Graph.trackRead(of: slot(0))
    return entries[key] ?? .null
  }

  func set(_ key: DictionaryKey, _ value: Value) {
    if entries[key] ?? .null == value { return }
    let old =
      value == .null ? entries.removeValue(forKey: key) : entries.updateValue(value, forKey: key)
    // Letting go of it may run scripts, which may read this dict.
    defer { withExtendedLifetime(old) {} }
    _ = graph.write(slot(0), .integer(Int.load(slot(0)) &+ 1))
  }

  /// Adds what the entries take, to what scripts hold.
  func addHeld(to meter: inout MemoryMeter) {
    meter.add(entries.capacity * Self.entryWeight)
    for (key, value) in entries {
      meter.add(key.byteCount > 15 ? key.byteCount + 48 : 0)
      meter.add(value)
    }
  }

  /// What another entry may take: where the table is full, a larger one beside it.
  var growth: Int {
    Weight.entry + (entries.count < entries.capacity ? 0 : 2 * entries.capacity * Self.entryWeight)
  }

  private static let entryWeight = 64

  override func dynamicValue(of name: String) -> Value? { self[.text(name)] }

  var count: Int {
    Graph.trackRead(of: slot(0))
    return entries.count
  }

  var keys: [DictionaryKey] {
    Graph.trackRead(of: slot(0))
    return entries.keys.sorted()
  }
}

extension DictionaryObject: DescribedObject {
  var describedText: String {
    let fields = entries.sorted { $0.key < $1.key }.map { "\($0.key.text) = \($0.value.literal)" }
    return fields.isEmpty ? "dict {}" : "dict { \(fields.joined(separator: ", ")) }"
  }
}
