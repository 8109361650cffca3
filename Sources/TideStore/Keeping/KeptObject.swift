import TideBindings
import TideGraph
import TideScript

/// A kept model or list. Each property is written when it has changed.
final class KeptObject {
  let object: DataObject
  let name: KeptName
  private unowned let keeper: ModelKeeper
  private let identities: KeptIdentities
  private var parts: [String: Part] = [:]
  /// The number of scripts, or versions of one, that keep it.
  var uses = 0
  /// The object that the previous version keeps under the same name.
  var former: KeptObject?
  /// Whether the keeper has recorded its change, and whether the open transaction has written it.
  var isNoted = false
  var isInDoubt = false
  /// The reload in which it was first kept. A rollback removes it.
  weak var trial: Rollback?

  /// A property, or a list as a whole.
  private final class Part: KeptPlace {
    var mark: ChangeMark?
    var isChanged = false
    /// Whether the open transaction has written it.
    var isInDoubt = false
    /// Whether the stored value could not be read. It stays in the database until the property
    /// changes.
    var isUnread = false
    /// The missing class of that value.
    var missingClass: String?
    /// Whether reading was interrupted, and is to be retried.
    var isCutOff = false
    var list: KeptList?
    /// Unreadable stored rows, which the next list of the property adopts.
    var unreadRows: [KeptList.Unread] = []
    var held: [KeptIdentity] = []
    private unowned let owner: KeptObject

    init(of owner: KeptObject) { self.owner = owner }

    func rewrite() { if !isUnread { owner.note(self) } }
  }

  init(_ object: DataObject, _ name: KeptName, _ keeper: ModelKeeper) {
    (self.object, self.name, self.keeper) = (object, name, keeper)
    identities = keeper.identities
  }

  deinit { end() }

  private func address(_ property: String) -> KeptTables.Address {
    .init(object: name.key, property: property)
  }

  private func path(_ property: String) -> String {
    property.isEmpty ? name.scriptName : "\(name.scriptName).\(property)"
  }

  private var isList: Bool { object is ValueList }

  /// The properties to persist.
  private var properties: [PropertyDescription] {
    object.shape.properties.filter { $0.derive == nil && !$0.isReadOnly }
  }

  // MARK: Restoring

  /// Restores the stored values, and follows later changes.
  ///
  /// - Parameter holdsValue: whether the program's value of a property takes precedence.
  func begin(
    _ stored: [String: KeptTables.Value], holding holdsValue: (String) -> Bool = { _ in false }
  ) {
    for property in isList ? [""] : properties.map(\.name) {
      let known = stored[property]
      if known != nil, holdsValue(property) {
        tellDifference(property, known)
        begin(property, nil, besides: unreadRows(property, known))
      } else {
        begin(property, known)
      }
    }
  }

  /// A list's unreadable stored rows, which stay beside the program's rows.
  private func unreadRows(_ property: String, _ stored: KeptTables.Value?) -> [KeptList.Unread] {
    guard case .rows? = stored, let rows = try? keeper.rows(at: address(property)) else {
      return []
    }
    var unread: [KeptList.Unread] = []
    for row in rows where !keeper.canRead(row.bytes) {
      unread.append(.init(id: row.id, place: row.place, className: keeper.missingClass))
    }
    return unread
  }

  /// Lists that the stored value of a property differs and is replaced by the program's value.
  private func tellDifference(_ property: String, _ stored: KeptTables.Value?) {
    let value = graph.untracked { self.value(property) }
    let here: String, there: String
    switch (stored, value) {
    case (.bytes(let bytes), _):
      if graph.untracked({ keeper.isKept(value, as: bytes) }) { return }
      (here, there) = (value.literal, String(decoding: bytes, as: UTF8.self).inMessage)
    case (.rows, .object(let list as ValueList)):
      let rows = (try? keeper.rows(at: address(property))) ?? []
      let same = graph.untracked {
        rows.count == list.count
          && zip(rows, list.values).allSatisfy { keeper.isKept($1, as: $0.bytes) }
      }
      if same { return }
      (here, there) = ("a list of \(list.count)", "one of \(rows.count)")
    case (.rows, _):
      let rows = (try? keeper.rows(at: address(property))) ?? []
      (here, there) = (value.literal, "a list of \(rows.count)")
    case (nil, _): return
    }
    keeper.list(
      "\(name.scriptName.inMessage).\(property) is \(here) in the program and \(there) in the database; the "
        + "program's value stays, and is kept")
  }

  /// Reads values again that were skipped because of a missing class or an interruption.
  func readAgain() {
    for (property, part) in parts {
      keeper.listing(of: path(property)) {
        if let list = part.list {
          try list.readAgain { try keeper.rows(at: address(property)) }
        } else if part.missingClass != nil || part.isCutOff, !part.isChanged {
          guard let stored = try keeper.stored(name.key)[property] else { return }
          part.mark?.end()
          part.mark = nil
          (part.isUnread, part.missingClass, part.isCutOff) = (false, nil, false)
          defer { follow(property, part) }
          try restore(property, stored, part)
        }
      }
    }
  }

  /// Whether reading a part of it was interrupted.
  var isCutOff: Bool { parts.values.contains { $0.isCutOff || $0.list?.isCutOff == true } }

  /// The number of values that cannot be read because of a missing class, by property and class.
  var missing: [(path: String, className: String, count: Int)] {
    parts.sorted { $0.key < $1.key }.flatMap { property, part in
      let path = path(property)
      var counts: [String: Int] = [:]
      for row in part.list?.unread ?? [] {
        if let className = row.className { counts[className, default: 0] += 1 }
      }
      if let className = part.missingClass { counts[className, default: 0] += 1 }
      return counts.sorted { $0.key < $1.key }.map { (path, $0.key, $0.value) }
    }
  }

  /// Whether a property is declared.
  func declares(_ property: String) -> Bool {
    object.shape.properties.contains { $0.name == property }
  }

  /// Follows new properties, and restores properties that a new version of the script has set to
  /// another default.
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

  private func begin(
    _ property: String, _ stored: KeptTables.Value?, besides unread: [KeptList.Unread] = []
  ) {
    let part = Part(of: self)
    part.unreadRows = unread
    parts[property] = part
    let failure = keeper.listing(of: path(property)) {
      if let stored { return try restore(property, stored, part) }
      part.isChanged = true
      keeper.noteChange(of: self)
    }
    part.isCutOff = part.isUnread && failure?.isCutOff == true
    if isList {
      if part.list == nil {
        followList(object, part, property, atOnce: stored == nil, besides: part.unreadRows)
      }
      return
    }
    follow(property, part, atOnce: stored == nil)
  }

  private func follow(_ property: String, _ part: Part, atOnce: Bool = false) {
    let mark = ChangeMark(graph) { [unowned self, unowned part] in note(part) }
    part.mark = mark
    mark.read { _ = try? look(at: property, part, atOnce: atOnce) }
  }

  private func note(_ part: Part) {
    part.isChanged = true
    keeper.noteChange(of: self)
  }

  private func restore(_ property: String, _ stored: KeptTables.Value, _ part: Part) throws {
    guard case .bytes(let bytes) = stored else { return try restoreRows(property, part) }
    part.isUnread = true
    guard let index = object.shape.index(of: property) else { return }
    guard let value = try keeper.value(in: bytes) else {
      part.missingClass = keeper.missingClass
      return
    }
    if value == .null, !object.shape.propertiesByIndex[index].isNullable { return }
    try object.set(property, value)
    part.isUnread = false
  }

  private func restoreRows(_ property: String, _ part: Part) throws {
    guard let list = try restoredList(property, part) else { return }
    let kept = KeptList(list, self, keeper, address(property))
    part.list = kept
    try kept.restore { try keeper.rows(at: address(property)) }
  }

  /// The list to fill with the stored rows: the property's own, or else a new one; nil if the
  /// property's list is read-only.
  private func restoredList(_ property: String, _ part: Part) throws -> ValueList? {
    let value = graph.untracked { self.value(property) }
    if case .object(let list as ValueList) = value { return list.isReadOnly ? nil : list }
    do { try object.set(property, .object(ValueList())) } catch {
      part.isUnread = true
      part.unreadRows = try keeper.rows(at: address(property)).map {
        KeptList.Unread(id: $0.id, place: $0.place, className: nil)
      }
      throw error
    }
    guard case .object(let list as ValueList) = graph.untracked({ self.value(property) }) else {
      return nil
    }
    return list
  }

  private func followList(
    _ list: DataObject, _ part: Part, _ property: String, atOnce: Bool = true,
    besides unread: [KeptList.Unread] = []
  ) {
    guard let list = list as? ValueList, !list.isReadOnly else { return }
    let kept = KeptList(list, self, keeper, address(property))
    kept.adopt(unread)
    part.list = kept
    kept.begin(atOnce: atOnce)
  }

  private func end(_ property: String) {
    guard let part = parts.removeValue(forKey: property) else { return }
    part.mark?.end()
    part.list?.end()
    identities.leave(part)
  }

  /// Stops following all properties.
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
    part.isChanged = false
    (part.isUnread, part.missingClass, part.isCutOff) = (false, nil, false)
    do { try writeValue(property, part, tables) } catch {
      part.isChanged = true
      throw error
    }
    part.isInDoubt = true
  }

  private func writeValue(_ property: String, _ part: Part, _ tables: KeptTables) throws {
    var result: Result<[UInt8]?, any Error> = .success(nil)
    if let mark = part.mark {
      mark.read { result = Result { try look(at: property, part) } }
      let bytes = try keeper.listing { try result.get() }
      if let bytes = bytes ?? nil {
        try tables.put(.bytes(bytes), at: address(property))
      }
    }
  }

  /// Encodes a property; nil if it holds a list, which is persisted row by row.
  private func look(
    at property: String, _ part: Part, atOnce: Bool = true
  ) throws -> [UInt8]? {
    let value = object[property]
    guard case .object(let list as ValueList) = value else {
      part.list?.end()
      part.list = nil
      return try keeper.bytes(of: value, in: part)
    }
    if list === part.list?.list { return nil }
    let unread = part.list?.unread ?? part.unreadRows
    part.list?.end()
    part.list = nil
    identities.leave(part)
    graph.untracked { followList(list, part, property, atOnce: atOnce, besides: unread) }
    return nil
  }

  /// Called after the transaction was committed or rolled back.
  func settle(isKept: Bool) {
    for part in parts.values {
      if part.isInDoubt, !isKept { part.isChanged = true }
      part.isInDoubt = false
      part.list?.settle(isKept: isKept)
    }
  }
}
