import TideGraph

/// The values of a settings controller: what was set, and for the rest the initial values.
final class SettingsValues: DictionaryObject {
  private let initial: DictionaryObject
  /// Lists and dictionaries of the initial values that were read: copies, which may be edited.
  private var copies: [DictionaryKey: Value] = [:]
  private let classes: (any SettingsClasses)?
  /// What stood in the file and holds objects of classes that the app does not have so far.
  private(set) var unread: [DictionaryKey: JSONTree] = [:] {
    didSet { unreadSize = JSONTree.object(unread).size }
  }
  private var unreadSize = 0

  init(_ initial: DictionaryObject, classes: (any SettingsClasses)?) {
    self.initial = initial
    self.classes = classes
    super.init()
  }

  override func missingValue(of key: DictionaryKey) -> Value {
    if let copy = copies[key] { return copy }
    let value = initial[key]
    guard case .object(let object) = value else { return value }
    let copy = copy(object)
    if copy != value { copies[key] = copy }
    return copy
  }

  /// A copy of lists and dictionaries, and of what is in them as deep as a file can hold it. What is
  /// in several places is one copy there as well.
  private func copy(_ object: AnyObject) -> Value {
    var known: [ObjectIdentifier: Value] = [:]
    return copy(object, 0, &known)
  }

  private func copy(
    _ object: AnyObject, _ depth: Int, _ known: inout [ObjectIdentifier: Value]
  ) -> Value {
    if let copy = known[ObjectIdentifier(object)] { return copy }
    guard depth < SettingsWriter.deepest else { return .object(object) }
    // An object that contains itself cannot be written to a file: within its copy it stands uncopied.
    known[ObjectIdentifier(object)] = .object(object)
    let made: DataObject
    func copied(_ value: Value, _ known: inout [ObjectIdentifier: Value]) -> Value {
      if case .object(let inner) = value { copy(inner, depth + 1, &known) } else { value }
    }
    switch object {
    case let list as ValueList: made = ValueList(list.values.map { copied($0, &known) })
    case let dictionary as DictionaryObject:
      let copy = DictionaryObject()
      for key in dictionary.unsortedKeys { copy.set(key, copied(dictionary[key], &known)) }
      made = copy
    case let object as DataObject:
      var values: [String: Value] = [:]
      for (name, value) in object.storedValues { values[name] = copied(value, &known) }
      guard let kind = try? classes?.kind(of: object), let copy = try? classes?.make(kind, values)
      else { return .object(object) }
      made = copy
    default: return .object(object)
    }
    known[ObjectIdentifier(object)] = .object(made)
    return .object(made)
  }

  /// What is to be kept: what differs from the initial values, recorded.
  func kept() throws(WorkError) -> [(key: DictionaryKey, value: SettingsEntry)] {
    var found: [(key: DictionaryKey, value: SettingsEntry)] = []
    // In order, so that objects are asked for their classes in the same one in each run.
    for key in try keys { found.append((key, .value(self[key]))) }
    for (key, tree) in unread where !holds(key) { found.append((key, .unread(tree))) }
    // Made here if nobody has read them yet, so that edits of them are followed.
    for key in try initial.keys where !holds(key) && unread[key] == nil {
      let copy = self[key]
      if copy != initial[key], !isSame(copy, initial[key]) { found.append((key, .value(copy))) }
    }
    return found
  }

  private func isSame(_ value: Value, _ other: Value) -> Bool {
    var writers = (SettingsWriter(classes: classes), SettingsWriter(classes: classes))
    // A file writes both as `null`.
    if (value == .null) != (other == .null) { return false }
    let reasons = (writers.0.write(value: value), writers.1.write(value: other))
    return reasons == (nil, nil)
      && writers.0.text.utf8.elementsEqual(writers.1.text.utf8)
  }

  /// Reads what the app has classes for by now.
  ///
  /// What fails stays as it stood in the file, for the next time.
  func readUnread() throws(TideError) {
    var reader = SettingsReader(classes: classes)
    var left = unread
    defer { unread = left }
    for (key, tree) in unread {
      if holds(key) {
        left[key] = nil
        continue
      }
      let value: Value?
      do { value = try reader.read(tree, of: key) } catch { throw error.error }
      guard let value else { continue }
      left[key] = nil
      set(key, value)
    }
  }

  package override func addHeld(to meter: inout MemoryMeter) {
    super.addHeld(to: &meter)
    meter.add(unreadSize + copies.capacity * Self.entryWeight)
  }

  /// Makes the values those of a file, and for the rest the initial ones.
  func replace(by contents: SettingsReader.Contents) {
    let other = contents.values
    copies = [:]
    unread = contents.unread
    graph.batch {
      for key in graph.untracked({ unsortedKeys }) where !other.holds(key) { set(key, .null) }
      for key in graph.untracked({ other.unsortedKeys }) {
        let new = graph.untracked { other[key] }
        if !graph.untracked({ isSame(self[key], new) }) { set(key, new) }
      }
      // Copies that nobody has set are read anew.
      touch()
    }
  }
}
