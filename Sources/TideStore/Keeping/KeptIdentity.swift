import TideBindings
import TideGraph
import TideScript

/// An object in persisted values.
///
/// An object in one place is written inline. An object in several places, or within itself, gets a
/// number and a row of its own, and its places refer to it:
///
///     rows[3] ─────┐
///     team.lead ───┼──▶ number ──▶ body: the object's values
///     body of 7 ───┘
///
/// Places retain the identities of the objects that they hold, so an identity lives as long as one
/// of its places.
final class KeptIdentity {
  let object: DataObject
  /// The number of its row; nil while it is written inline.
  fileprivate(set) var number: Int?
  /// The place in which it is written inline.
  fileprivate(set) weak var place: (any KeptPlace)?
  /// Entries of the database that the object has no properties for, by their keys.
  fileprivate(set) var unread: [DictionaryKey: JSONTree] = [:]
  /// Writes the object's own row.
  fileprivate(set) var body: KeptBody?
  /// The last encoding that has visited it.
  fileprivate var encoding = 0
  private weak var identities: KeptIdentities?

  fileprivate init(_ object: DataObject, in identities: KeptIdentities) {
    (self.object, self.identities) = (object, identities)
  }

  deinit { identities?.forget(object, number) }
}

/// A place that holds persisted values: a property, a row of a list, or an object with a number.
protocol KeptPlace: AnyObject {
  /// The identities of the objects in it.
  var held: [KeptIdentity] { get set }
  /// Schedules it to be written again.
  func rewrite()
}

/// Tracks the identity of persisted objects while values are written and read.
final class KeptIdentities: SettingsClasses {
  private struct Weakly {
    weak var identity: KeptIdentity?
  }

  private unowned let keeper: ModelKeeper
  private let base: (any SettingsClasses)?
  private var known: [ObjectIdentifier: Weakly] = [:]
  private var numbered: [Int: Weakly] = [:]
  /// Identities that no place holds at the moment, in the middle of a change.
  private var lingering: [KeptIdentity] = []
  /// Bodies to write.
  private var changed: [KeptBody] = []
  private var inDoubt: [KeptBody] = []
  /// Objects that were created empty and still need their values.
  private var begun: [(identity: KeptIdentity, tree: JSONTree)] = []
  /// Identities made while reading the current value.
  private var made: [KeptIdentity] = []
  private var isFinishing = false
  /// The current encoding.
  private var current: Encoding?
  private var encodings = 0
  /// New class names, by the former names in stored rows.
  private var renamed: [String: String] = [:]
  private var forgotten: Set<ForgottenProperty> = []
  /// The last missing class.
  private(set) var missingClass: String?

  private struct Encoding {
    let place: any KeptPlace
    var held: [KeptIdentity] = []
    /// Whether an object was visited again after it had been written inline.
    var isRepeated = false
  }

  struct ForgottenProperty: Hashable {
    let className: String
    let property: String
  }

  /// The nesting depth at which an object gets a row of its own.
  private static let deepest = 24

  init(_ keeper: ModelKeeper, _ base: (any SettingsClasses)?) {
    (self.keeper, self.base) = (keeper, base)
  }

  deinit {
    // Breaks retain cycles between objects.
    for identity in numbered.values.compactMap(\.identity) { identity.body?.end() }
  }

  // MARK: Writing

  /// Encodes a value, and makes the place hold its objects.
  func bytes(of value: Value, in place: any KeptPlace) throws -> [UInt8] {
    try encode(in: place) { () throws(TideError) in try KeptValues.bytes(of: value, classes: self) }
  }

  fileprivate func bytes(of body: KeptBody) throws -> [UInt8] {
    guard let identity = body.identity else { return [] }
    return try encode(in: body) { () throws(TideError) in
      try KeptValues.bytes(ofWhole: identity.object, classes: self)
    }
  }

  private func encode(
    in place: any KeptPlace, _ body: () throws(TideError) -> [UInt8]
  ) throws -> [UInt8] {
    let outer = current
    defer { current = outer }
    // Retains the identities until the place holds them.
    var met: [KeptIdentity] = []
    while true {
      encodings += 1
      current = Encoding(place: place)
      let result = Result { () throws(TideError) in try body() }
      guard let ended = current else { return try result.get() }
      // Each pass gives a number to at least one more object.
      if ended.isRepeated {
        met += ended.held
        continue
      }
      if case .success = result { place.held = ended.held } else { place.held += ended.held }
      return try result.get()
    }
  }

  func reference(
    to object: DataObject, depth: Int
  ) throws(TideError) -> SettingsReference? {
    if object is ValueList || object is DictionaryObject || object.shape.properties.isEmpty {
      return nil
    }
    if let name = keeper.modelName(of: object) { return .model(name) }
    guard let place = current?.place else { return nil }
    let identity = identity(of: object)
    let isMetAgain = identity.encoding == encodings
    if !isMetAgain {
      identity.encoding = encodings
      current?.held.append(identity)
    }
    if let number = identity.number { return .number(number) }
    if isMetAgain {
      current?.isRepeated = true
    } else if let other = identity.place, other !== place {
      other.rewrite()
    } else if depth <= Self.deepest {
      identity.place = place
      return nil
    }
    return .number(number(identity))
  }

  private func identity(of object: DataObject) -> KeptIdentity {
    let key = ObjectIdentifier(object)
    if let identity = known[key]?.identity { return identity }
    let made = KeptIdentity(object, in: self)
    known[key] = Weakly(identity: made)
    return made
  }

  /// Gives an object a number and a body to write.
  private func number(_ identity: KeptIdentity) -> Int {
    // Random, since other programs may add objects to the same database.
    let number = Int.random(in: 1...(1 << 52))
    give(number, to: identity)
    identity.body?.rewrite()
    return number
  }

  private func give(_ number: Int, to identity: KeptIdentity) {
    identity.number = number
    identity.place = nil
    identity.body = KeptBody(identity, number, self)
    numbered[number] = Weakly(identity: identity)
  }

  fileprivate func forget(_ object: DataObject, _ number: Int?) {
    let key = ObjectIdentifier(object)
    if known[key]?.identity == nil { known[key] = nil }
    if let number, numbered[number]?.identity == nil { numbered[number] = nil }
  }

  /// A place no longer holds its objects. Another place may hold them after the change.
  func leave(_ place: any KeptPlace) {
    for identity in place.held where identity.place === place { identity.place = nil }
    lingering += place.held
    place.held = []
  }

  /// Ends a change: objects that no place holds are released.
  func settlePlaces() { lingering = [] }

  // MARK: Bodies

  var isChanged: Bool { !changed.isEmpty }

  fileprivate func note(_ body: KeptBody) {
    changed.append(body)
    keeper.schedule()
  }

  func write(to tables: KeptTables) throws {
    var clock = WorkClock()
    while let body = changed.popLast() {
      do {
        try clock.step()
        body.isChanged = false
        inDoubt.append(body)
        if let bytes = try keeper.listing({ try body.bytes() }) {
          try tables.put(bytes, ofObject: body.number)
        }
      } catch {
        body.rewrite()
        throw error
      }
    }
  }

  /// Called after the transaction was committed or rolled back.
  func settle(isKept: Bool) {
    let written = inDoubt
    inDoubt = []
    if !isKept { for body in written { body.rewrite() } }
  }

  fileprivate var graph: Graph { keeper.graph }

  // MARK: Reading

  /// Decodes a value; nil if the app does not declare a class of it, which is then
  /// ``missingClass``.
  func value(in bytes: [UInt8]) throws -> Value? {
    missingClass = nil
    made = []
    defer { made = [] }
    do {
      let value = try KeptValues.value(in: bytes, classes: self)
      try finish()
      return value
    } catch {
      forgetMade()
      throw error
    }
  }

  /// Objects without values must not be found by later reads, nor be written: the database still
  /// has them.
  private func forgetMade() {
    begun = []
    for identity in made {
      if let number = identity.number { numbered[number] = nil }
      known[ObjectIdentifier(identity.object)] = nil
      identity.body?.end()
    }
    let forgotten = Set(made.map(ObjectIdentifier.init))
    lingering.removeAll { forgotten.contains(ObjectIdentifier($0)) }
    changed.removeAll { body in
      body.identity.map { forgotten.contains(ObjectIdentifier($0)) } ?? false
    }
  }

  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind {
    guard let base else { throw TideError(.settings, "the app has ended") }
    return try base.kind(of: object)
  }

  func make(
    _ kind: SettingsObjectKind, _ values: [String: Value]
  ) throws(TideError) -> DataObject? {
    if let made = try base?.make(kind, values) { return made }
    guard case .named(let name, let module) = kind else { return nil }
    if let other = renamed[name] { return try make(.named(other, module: module), values) }
    missingClass = name
    return nil
  }

  func fill(_ object: DataObject, _ values: [String: Value]) throws(TideError) {
    try base?.fill(object, values)
  }

  func object(of reference: SettingsReference) throws(TideError) -> DataObject? {
    switch reference {
    case .model(let name):
      if let model = keeper.model(named: name) { return model }
      missingClass = name
      return nil
    case .number(let number):
      if let identity = numbered[number]?.identity { return identity.object }
      guard let bytes = try keeper.bytes(ofObject: number) else {
        throw TideError(.settings, "the object \(number) is missing from the database")
      }
      let tree = try KeptValues.tree(of: bytes)
      guard let object = try KeptValues.begin(tree, classes: self) else { return nil }
      let identity = identity(of: object)
      give(number, to: identity)
      lingering.append(identity)
      made.append(identity)
      begun.append((identity, tree))
      return object
    case .property, .row: return nil
    }
  }

  /// Reads the values of objects that were created empty. This is iterative, since the chain of
  /// objects may be long.
  private func finish() throws {
    if isFinishing { return }
    isFinishing = true
    defer { isFinishing = false }
    while let (identity, tree) = begun.popLast() {
      let unread = try KeptValues.finish(identity.object, tree, classes: self)
      identity.unread.merge(unread) { $1 }
      identity.body?.follow()
    }
  }

  // MARK: Undeclared values

  var keepsEntries: Bool { true }

  func noteEntries(_ entries: [DictionaryKey: JSONTree], of object: DataObject) {
    let shape = object.shape
    var unread: [DictionaryKey: JSONTree] = [:]
    for (key, tree) in entries where !key.text.hasPrefix("$") || key.text.hasPrefix("$$") {
      let name = key.text.hasPrefix("$$") ? String(key.text.dropFirst()) : key.text
      guard let index = shape.index(of: name), shape.propertiesByIndex[index].derive == nil else {
        unread[.text(name)] = tree
        continue
      }
    }
    if unread.isEmpty { return }
    let identity = identity(of: object)
    identity.unread = unread
    lingering.append(identity)
  }

  func unread(of object: DataObject) -> [DictionaryKey: JSONTree] {
    guard let identity = known[ObjectIdentifier(object)]?.identity, !identity.unread.isEmpty else {
      return [:]
    }
    let className: String? =
      if case .named(let name, _)? = try? kind(of: object) { name } else { nil }
    return identity.unread.filter { key, _ in
      if let className,
        forgotten.contains(ForgottenProperty(className: className, property: key.text))
      {
        return false
      }
      guard let index = object.shape.index(of: key.text) else { return true }
      // A value of a missing class stays until the property gets another value.
      let property = object.shape.propertiesByIndex[index]
      return property.derive != nil || object[key.text] == property.initial.value
    }
  }

  var hasUnread: Bool { numbered.values.contains { $0.identity?.unread.isEmpty == false } }

  /// Reads values inside objects again that were skipped because of a missing class.
  func readAgain() throws {
    made = []
    defer { made = [] }
    var waiting: [(identity: KeptIdentity, unread: [DictionaryKey: JSONTree])] = []
    for identity in numbered.values.compactMap(\.identity) where !identity.unread.isEmpty {
      let unread = identity.unread.filter { key, _ in
        guard let index = identity.object.shape.index(of: key.text) else { return false }
        let property = identity.object.shape.propertiesByIndex[index]
        return property.derive == nil && identity.object[key.text] == property.initial.value
      }
      if unread.isEmpty { continue }
      for key in unread.keys { identity.unread[key] = nil }
      waiting.append((identity, unread))
      begun.append((identity, .object(unread)))
    }
    do { try finish() } catch {
      for (identity, unread) in waiting { identity.unread.merge(unread) { $1 } }
      forgetMade()
      throw error
    }
  }

  func rename(_ name: String, to other: String) { renamed[name] = other }

  func forget(_ property: String, ofClass name: String) {
    forgotten.insert(ForgottenProperty(className: name, property: property))
  }
}

/// The row of an object that several places refer to.
final class KeptBody: KeptPlace {
  fileprivate private(set) weak var identity: KeptIdentity?
  let number: Int
  private unowned let identities: KeptIdentities
  private var mark: ChangeMark?
  var held: [KeptIdentity] = []
  fileprivate var isChanged = false

  fileprivate init(_ identity: KeptIdentity, _ number: Int, _ identities: KeptIdentities) {
    (self.identity, self.number, self.identities) = (identity, number, identities)
  }

  deinit { mark?.end() }

  fileprivate func end() {
    mark?.end()
    held = []
  }

  func rewrite() {
    if isChanged { return }
    isChanged = true
    identities.note(self)
  }

  /// Starts to detect changes inside the object.
  fileprivate func follow() { _ = try? bytes() }

  /// Encodes the object, and detects its changes from now on.
  fileprivate func bytes() throws -> [UInt8] {
    let mark = mark ?? ChangeMark(identities.graph) { [unowned self] in rewrite() }
    self.mark = mark
    var result: Result<[UInt8], any Error> = .success([])
    mark.read { result = Result { try identities.bytes(of: self) } }
    return try result.get()
  }
}
