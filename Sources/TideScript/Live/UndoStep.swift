import TideBindings
import TideGraph
import TideViews

/// What one action of a person has changed, as far as it can be taken back.
struct UndoStep {
  /// What the action was called; nil where nobody has said.
  var givenTitle: String?
  /// Which action it was; input that goes on with the same one is part of it.
  var gesture: Int
  /// The person who made it; nil for the program.
  let author: ScenePerson?
  private(set) var properties: [PropertyChange] = []
  private(set) var edits: [ListEdit] = []
  /// The slots of properties that are among the changes, and the entries by the slots of their
  /// dicts.
  private var knownSlots: Set<UInt32> = []
  private var knownEntries: Set<Entry> = []
  /// Bytes that what was noted takes, so far.
  private(set) var notedBytes = 0

  private struct Entry: Hashable {
    let slot: UInt32
    let key: DictionaryKey
  }

  /// What of an object is changed: a property, or an entry of a dict.
  enum Member: Hashable {
    case property(String)
    case entry(DictionaryKey)
  }

  fileprivate struct Target: Hashable {
    let object: ObjectIdentifier
    let member: Member
  }

  /// A change of a property, or of an entry of a dict.
  struct PropertyChange {
    let object: DataObject
    let member: Member
    let before: Value
    var after: Value

    fileprivate var target: Target { Target(object: ObjectIdentifier(object), member: member) }

    /// What is there now; nil where the property is there no more.
    var held: Value? {
      switch member {
      case .property(let name):
        guard let slot = object.slot(named: name) else { return nil }
        // What an observable object holds is read from it. Where that fails, nothing is known.
        do { try object.graph.refresh(slot) } catch { return nil }
        return slot.load()
      case .entry(let key): return (object as? DictionaryObject)?[key]
      }
    }
  }

  struct ListEdit {
    let list: ValueList
    let edit: ValueList.Edit
    let old: [Value]
    /// The stamp that the list had when it was edited.
    let stamp: Int

    /// Bytes that it takes.
    var weight: Int {
      old.reduce(80 + edit.weight) { $0 + 24 + $1.textBytes }
    }
  }

  private static let changeWeight = 120

  init(gesture: Int, title: String? = nil, by author: ScenePerson?) {
    self.gesture = gesture
    self.author = author
    givenTitle = title
  }

  /// Whether a person may take it back: it is theirs, or the program's.
  func isOf(_ person: ScenePerson) -> Bool { author.map { $0.present === person } ?? true }

  var isEmpty: Bool { properties.isEmpty && edits.isEmpty }

  /// A person reads it in a menu, as in "Undo title".
  var title: String {
    if let givenTitle { return givenTitle }
    if let edit = edits.first?.edit.kind { return edit.rawValue }
    switch properties.first?.member {
    case .property(let name): return name
    case .entry(let key): return key.excerpt
    case nil: return ""
    }
  }

  mutating func note(_ object: DataObject, _ name: String, at slot: Slot, before: Value) {
    guard knownSlots.insert(slot.index).inserted else { return }
    notedBytes += Self.changeWeight + before.textBytes
    properties.append(
      PropertyChange(object: object, member: .property(name), before: before, after: before))
  }

  mutating func note(_ dictionary: DictionaryObject, _ key: DictionaryKey, before: Value) {
    let entry = Entry(slot: dictionary.versionSlot.index, key: key)
    guard knownEntries.insert(entry).inserted else { return }
    notedBytes += Self.changeWeight + before.textBytes
    properties.append(
      PropertyChange(object: dictionary, member: .entry(key), before: before, after: before))
  }

  mutating func note(_ edit: ListEdit) {
    edits.append(edit)
    notedBytes += edit.weight
  }

  /// Notes what the properties hold at the end of the action; those that hold what they held before
  /// have not changed.
  mutating func close() {
    for index in properties.indices {
      guard let held = properties[index].held else { continue }
      properties[index].after = held
    }
    properties.removeAll { $0.before == $0.after }
    (knownSlots, knownEntries) = ([], [])
  }

  /// Adds what the same action has changed later.
  mutating func add(_ later: UndoStep) {
    givenTitle = givenTitle ?? later.givenTitle
    edits += later.edits
    var known: [Target: Int] = [:]
    for (index, change) in properties.enumerated() { known[change.target] = index }
    for change in later.properties {
      if let index = known[change.target] {
        properties[index].after = change.after
      } else {
        properties.append(change)
      }
    }
    properties.removeAll { $0.before == $0.after }
  }

  /// What remains of it where some objects are lost: the changes of the others.
  func keeping(_ isKept: (DataObject) -> Bool) -> UndoStep {
    var step = self
    step.properties.removeAll { !isKept($0.object) }
    step.edits.removeAll { !isKept($0.list) }
    return step
  }

  /// Bytes that it takes.
  var weight: Int {
    var bytes = 200 + title.utf8.count
    for change in properties {
      bytes += Self.changeWeight + change.before.textBytes + change.after.textBytes
    }
    for edit in edits { bytes += edit.weight }
    return bytes
  }
}

// The steps of a version of a script may be about objects that the next one has made anew: nobody
// would see that these are taken back.
extension [UndoStep] {
  /// Some objects, and those that come back to them by the steps, with what they hold.
  func reached(from objects: Set<ObjectIdentifier>) -> Set<ObjectIdentifier> {
    var reached = objects
    var rest: [Value] = []
    while true {
      // In whatever order the steps are about each other's objects.
      let before = reached.count
      for step in self {
        for change in step.properties where reached.contains(ObjectIdentifier(change.object)) {
          rest += [change.before, change.after]
        }
        for edit in step.edits where reached.contains(ObjectIdentifier(edit.list)) {
          rest += edit.old + edit.edit.added
        }
      }
      while let value = rest.popLast() {
        guard case .object(let object as DataObject) = value, UndoHistory.isFollowed(object),
          reached.insert(ObjectIdentifier(object)).inserted
        else { continue }
        rest += UndoHistory.values(in: object)
      }
      if reached.count == before { return reached }
    }
  }

  /// The steps, as far as they are about some objects.
  func keeping(_ reached: Set<ObjectIdentifier>) -> [UndoStep] {
    map { step in step.keeping { reached.contains(ObjectIdentifier($0)) } }.filter { !$0.isEmpty }
  }
}
