import TideGraph

/// The values of a settings controller: the values that were set, and initial values for the rest.
final class SettingsValues: DictionaryObject {
  private let initial: DictionaryObject
  /// Copies of the lists and dictionaries of initial values that were read. The copies may be
  /// edited.
  private var copies: [DictionaryKey: Value] = [:]
  private let classes: (any SettingsClasses)?
  /// Settings of the file with objects of classes that the app does not have yet.
  private(set) var unread: [DictionaryKey: JSONTree] = [:] {
    didSet { unreadSize = JSONTree.object(unread).size }
  }
  private var unreadSize = 0
  /// The size of the settings' texts in bytes.
  var textBytes = 0

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

  /// Copies lists and dictionaries deeply, to the depth that a file can hold. An object in several
  /// places has a single copy.
  private func copy(_ object: AnyObject) -> Value {
    var known: [ObjectIdentifier: Value] = [:]
    return copy(object, 0, &known)
  }

  private func copy(
    _ object: AnyObject, _ depth: Int, _ known: inout [ObjectIdentifier: Value]
  ) -> Value {
    if let copy = known[ObjectIdentifier(object)] { return copy }
    guard depth < SettingsWriter.deepest else { return .object(object) }
    // An object that contains itself cannot be written to a file, so it is not copied within its
    // own copy.
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

  /// A value that may have to be stored for a setting.
  struct Candidate {
    fileprivate var entry: SettingsEntry?
    /// The initial value that the entry is a copy of; nil if the setting was set.
    fileprivate var original: Value?

    /// Whether its contents may change while it remains the same value.
    var canChangeInside: Bool {
      if case .value(.object(let object))? = entry { !(object is Marker) } else { false }
    }
  }

  func candidate(for key: DictionaryKey) -> Candidate {
    if holds(key) { return Candidate(entry: .value(self[key])) }
    if let tree = unread[key] { return Candidate(entry: .unread(tree)) }
    let value = initial[key]
    // The copy is made here if it has not been read yet, so that its edits are followed.
    return value == .null ? Candidate() : Candidate(entry: .value(self[key]), original: value)
  }

  /// The entry to be stored; nil if it equals the initial value. Reads within a value are recorded.
  func entry(of candidate: Candidate) -> SettingsEntry? {
    guard let original = candidate.original, case .value(let copy)? = candidate.entry else {
      return candidate.entry
    }
    return copy == original || isSame(copy, original) ? nil : candidate.entry
  }

  /// The keys of all settings that may have to be stored.
  var possibleKeys: [DictionaryKey] {
    Array(Set(unsortedKeys).union(unread.keys).union(initial.unsortedKeys))
  }

  /// Resets some settings to a file's contents, and leaves the others alone.
  func revert(to contents: [DictionaryKey: (value: Value?, tree: JSONTree?)]) {
    graph.batch {
      var rest = unread
      for (key, content) in contents {
        copies[key] = nil
        rest[key] = content.value == nil ? content.tree : nil
      }
      unread = rest
      for (key, content) in contents {
        let new = content.value ?? .null
        if !graph.untracked({ holds(key) && new != .null && isSame(self[key], new) }) {
          set(key, new)
        }
      }
      // Copies that were not set are made again.
      touch()
    }
  }

  private func isSame(_ value: Value, _ other: Value) -> Bool {
    var writers = (SettingsWriter(classes: classes), SettingsWriter(classes: classes))
    // Nil and the marker have the same text, `null`.
    if (value == .null) != (other == .null) { return false }
    let reasons = (writers.0.write(value: value), writers.1.write(value: other))
    return reasons == (nil, nil)
      && writers.0.text.utf8.elementsEqual(writers.1.text.utf8)
  }

  /// Reads the unread settings whose classes the app has declared since.
  ///
  /// A setting that fails stays unread, for the next time.
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
    meter.add(unreadSize + copies.capacity * Self.entryWeight + textBytes)
  }

  /// Replaces all values by those of a file. The other keys read as their initial values.
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
      // Copies that were not set are made again.
      touch()
    }
  }
}
