import CTideSlots
public import TideGraph

/// A map from string keys to values, whose entries may be added and removed. A missing key reads as
/// nil.
///
/// ```swift
/// let colors = DictionaryObject(["apple": "red"])
/// colors[entry: "fig"] = "blue"
/// try context.bind("fig <> text", colors, field)
/// ```
///
/// As any data object it belongs to no graph until it is first bound, observed or given to scripts.
public class DictionaryObject: DataObject {
  private var entries: [DictionaryKey: Value] = [:]

  private var observers: [WeakObserver] = []
  private var observerLimit = 8

  private static let dictionaryShape = Shape(
    name: "dict", properties: [], swiftClasses: [], hiddenSlots: 1)

  /// Makes an empty dictionary.
  public override init() {
    if Graph.isEntered {
      super.init(shape: Self.dictionaryShape)
    } else {
      super.init(unjoined: Self.dictionaryShape)
    }
    _ = ownSlot(0).store(.integer(0))
  }

  /// Makes a dictionary of some entries.
  public convenience init(_ entries: [String: Value]) {
    self.init()
    for (key, value) in entries where value != .null { self.entries[.text(key)] = value }
  }

  deinit { ChainedRelease.release(&entries, leaving: [:]) }

  /// Increases with every change. It has no name; dependents of the dict depend on this slot.
  package final var versionSlot: Slot { slot(0) }

  package final subscript(key: DictionaryKey) -> Value {
    Graph.trackRead(of: ownSlot(0))
    return entries[key] ?? missingValue(of: key)
  }

  /// The value of a key; writing nil removes it.
  public final subscript(entry key: String) -> Value {
    get { self[.text(key)] }
    set { set(.text(key), newValue) }
  }

  /// The value of a missing key.
  func missingValue(of key: DictionaryKey) -> Value { .null }

  /// Whether a key exists. The read is recorded.
  package final func holds(_ key: DictionaryKey) -> Bool {
    Graph.trackRead(of: ownSlot(0))
    return entries[key] != nil
  }

  package final func set(_ key: DictionaryKey, _ value: Value) {
    if entries[key] ?? .null == value { return }
    if isUnjoined {
      // No reader can depend on it yet.
      entries[key] = value == .null ? nil : value
      return
    }
    if versionSlot.pointee.access & Access.prior != 0 {
      BindingTable.of(graph).willChange(self, key, from: entries[key] ?? .null, to: value)
    }
    if let journal = Graph.journal(of: header) { keep(in: journal) }
    let old =
      value == .null ? entries.removeValue(forKey: key) : entries.updateValue(value, forKey: key)
    // Releasing the value may run scripts, which may read this dict.
    defer { withExtendedLifetime(old) {} }
    for weak in observers { weak.observer?.note(key, from: old ?? .null, to: value) }
    touch()
  }

  private func keep(in journal: Journal) {
    journal.keep(self) {
      let kept = entries
      return { [unowned self] in
        for key in entries.keys where kept[key] == nil { set(key, .null) }
        for (key, value) in kept { set(key, value) }
      }
    }
  }

  /// Signals a change of the entries.
  final func touch() { _ = graph.write(versionSlot, .integer(Int.load(versionSlot) &+ 1)) }

  /// Adds an observer, which is called for each changed entry after everything has settled.
  package final func add(_ observer: DictionaryObserver) {
    join(.current)
    // Observers that are gone are removed now and then, not each time.
    if observers.count >= observerLimit {
      observers.removeAll { $0.observer == nil }
      observerLimit = max(8, 2 * observers.count)
    }
    observers.append(WeakObserver(observer: observer))
  }

  private struct WeakObserver {
    weak var observer: DictionaryObserver?
  }

  /// Adds the memory of the entries to that held by scripts.
  package func addHeld(to meter: inout MemoryMeter) {
    meter.add(entries.capacity * Self.entryWeight)
    for (key, value) in entries {
      meter.add(key.byteCount > 15 ? key.byteCount + 48 : 0)
      meter.add(value)
    }
  }

  /// The memory that another entry may take in addition to itself: a larger table if this one is
  /// full.
  package final var growth: Int {
    entries.count < entries.capacity ? 0 : 2 * entries.capacity * Self.entryWeight
  }

  static let entryWeight = 64

  /// The value of an entry; nil if there is none. The read is recorded.
  public override func dynamicValue(of name: String) -> Value? { self[.text(name)] }

  /// Sets an entry, or removes it when the value is null; always true.
  public override func setDynamicValue(_ value: Value, of name: String) -> Bool {
    set(.text(name), value)
    return true
  }

  /// The values of the entries, in no order.
  package final var values: [Value] {
    Graph.trackRead(of: ownSlot(0))
    return Array(entries.values)
  }

  /// The number of entries.
  public final var count: Int {
    Graph.trackRead(of: ownSlot(0))
    return entries.count
  }

  /// The keys in order.
  ///
  /// - Throws: `WorkError.time` when the turn has no time for sorting them.
  package final var keys: [DictionaryKey] {
    get throws(WorkError) {
      Graph.trackRead(of: ownSlot(0))
      return try entries.keys.sorted(byKey: { $0 })
    }
  }

  /// The keys, in no order.
  package final var unsortedKeys: [DictionaryKey] {
    Graph.trackRead(of: ownSlot(0))
    return Array(entries.keys)
  }

  /// The first keys in order. Sorts only as many as are requested, and returns fewer when the turn
  /// is over.
  package final func firstKeys(_ count: Int) -> [DictionaryKey] {
    Graph.trackRead(of: ownSlot(0))
    var first: [DictionaryKey] = []
    for key in entries.keys {
      first.append(key)
      if first.count < 16 * count + 64 { continue }
      guard let sorted = try? first.sorted(byKey: { $0 }) else { return [] }
      first = Array(sorted.prefix(count))
    }
    return ((try? first.sorted(byKey: { $0 })) ?? []).prefix(count).map { $0 }
  }
}

extension DictionaryObject: DescribedObject {
  package var describedText: String {
    let keys = Graph.untracked(at: ownSlot(0)) { firstKeys(20) }
    let fields = keys.map { "\($0.excerpt) = \((entries[$0] ?? .null).literal)" }
    let rest = entries.count > keys.count ? ", … (\(entries.count) in all)" : ""
    return fields.isEmpty ? "dict {}" : "dict { \(fields.joined(separator: ", "))\(rest) }"
  }
}

/// Calls a function for each entry of a dict that has changed, after everything has settled.
///
/// An entry that was written several times in the meantime is reported once, with its original
/// value. An entry that has its original value again is not reported.
package class DictionaryObserver: ObserverBody {
  private let body: (_ key: DictionaryKey, _ new: Value, _ old: Value) throws -> Void
  private var pending: [DictionaryKey: (old: Value, new: Value)] = [:]
  /// The keys in the order in which they were first written.
  private var order: [DictionaryKey] = []

  package init(_ body: @escaping (_ key: DictionaryKey, _ new: Value, _ old: Value) throws -> Void)
  {
    self.body = body
  }

  func note(_ key: DictionaryKey, from old: Value, to new: Value) {
    if pending[key] == nil { order.append(key) }
    pending[key] = (pending[key]?.old ?? old, new)
  }

  package override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
    let (keys, changes) = (order, pending)
    order = []
    pending = [:]
    var failure: (any Error)?
    for key in keys {
      guard let change = changes[key], change.old != change.new else { continue }
      do { try body(key, change.new, change.old) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
