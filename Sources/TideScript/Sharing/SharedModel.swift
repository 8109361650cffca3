import TideBindings
import TideGraph
import TideSystem

/// A runtime's side of a model that it shares: sends what has changed here after each settle, and takes
/// what others have written.
///
///     model ──effect──▶ writes ──▶ SharedModels
///     model ◀──take──── changes ◀──┘
///
/// It belongs to the runtime's owner.
final class SharedModel {
  let name: String
  private(set) weak var model: ScriptObject?
  /// `sync` of the model.
  let sync: DataObject
  private unowned let runtime: Runtime
  private let store: SharedModels
  private var member = 0
  private var relay: Relay<Weakly>?
  private let context: BindingContext
  /// What others write finds the model as long as somebody else keeps it.
  private struct Weakly {
    weak var model: SharedModel?
  }

  /// As all know them.
  private var properties: [String: SharedModels.Entry] = [:]
  private var lists: [String: [Row]] = [:]

  /// Rows that were removed here, with the revision of that: what others wrote of them before may still be
  /// on its way.
  private var removed: [String: Int] = [:]

  private struct Row {
    let id: String
    var entry: SharedModels.Entry
    /// Of a row that is an object.
    var object: ObjectIdentifier?
  }

  /// A row as it is here now.
  private struct Element: Equatable {
    let bytes: [UInt8]
    let object: ObjectIdentifier?
  }

  init(_ runtime: Runtime, _ name: String, _ model: ScriptObject, sync: DataObject) {
    self.runtime = runtime
    self.name = name
    self.model = model
    self.sync = sync
    store = runtime.sharedModels
    context = BindingContext("shared \(name)", in: runtime.bindings)
    runtime.endsWithApp(context)
    join()
    context.effect { [unowned self] in send() }
  }

  deinit {
    relay?.end()
    store.leave(member)
  }

  private func join() {
    let relay = Relay(Weakly(model: self))
    self.relay = relay
    let inbox = runtime.loop.inbox
    let initial = runtime.graph.untracked { initialEntries }
    let joined = store.join(name, initial) { changes in
      inbox.post { relay.content?.model?.take(changes) }
    }
    member = joined.member
    runtime.graph.untracked { adopt(joined.entries, initial) }
    try? sync.set("state", .string("live"))
  }

  /// The properties that are shared.
  private var shared: [PropertyDescription] {
    (model?.shape.properties ?? []).filter {
      $0.derive == nil && !$0.isReadOnly && $0.name != "sync"
    }
  }

  // MARK: Joining

  private var initialEntries: [SharedModels.Key: SharedModels.Entry] {
    guard let model else { return [:] }
    var entries: [SharedModels.Key: SharedModels.Entry] = [:]
    for property in shared {
      let value = model[property.name]
      guard case .object(let list as ValueList) = value else {
        entries[.property(property.name)] = .init(bytes: encode(value))
        continue
      }
      var place = ""
      for element in elements(of: list) {
        place = RowPlaces.between(place, "")
        let id = Self.newID()
        entries[.row(list: property.name, id: id)] = .init(bytes: element.bytes, order: place)
      }
    }
    return entries
  }

  /// Begins with what others have written before.
  private func adopt(
    _ entries: [SharedModels.Key: SharedModels.Entry],
    _ initial: [SharedModels.Key: SharedModels.Entry]
  ) {
    guard let model else { return }
    for property in shared {
      if case .object(let list as ValueList) = model[property.name] {
        var rows: [Row] = []
        for (key, entry) in entries {
          guard case .row(property.name, let id) = key else { continue }
          rows.append(Row(id: id, entry: entry))
        }
        rows.sort(by: Self.stand)
        put(rows, in: property.name, list)
      } else if let entry = entries[.property(property.name)] {
        properties[property.name] = entry
        if entry.bytes != initial[.property(property.name)]?.bytes {
          write(entry.bytes, to: property.name)
        }
      }
    }
  }

  private static func stand(_ left: Row, _ right: Row) -> Bool {
    (left.entry.order, left.id) < (right.entry.order, right.id)
  }

  // MARK: From here to the others

  /// Runs after each settle in which something of the model has changed.
  private func send() {
    guard let model else { return }
    var writes: [SharedModels.Write] = []
    for property in shared {
      let value = model[property.name]
      if case .object(let list as ValueList) = value {
        addWrites(of: list, property.name, &writes)
        continue
      }
      let bytes = encode(value)
      let known = properties[property.name]
      if bytes == known?.bytes { continue }
      properties[property.name] = .init(bytes: bytes, revision: known?.revision ?? 0)
      writes.append(
        .init(
          key: .property(property.name), entry: .init(bytes: bytes), base: known?.revision ?? 0))
    }
    if writes.isEmpty { return }
    let (revision, conflicts) = store.put(writes, by: member)
    note(writes, revision)
    for conflict in conflicts { tell(of: conflict, writes) }
  }

  private func note(_ writes: [SharedModels.Write], _ revision: Int) {
    for write in writes {
      switch write.key {
      case .property(let name): properties[name]?.revision = revision
      case .row(let list, let id):
        if write.entry == nil {
          removed[id] = revision
        } else if let index = lists[list]?.firstIndex(where: { $0.id == id }) {
          lists[list]?[index].entry.revision = revision
        }
      }
    }
  }

  private func addWrites(
    of list: ValueList, _ name: String, _ writes: inout [SharedModels.Write]
  ) {
    let before = lists[name] ?? []
    let now = elements(of: list)
    if before.count == now.count,
      zip(before, now).allSatisfy({ $0.entry.bytes == $1.bytes && $0.object == $1.object })
    {
      return
    }
    var rows = match(now, with: before)
    let kept = Set(rows.compactMap(\.?.id))
    for row in before where !kept.contains(row.id) {
      writes.append(
        .init(key: .row(list: name, id: row.id), entry: nil, base: row.entry.revision))
    }
    // From behind, so that the place after each is known.
    let moved = Self.outOfOrder(rows.map { $0?.entry.order })
    var after = ""
    var places = [String](repeating: "", count: rows.count)
    for index in rows.indices.reversed() where !moved.contains(index) {
      places[index] = rows[index]?.entry.order ?? ""
    }
    var result: [Row] = []
    for index in rows.indices {
      let before = result.last?.entry.order ?? ""
      if moved.contains(index) {
        after = places[(index + 1)...].first { !$0.isEmpty } ?? ""
        places[index] = RowPlaces.between(before, after)
      }
      let element = now[index]
      let known = rows[index]
      let entry = SharedModels.Entry(
        bytes: element.bytes, order: places[index], revision: known?.entry.revision ?? 0)
      let row = Row(id: known?.id ?? Self.newID(), entry: entry, object: element.object)
      if known?.entry.bytes != entry.bytes || known?.entry.order != entry.order {
        writes.append(
          .init(key: .row(list: name, id: row.id), entry: entry, base: entry.revision))
      }
      rows[index] = row
      result.append(row)
    }
    lists[name] = result
  }

  /// The rows that elements were before; nil for new ones.
  private func match(_ now: [Element], with before: [Row]) -> [Row?] {
    var ofObjects: [ObjectIdentifier: Row] = [:]
    var ofValues: [[UInt8]: [Row]] = [:]
    for row in before.reversed() {
      if let object = row.object {
        ofObjects[object] = row
      } else {
        ofValues[row.entry.bytes, default: []].append(row)
      }
    }
    return now.map { element in
      if let object = element.object { return ofObjects.removeValue(forKey: object) }
      return ofValues[element.bytes]?.popLast()
    }
  }

  /// The indexes of those that need another place: all but a longest part that is in order.
  private static func outOfOrder(_ places: [String?]) -> Set<Int> {
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: places.count)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      var low = 0, high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if places[ends[middle]] ?? "" < place { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? ends[low - 1] : nil
      if low < ends.count { ends[low] = index } else { ends.append(index) }
    }
    var moved = Set(places.indices)
    var next = ends.last
    while let index = next {
      moved.remove(index)
      next = previous[index]
    }
    return moved
  }

  // MARK: From the others to here

  private func take(_ changes: [SharedModels.Change]) {
    guard let model else { return }
    runtime.graph.untracked {
      var edited: [String: [Row]] = [:]
      for (key, entry) in changes {
        switch key {
        case .property(let name):
          guard let entry, entry.revision > properties[name]?.revision ?? 0 else { continue }
          properties[name] = entry
          write(entry.bytes, to: name)
        case .row(let list, let id):
          if let entry, removed[id].map({ entry.revision < $0 }) == true { continue }
          var rows = edited[list] ?? lists[list] ?? []
          Self.apply(entry, to: id, &rows)
          edited[list] = rows
        }
      }
      for (name, rows) in edited {
        if case .object(let list as ValueList) = model[name] {
          put(rows.sorted(by: Self.stand), in: name, list)
        }
      }
    }
    // What comes next is later than this.
    if let latest = changes.lazy.compactMap({ $0.entry?.revision }).max() {
      removed = removed.filter { $0.value > latest }
    }
    runtime.settle()
  }

  private static func apply(_ entry: SharedModels.Entry?, to id: String, _ rows: inout [Row]) {
    let index = rows.firstIndex { $0.id == id }
    guard let entry else {
      if let index { rows.remove(at: index) }
      return
    }
    guard let index else { return rows.append(Row(id: id, entry: entry)) }
    if entry.revision > rows[index].entry.revision { rows[index].entry = entry }
  }

  private func write(_ bytes: [UInt8], to name: String) {
    do { try model?.set(name, decode(bytes)) } catch {
      runtime.bindings.list(
        TideError(wrapping: error, graph: runtime.graph))
    }
  }

  /// Makes a list hold rows; objects that are there stay, and change.
  private func put(_ rows: [Row], in name: String, _ list: ValueList) {
    var present: [ObjectIdentifier: DataObject] = [:]
    for case .object(let object as DataObject) in list.values {
      present[ObjectIdentifier(object)] = object
    }
    var rows = rows
    var values: [Value] = []
    for index in rows.indices {
      let made = decode(rows[index].entry.bytes)
      guard case .object(let new as DataObject) = made else {
        rows[index].object = nil
        values.append(made)
        continue
      }
      var shown = new
      if let known = rows[index].object.flatMap({ present[$0] }), known.shape === new.shape {
        shown = known
        for (property, value) in new.storedValues { try? known.set(property, value) }
      }
      rows[index].object = ObjectIdentifier(shown)
      values.append(.object(shown))
    }
    lists[name] = rows
    do { try list.set(values) } catch { runtime.bindings.list(error) }
  }

  private func tell(of conflict: SharedModels.Conflict, _ writes: [SharedModels.Write]) {
    if case .integer(let count)? = try? sync.value(of: "conflicts") {
      try? sync.set("conflicts", .integer(count + 1))
    }
    let mine = writes.first { $0.key == conflict.key }?.entry?.bytes
    runtime.post(
      conflictIn: self, of: conflict.key.property, mine: mine.map(decode) ?? .null,
      theirs: conflict.theirs.map(decode) ?? .null)
  }

  // MARK: Values as bytes

  private func elements(of list: ValueList) -> [Element] {
    list.trackedElements.map { value in
      let object: ObjectIdentifier? =
        if case .object(let object as DataObject) = value { ObjectIdentifier(object) } else { nil }
      return Element(bytes: encode(value), object: object)
    }
  }

  private func encode(_ value: Value) -> [UInt8] {
    let holder = DictionaryObject()
    holder.set(.text("v"), value)
    return KeptValues.bytes(of: holder, classes: ScriptSettingsClasses(runtime.home))
  }

  private func decode(_ bytes: [UInt8]) -> Value {
    KeptValues.values(in: bytes, classes: ScriptSettingsClasses(runtime.home))[.text("v")]
  }

  private static func newID() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next() as UInt64, radix: 36)
  }
}
