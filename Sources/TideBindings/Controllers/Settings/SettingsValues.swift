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
  /// What the texts of the settings take.
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

  /// A copy of lists and dictionaries, and of what is in them as deep as a file can hold it. What
  /// is in several places is one copy there as well.
  private func copy(_ object: AnyObject) -> Value {
    var known: [ObjectIdentifier: Value] = [:]
    return copy(object, 0, &known)
  }

  private func copy(
    _ object: AnyObject, _ depth: Int, _ known: inout [ObjectIdentifier: Value]
  ) -> Value {
    if let copy = known[ObjectIdentifier(object)] { return copy }
    guard depth < SettingsWriter.deepest else { return .object(object) }
    // An object that contains itself cannot be written to a file: within its copy it stands
    // uncopied.
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

  /// What there may be to keep of a setting.
  struct Candidate {
    fileprivate var entry: SettingsEntry?
    /// The initial value of which the entry is a copy; nil where it was set.
    fileprivate var original: Value?

    /// Whether it may change while it stays the same value.
    var canChangeInside: Bool {
      if case .value(.object(let object))? = entry { !(object is Marker) } else { false }
    }
  }

  func candidate(for key: DictionaryKey) -> Candidate {
    if holds(key) { return Candidate(entry: .value(self[key])) }
    if let tree = unread[key] { return Candidate(entry: .unread(tree)) }
    let value = initial[key]
    // Made here if nobody has read it yet, so that edits of it are followed.
    return value == .null ? Candidate() : Candidate(entry: .value(self[key]), original: value)
  }

  /// What is to be kept: what differs from the initial value. Of what is in a value the reads are
  /// recorded.
  func entry(of candidate: Candidate) -> SettingsEntry? {
    guard let original = candidate.original, case .value(let copy)? = candidate.entry else {
      return candidate.entry
    }
    return copy == original || isSame(copy, original) ? nil : candidate.entry
  }

  /// All settings that there may be something to keep of.
  var possibleKeys: [DictionaryKey] {
    Array(Set(unsortedKeys).union(unread.keys).union(initial.unsortedKeys))
  }

  /// Makes settings those of a file, and leaves the others alone.
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
      // Copies that nobody has set are read anew.
      touch()
    }
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
    meter.add(unreadSize + copies.capacity * Self.entryWeight + textBytes)
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
