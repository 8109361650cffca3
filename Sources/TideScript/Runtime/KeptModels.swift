import TideBindings
import TideGraph
import TideSystem

// The values of models as JSON, for the next run of the app:
//
//     {
//       "models": {"shown": {"row": [{"$row": ["room", "rows", "1x"]}], "draft": [{"$ref": 1}]}},
//       "selections": {"rowsShown": [[{"$row": ["room", "rows", "1x"]}]]},
//       "objects": {"1": {…}}
//     }
//
// A property is stored as a list of its value; the list is empty for nil. An object is written
// where it first appears. An object that appears in several places is written separately and
// referred to by number. Rows of shared models and databases are stored as references, or omitted;
// they are never copied.

/// Writes the models of a runtime.
final class KeptModelsWriter: SettingsClasses {
  private unowned let runtime: Runtime
  private let base: ScriptSettingsClasses
  /// The property that owns each list and dict of a model.
  private var owners: [ObjectIdentifier: Property] = [:]
  private lazy var foreign = ForeignObjects(runtime)
  /// Numbers of the objects that are written separately.
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var pass = Pass()
  /// The property that is being written.
  private var current: Property?

  private struct Property: Equatable {
    let model: String
    let name: String
  }

  /// The state of one pass over all models.
  private struct Pass {
    /// Objects that were written in place.
    var written: Set<ObjectIdentifier> = []
    var queued: Set<Int> = []
    var queue: [(number: Int, object: DataObject)] = []
    /// Whether an object was met again after it had been written in place.
    var isRepeated = false
  }

  /// The nesting depth at which an object is written separately.
  private static let deepest = 24

  init(_ runtime: Runtime) {
    self.runtime = runtime
    base = ScriptSettingsClasses(runtime.home)
  }

  func bytes() -> [UInt8] {
    // Shared models own their lists, even if other models refer to them.
    let names = runtime.models.names
    let isShared = { [runtime] name in runtime.models[name].map(runtime.isShared) == true }
    for name in names.filter(isShared) + names { findOwners(in: name) }
    while true {
      pass = Pass()
      let text = text()
      // In the next pass, each object that was met again has a number.
      if !pass.isRepeated { return Array(text.utf8) }
    }
  }

  private func findOwners(in name: String) {
    guard let model = runtime.models[name] as? ScriptObject else { return }
    for property in model.shape.properties where property.derive == nil {
      guard case .object(let object as DataObject) = model[property.name],
        object is ValueList || object is DictionaryObject,
        owners[ObjectIdentifier(object)] == nil
      else { continue }
      owners[ObjectIdentifier(object)] = Property(model: name, name: property.name)
    }
  }

  private func text() -> String {
    var models: [String] = []
    var selections: [String] = []
    for name in runtime.models.names where !runtime.models.isFromHost(name) {
      switch runtime.models[name] {
      case let model as ScriptObject where !runtime.isShared(model) && !isStored(model):
        models.append("\(name.quotedForJSON): {\(entries(of: model, name))}")
      case let controller? where controller is ListController || controller is TreeController:
        if let text = selection(of: controller) {
          selections.append("\(name.quotedForJSON): [\(text)]")
        }
      default: break
      }
    }
    var objects: [String] = []
    while let (number, object) = pass.queue.popLast() {
      guard let text = KeptValues.text(ofWhole: object, classes: self) else { continue }
      objects.append("\"\(number)\": \(text)")
    }
    return """
      {"models": {\(models.joined(separator: ", "))},
      "selections": {\(selections.joined(separator: ", "))},
      "objects": {\(objects.joined(separator: ", "))}}
      """
  }

  private func entries(of model: ScriptObject, _ name: String) -> String {
    var entries: [String] = []
    for property in model.shape.properties where property.derive == nil && !property.isReadOnly {
      current = Property(model: name, name: property.name)
      defer { current = nil }
      let value = model[property.name]
      let text = value == .null ? "" : KeptValues.text(of: value, classes: self)
      guard let text else { continue }
      entries.append("\(property.name.quotedForJSON): [\(text)]")
    }
    return entries.joined(separator: ", ")
  }

  private func selection(of controller: DataObject) -> String? {
    guard case .object(let list as ValueList)? = try? controller.value(of: "selectedObjects"),
      !list.values.isEmpty
    else { return nil }
    return KeptValues.text(of: .object(ValueList(list.values)), classes: self)
  }

  private func isStored(_ object: DataObject) -> Bool {
    runtime.configuration.stores?.holds(object, in: runtime) == true
  }

  // MARK: Objects

  func reference(to object: DataObject, depth: Int) throws(TideError) -> SettingsReference? {
    let key = ObjectIdentifier(object)
    let isCollection = object is ValueList || object is DictionaryObject
    if isCollection, foreign.parts.contains(key) { throw Self.isElsewhere }
    if isCollection, let owner = owners[key] {
      if owner != current || depth > 0 { return .property(owner.name, model: owner.model) }
      if isStored(object) { throw Self.isElsewhere }
      return try checkedCollection(object)
    }
    if let number = numbers[key] { return reference(to: object, number) }
    if let name = object.displayName, runtime.models[name] === object { return .model(name) }
    if let row = foreign.rows[key] { return row }
    if foreign.parts.contains(key) || isStored(object) { throw Self.isElsewhere }
    if isCollection { return try checkedCollection(object) }
    if !pass.written.contains(key), depth <= Self.deepest {
      pass.written.insert(key)
      return nil
    }
    if pass.written.contains(key) { pass.isRepeated = true }
    numbers[key] = numbers.count + 1
    return reference(to: object, numbers.count)
  }

  private func reference(to object: DataObject, _ number: Int) -> SettingsReference {
    if !pass.written.contains(ObjectIdentifier(object)), pass.queued.insert(number).inserted {
      pass.queue.append((number, object))
    }
    return .number(number)
  }

  /// Lists that follow others, or a query, are made again by the script.
  private func checkedCollection(_ object: DataObject) throws(TideError) -> SettingsReference? {
    let isPlain = type(of: object) == ValueList.self || type(of: object) == DictionaryObject.self
    guard isPlain, (object as? ValueList)?.isReadOnly != true else { throw Self.isElsewhere }
    return nil
  }

  private static let isElsewhere = TideError(
    .settings, "it belongs to a shared model, a database or another list")

  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind {
    try base.kind(of: object)
  }

  func make(
    _ kind: SettingsObjectKind, _ values: [String: Value]
  ) throws(TideError) -> DataObject? { nil }

  func fill(_ object: DataObject, _ values: [String: Value]) throws(TideError) {}
}

/// Objects that belong to shared models and to models in databases.
private struct ForeignObjects {
  /// Rows of shared lists.
  private(set) var rows: [ObjectIdentifier: SettingsReference] = [:]
  /// Objects that have no id of their own.
  private(set) var parts: Set<ObjectIdentifier> = []

  init(_ runtime: Runtime) {
    for (name, shared) in runtime.declarations.sharedModels {
      for (property, list) in shared.lists {
        for (id, object) in list.objects {
          rows[ObjectIdentifier(object)] = .row(id: id, list: property, model: name)
        }
      }
    }
    for name in runtime.models.names {
      guard let model = runtime.models[name] as? ScriptObject,
        runtime.isShared(model) || runtime.configuration.stores?.holds(model, in: runtime) == true
      else { continue }
      addParts(of: model, in: runtime)
    }
  }

  private mutating func addParts(of model: DataObject, in runtime: Runtime) {
    var rest: [DataObject] = [model]
    while let object = rest.popLast() {
      for value in Self.values(in: object) {
        guard case .object(let part as DataObject) = value,
          part is ScriptObject || part is ValueList || part is DictionaryObject
        else { continue }
        if let name = part.displayName, runtime.models[name] === part { continue }
        if parts.insert(ObjectIdentifier(part)).inserted { rest.append(part) }
      }
    }
    // The model's own lists are found through its properties.
    for value in Self.values(in: model) {
      if case .object(let part as DataObject) = value { parts.remove(ObjectIdentifier(part)) }
    }
  }

  private static func values(in object: DataObject) -> [Value] {
    if let list = object as? ValueList { return list.values }
    if let dictionary = object as? DictionaryObject {
      return dictionary.unsortedKeys.map { dictionary[$0] }
    }
    return object.storedValues.map(\.value)
  }
}

/// Restores the models' values of an earlier run.
final class KeptModelsReader: SettingsClasses {
  private unowned let runtime: Runtime
  private let base: ScriptSettingsClasses
  private let models: [String: JSONTree]
  private let selections: [String: JSONTree]
  private let objects: [String: JSONTree]
  private var known: [Int: DataObject] = [:]
  private var begun: [(object: DataObject, tree: JSONTree)] = []
  /// Whether the value being read refers to a row of a model that has not been received yet.
  private var misses = false
  /// The objects that were made for the value being read.
  private var made: [Int] = []
  private var waiting: [Awaited] = []

  /// A property that waits for a row, with its value until then.
  private struct Awaited {
    let object: DataObject
    let property: String
    let tree: JSONTree
    let value: Value
  }

  init?(_ bytes: [UInt8], _ runtime: Runtime) {
    guard case .object(let all)? = try? KeptValues.tree(of: bytes) else { return nil }
    self.runtime = runtime
    base = ScriptSettingsClasses(runtime.home)
    models = Self.entries(all[.text("models")])
    selections = Self.entries(all[.text("selections")])
    objects = Self.entries(all[.text("objects")])
  }

  private static func entries(_ tree: JSONTree?) -> [String: JSONTree] {
    guard case .object(let entries)? = tree else { return [:] }
    return Dictionary(entries.map { ($0.key.text, $0.value) }, uniquingKeysWith: { $1 })
  }

  var isWaiting: Bool { !waiting.isEmpty }

  /// Uses the order of the writer, so that references to a property's list find it restored.
  func restoreModels() {
    for name in runtime.models.names where !runtime.models.isFromHost(name) {
      guard let model = runtime.models[name] as? ScriptObject else { continue }
      let values = Self.entries(models[name])
      for property in model.shape.properties
      where property.derive == nil && !property.isReadOnly {
        if let tree = values[property.name] { restore(model, property.name, tree) }
      }
    }
  }

  func restoreSelections() {
    for (name, tree) in selections.sorted(by: { $0.key < $1.key }) {
      let model = runtime.models[name]
      guard model is ListController || model is TreeController, let model else { continue }
      restore(model, "selectedObjects", tree)
    }
  }

  /// Restores values that waited for the rows of a shared model, unless they have changed
  /// meanwhile.
  func resume() {
    let awaited = waiting
    waiting = []
    for entry in awaited where (try? entry.object.value(of: entry.property)) == entry.value {
      restore(entry.object, entry.property, entry.tree)
    }
  }

  private func restore(_ object: DataObject, _ property: String, _ tree: JSONTree) {
    guard case .array(let elements) = tree else { return }
    (misses, made) = (false, [])
    var value = Value.null
    if let element = elements.first {
      guard let read = try? KeptValues.value(of: element, classes: self) else { return }
      value = read
    }
    finish()
    if misses {
      for number in made { known[number] = nil }
      let present = (try? object.value(of: property)) ?? .null
      waiting.append(Awaited(object: object, property: property, tree: tree, value: present))
      return
    }
    if value == .null, let index = object.shape.index(of: property),
      !object.shape.propertiesByIndex[index].isNullable
    {
      return
    }
    try? object.set(property, value)
  }

  /// Sets the values of objects that were created empty. This may create others.
  private func finish() {
    while let (object, tree) = begun.popLast() {
      _ = try? KeptValues.finish(object, tree, classes: self)
    }
  }

  // MARK: Objects

  func object(of reference: SettingsReference) throws(TideError) -> DataObject? {
    switch reference {
    case .model(let name): return runtime.models[name]
    case .property(let property, let model):
      guard let model = runtime.models[model], model.shape.index(of: property) != nil,
        case .object(let object as DataObject) = model[property]
      else { return nil }
      return object
    case .row(let id, let list, let model):
      guard let shared = runtime.declarations.sharedModels[model] else { return nil }
      let key = SharingKey.row(list: list, id: id)
      if case .object(let row as DataObject)? = shared.lists[list]?.element(key) { return row }
      if !shared.replica.isComplete { misses = true }
      return nil
    case .number(let number):
      if let object = known[number] { return object }
      guard let tree = objects[String(number)],
        let object = try KeptValues.begin(tree, classes: self)
      else { return nil }
      known[number] = object
      made.append(number)
      begun.append((object, tree))
      return object
    }
  }

  func reference(to object: DataObject, depth: Int) throws(TideError) -> SettingsReference? { nil }

  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind {
    try base.kind(of: object)
  }

  func make(
    _ kind: SettingsObjectKind, _ values: [String: Value]
  ) throws(TideError) -> DataObject? { try base.make(kind, values) }

  func fill(_ object: DataObject, _ values: [String: Value]) throws(TideError) {
    try base.fill(object, values)
  }
}
