import TideBindings
import TideGraph
import TideScript

/// A model or a list that is kept: its properties, each of which is written when it has changed.
final class KeptObject {
  let object: DataObject
  let name: String
  private unowned let keeper: ModelKeeper
  private var parts: [String: Part] = [:]
  /// How many scripts, or versions of one, keep it.
  var uses = 0
  /// What the version before keeps under the same name.
  var former: KeptObject?
  /// Whether the keeper knows that it has changed, and that the open transaction has written it.
  var isNoted = false
  var isInDoubt = false
  /// The reload in which it was kept; it goes with a version that is refused.
  weak var trial: Rollback?

  /// A property, or the whole of a list.
  private final class Part {
    var mark: ChangeMark?
    var isChanged = false
    /// Written by the transaction that is open.
    var isInDoubt = false
    var list: KeptList?
  }

  init(_ object: DataObject, _ name: String, _ keeper: ModelKeeper) {
    (self.object, self.name, self.keeper) = (object, name, keeper)
  }

  deinit { end() }

  private func address(_ property: String) -> KeptTables.Address {
    .init(object: name, property: property)
  }

  private var isList: Bool { object is ValueList }

  /// What can be kept of it.
  private var properties: [PropertyDescription] {
    object.shape.properties.filter { $0.derive == nil && !$0.isReadOnly }
  }

  // MARK: Beginning

  /// Takes over what is kept, and follows what changes from now on.
  func begin(_ stored: [String: KeptTables.Value]) {
    if isList { return begin("", stored[""]) }
    for property in properties { begin(property.name, stored[property.name]) }
  }

  /// Follows properties that it did not have before, and gives those back what is kept of them that
  /// a new version of the script has given another default.
  func beginAgain(_ stored: () throws -> [String: KeptTables.Value]) rethrows {
    if isList { return }
    let present = properties
    let names = Set(present.map(\.name))
    for name in parts.keys where !names.contains(name) { end(name) }
    let anew = present.filter { property in
      guard let part = parts[property.name] else { return true }
      let value = graph.untracked { object[property.name] }
      if case .object(let list as ValueList) = value { return list !== part.list?.list }
      return part.isChanged && value == property.initial.value
    }
    if anew.isEmpty { return }
    let stored = try stored()
    for property in anew {
      end(property.name)
      begin(property.name, stored[property.name])
    }
  }

  private var graph: Graph { object.graph }

  private func value(_ property: String) -> Value { isList ? .object(object) : object[property] }

  private func begin(_ property: String, _ stored: KeptTables.Value?) {
    let part = Part()
    parts[property] = part
    keeper.listing(of: "\(name).\(property)") {
      switch stored {
      case .bytes(let bytes): try restore(property, bytes)
      case .rows: try restoreRows(property, part)
      case nil:
        part.isChanged = true
        keeper.noteChange(of: self)
      }
    }
    if isList {
      if part.list == nil { followList(object, part, property, atOnce: stored == nil) }
      return
    }
    let mark = ChangeMark(graph) { [unowned self, unowned part] in note(part) }
    part.mark = mark
    mark.read { _ = try? look(at: property, part, atOnce: stored == nil) }
  }

  private func note(_ part: Part) {
    part.isChanged = true
    keeper.noteChange(of: self)
  }

  private func restore(_ property: String, _ bytes: [UInt8]) throws {
    guard let value = try keeper.value(in: bytes), let index = object.shape.index(of: property)
    else {
      return
    }
    if value == .null, !object.shape.propertiesByIndex[index].isNullable { return }
    try object.set(property, value)
  }

  private func restoreRows(_ property: String, _ part: Part) throws {
    guard case .object(let list as ValueList) = graph.untracked({ value(property) }),
      !list.isReadOnly
    else { return }
    let kept = KeptList(list, self, keeper, address(property))
    part.list = kept
    let rows = try keeper.rows(at: address(property))
    try kept.restore(rows) { try keeper.value(in: $0) }
  }

  private func followList(
    _ list: DataObject, _ part: Part, _ property: String, atOnce: Bool = true
  ) {
    guard let list = list as? ValueList, !list.isReadOnly else { return }
    let kept = KeptList(list, self, keeper, address(property))
    part.list = kept
    kept.begin(atOnce: atOnce)
  }

  private func end(_ property: String) {
    guard let part = parts.removeValue(forKey: property) else { return }
    part.mark?.end()
    part.list?.end()
  }

  /// Follows nothing any more.
  func end() {
    for name in Array(parts.keys) { end(name) }
  }

  // MARK: Writing

  var isChanged: Bool { parts.values.contains { $0.isChanged || $0.list?.isChanged == true } }

  func update() throws {
    for part in parts.values { try part.list?.update() }
  }

  func write(to tables: KeptTables) throws {
    for (property, part) in parts {
      if part.isChanged { try write(property, part, tables) }
      try part.list?.write(to: tables)
    }
  }

  private func write(_ property: String, _ part: Part, _ tables: KeptTables) throws {
    var result: Result<[UInt8]?, any Error> = .success(nil)
    if let mark = part.mark {
      mark.read { result = Result { try look(at: property, part) } }
      let bytes = try keeper.listing { try result.get() }
      if let bytes = bytes ?? nil {
        try tables.put(.bytes(bytes), at: address(property))
      }
    }
    part.isChanged = false
    part.isInDoubt = true
  }

  /// Reads a property: its bytes, or nil where it holds a list, which is kept row by row.
  private func look(
    at property: String, _ part: Part, atOnce: Bool = true
  ) throws -> [UInt8]? {
    let value = object[property]
    guard case .object(let list as ValueList) = value else {
      part.list?.end()
      part.list = nil
      return try keeper.bytes(of: value)
    }
    if list === part.list?.list { return nil }
    part.list?.end()
    part.list = nil
    graph.untracked { followList(list, part, property, atOnce: atOnce) }
    return nil
  }

  /// The transaction has stood, or has come to nothing.
  func settle(isKept: Bool) {
    for part in parts.values {
      if part.isInDoubt, !isKept { part.isChanged = true }
      part.isInDoubt = false
      part.list?.settle(isKept: isKept)
    }
  }
}
