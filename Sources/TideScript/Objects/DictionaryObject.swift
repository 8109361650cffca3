import TideBindings
import TideGraph

/// A string-keyed map whose entries come and go; a missing key reads as nil.
final class DictionaryObject: DataObject {
  private var entries: [DictionaryKey: Value] = [:]

  private var observers: [WeakObserver] = []

  private static let dictionaryShape = Shape(
    name: "dict", properties: [], swiftClasses: [], hiddenSlots: 1)

  override init() {
    super.init(shape: Self.dictionaryShape)
    _ = versionSlot.store(.integer(0))
  }

  /// Grows with every change: what depends on the dict depends on this slot, which has no name.
  var versionSlot: Slot { slot(0) }

  subscript(key: DictionaryKey) -> Value {
    Graph.trackRead(of: versionSlot)
    return entries[key] ?? .null
  }

  func set(_ key: DictionaryKey, _ value: Value) {
    if entries[key] ?? .null == value { return }
    let old =
      value == .null ? entries.removeValue(forKey: key) : entries.updateValue(value, forKey: key)
    // Letting go of it may run scripts, which may read this dict.
    defer { withExtendedLifetime(old) {} }
    for weak in observers { weak.observer?.note(key, from: old ?? .null, to: value) }
    _ = graph.write(versionSlot, .integer(Int.load(versionSlot) &+ 1))
  }

  /// Tells an observer of every change of an entry, once all has settled.
  func add(_ observer: DictionaryObserver) {
    observers.removeAll { $0.observer == nil }
    observers.append(WeakObserver(observer: observer))
  }

  private struct WeakObserver {
    weak var observer: DictionaryObserver?
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

  override func setDynamicValue(_ value: Value, of name: String) -> Bool {
    set(.text(name), value)
    return true
  }

  var count: Int {
    Graph.trackRead(of: versionSlot)
    return entries.count
  }

  var keys: [DictionaryKey] {
    Graph.trackRead(of: versionSlot)
    return entries.keys.sorted()
  }
}

extension DictionaryObject: DescribedObject {
  var describedText: String {
    let fields = entries.sorted { $0.key < $1.key }.map { "\($0.key.text) = \($0.value.literal)" }
    return fields.isEmpty ? "dict {}" : "dict { \(fields.joined(separator: ", ")) }"
  }
}
