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
  /// Changes when other properties are shared than before.
  private let version: Signal<Int>
  /// The properties that hold no list, by name.
  private var values: [String: SharedValue] = [:]
  private var lists: [String: SharedList] = [:]
  /// What is in those lists, as bytes.
  private var rows: [String: SharedRows] = [:]

  /// What others write finds the model as long as somebody else keeps it.
  private struct Weakly {
    weak var model: SharedModel?
  }

  init(_ runtime: Runtime, _ name: String, _ model: ScriptObject, sync: DataObject) {
    self.runtime = runtime
    self.name = name
    self.model = model
    self.sync = sync
    store = runtime.sharedModels
    version = runtime.graph.signal(0)
    context = BindingContext("shared \(name)", in: runtime.bindings)
    runtime.endsWithApp(context)
    join()
    context.effect { [unowned self] in send() }
  }

  deinit {
    relay?.end()
    store.leave(member)
  }

  /// Changes the model: the effect that sends looks at it when all is done.
  private func change(_ body: () -> Void) {
    runtime.graph.untracked { runtime.graph.batch(body) }
  }

  // MARK: Joining

  private func join() {
    let relay = Relay(Weakly(model: self))
    self.relay = relay
    let inbox = runtime.loop.inbox
    change {
      let joined = store.join(name, initialEntries, of: unshared) {
        inbox.post { relay.content?.model?.take() }
      }
      member = joined.member
      adopt(joined.entries)
    }
    try? sync.set("state", .string("live"))
  }

  /// Shares properties that a new version of the script has declared, when that version stands.
  func joinAgain() {
    runtime.loop.inbox.post { [relay] in relay?.content?.model?.addProperties() }
  }

  private func addProperties() {
    change {
      if unshared.isEmpty { return }
      adopt(store.add(initialEntries, of: unshared, by: member))
      prove()
      version.value &+= 1
    }
    runtime.settle()
  }

  /// Whether the version that has declared it has run to its end.
  private(set) var isProven = false

  /// Lets its values stay when it goes: the version that has declared it has run to its end.
  func prove() {
    isProven = true
    store.prove(member)
  }

  /// Values may be of classes that the app has come to have.
  func classesChanged() {
    rows = [:]
    change {
      for (property, value) in values where value.isUnread { write(value, to: property) }
      for (property, list) in lists where list.hasUnread { put(list, in: property) }
    }
  }

  /// The properties that are shared, or will be.
  private var declared: [PropertyDescription] {
    (model?.shape.properties ?? []).filter {
      $0.derive == nil && !$0.isReadOnly && $0.name != "sync"
    }
  }

  /// The names of those that will be.
  private var unshared: Set<String> {
    Set(declared.map(\.name).filter { !isShared($0) })
  }

  private func isShared(_ property: String) -> Bool {
    values[property] != nil || lists[property] != nil
  }

  /// What the model has of its own of properties that are not shared so far.
  private var initialEntries: [SharedModels.Key: SharedModels.Entry] {
    guard let model else { return [:] }
    var entries: [SharedModels.Key: SharedModels.Entry] = [:]
    for property in declared where !isShared(property.name) {
      guard case .object(let list as ValueList) = model[property.name] else {
        let bytes = encode(model[property.name])
        if bytes == nil { tellThatAlone(model[property.name]) }
        entries[.property(property.name)] = bytes.map { .init(bytes: $0) }
        continue
      }
      let rows = list.trackedElements.compactMap(encode)
      let places = OrderKeys.between("", "", count: rows.count)
      for (bytes, place) in zip(rows, places) {
        let key = SharedModels.Key.row(list: property.name, id: SharedList.newID())
        entries[key] = .init(bytes: bytes, order: place)
      }
    }
    return entries
  }

  /// Takes over what all know of properties that were not shared so far.
  private func adopt(_ entries: [SharedModels.Key: SharedModels.Entry]) {
    guard let model else { return }
    for property in declared where !isShared(property.name) {
      if case .object(is ValueList) = model[property.name] {
        var rows: [String: SharedModels.Entry?] = [:]
        for (key, entry) in entries {
          if case .row(property.name, let id) = key { rows[id] = entry }
        }
        var list = SharedList()
        list.apply(rows)
        put(list, in: property.name)
      } else if let entry = entries[.property(property.name)] {
        write(SharedValue(entry: entry), to: property.name)
      }
    }
  }

  // MARK: From here to the others

  /// Runs after each settle in which something of the model has changed.
  private func send() {
    guard let model else { return }
    _ = version.value
    var writes: [SharedModels.Write] = []
    for property in declared where isShared(property.name) {
      let value = model[property.name]
      if case .object(let list as ValueList) = value {
        send(list, property.name, &writes)
      } else if let bytes = encode(value) {
        values[property.name]?.follow(bytes, of: property.name, &writes)
      } else if values[property.name]?.isAlone == false {
        values[property.name]?.isAlone = true
        tellThatAlone(value)
      }
    }
    if writes.isEmpty { return }
    let (revision, conflicts) = store.put(writes, by: member)
    var rows: [String: Set<String>] = [:]
    for write in writes {
      switch write.key {
      case .property(let name): values[name]?.entry.revision = revision
      case .row(let list, let id): rows[list, default: []].insert(id)
      }
    }
    for (list, ids) in rows { lists[list]?.note(revision, of: ids) }
    for conflict in conflicts { tell(of: conflict, writes) }
  }

  private func send(
    _ list: ValueList, _ property: String, _ writes: inout [SharedModels.Write]
  ) {
    let before = lists[property]?.alone.count ?? 0
    let encoded = rows[property] ?? SharedRows(runtime.graph, encoder)
    rows[property] = encoded
    lists[property]?.follow(encoded.elements(of: list), of: property, &writes)
    if let alone = lists[property]?.alone, alone.count > before, let last = alone.last {
      tellThatAlone(last.value)
    }
  }

  /// Lists why a value cannot be shared.
  private func tellThatAlone(_ value: Value) {
    do {
      _ = try KeptValues.bytes(of: value, classes: ScriptSettingsClasses(runtime.home))
    } catch {
      var error = error
      error.message =
        "a value of the shared model \"\(name.inMessage)\" stays here alone: \(error.message)"
      list(error)
    }
  }

  private func tell(of conflict: SharedModels.Conflict, _ writes: [SharedModels.Write]) {
    if case .integer(let count)? = try? sync.value(of: "conflicts") {
      try? sync.set("conflicts", .integer(count + 1))
    }
    let mine = writes.first { $0.key == conflict.key }?.entry?.bytes
    runtime.post(
      conflictIn: self, of: conflict.key.property, mine: mine.flatMap(decode) ?? .null,
      theirs: conflict.theirs.flatMap(decode) ?? .null)
  }

  // MARK: From the others to here

  private func take() {
    change {
      var rows: [String: [String: SharedModels.Entry?]] = [:]
      for change in store.take(member) {
        // What is not declared here is taken over when it is.
        switch change.key {
        case .property(let property):
          guard let entry = change.entry, values[property] != nil else { continue }
          write(SharedValue(entry: entry), to: property)
        case .row(let property, let id):
          guard lists[property] != nil else { continue }
          rows[property, default: [:]].updateValue(change.entry, forKey: id)
        }
      }
      for (property, changes) in rows {
        guard var list = lists[property] else { continue }
        list.apply(changes)
        put(list, in: property)
      }
    }
    runtime.settle()
  }

  /// Gives a property the value that all know. One that cannot be read, or does not fit, leaves the
  /// property as it is, and is not written over until that changes.
  private func write(_ shared: SharedValue, to property: String) {
    var shared = shared
    guard let model else { return }
    do {
      if let value = decode(shared.entry.bytes) {
        if encode(model[property]) != shared.entry.bytes { try model.set(property, value) }
        shared.local = nil
      } else {
        shared.local = encode(model[property])
      }
    } catch {
      shared.local = encode(model[property])
      list(error)
    }
    values[property] = shared
  }

  /// Makes a list hold the rows that all know; objects that are there stay, and change.
  private func put(_ shared: SharedList, in property: String) {
    guard let model, case .object(let list as ValueList) = model[property] else { return }
    var shared = shared
    let elements = shared.arrange { bytes, present in
      guard let made = decode(bytes) else { return nil }
      guard case .object(let known as DataObject)? = present,
        case .object(let new as DataObject) = made, known.shape === new.shape
      else { return made }
      for (name, value) in new.storedValues { try? known.set(name, value) }
      return present
    }
    lists[property] = shared
    do { try list.set(elements) } catch { self.list(error) }
  }

  private func list(_ error: any Error) {
    runtime.bindings.list(TideError(wrapping: error, graph: runtime.graph))
  }

  // MARK: Values as bytes

  /// Nil for what cannot be shared.
  private func encode(_ value: Value) -> [UInt8]? { try? encoder(value) }

  private var encoder: (Value) throws -> [UInt8] {
    { [home = runtime.home] in
      try KeptValues.bytes(of: $0, classes: ScriptSettingsClasses(home))
    }
  }

  /// Nil for what cannot be read here, as long as its class is not declared.
  private func decode(_ bytes: [UInt8]) -> Value? {
    do {
      return try KeptValues.value(in: bytes, classes: ScriptSettingsClasses(runtime.home))
    } catch {
      list(error)
      return nil
    }
  }
}
