import TideBindings
import TideGraph
import TideViews

/// The revertible changes of one action of a person.
struct UndoStep {
  /// The title given by the script; nil if there is none.
  var givenTitle: String?
  /// Identifies the action. Later input of the same action extends the step.
  let gesture: Int
  /// Whether the action was text input.
  private let isTyping: Bool
  /// Whether it stays one step even if others change the same properties meanwhile.
  private let isGroup: Bool
  /// The person who made it; nil for the program.
  let author: ScenePerson?
  private(set) var properties: [PropertyChange] = []
  private(set) var edits: [ListEdit] = []
  /// Indexes of changes, by the slots of properties and by the entries of dicts.
  private var knownSlots: [UInt32: Int] = [:]
  private var knownEntries: [Entry: Int] = [:]
  private var isClosed = false
  /// Bytes of the recorded changes so far.
  private(set) var notedBytes = 0

  private struct Entry: Hashable {
    let slot: UInt32
    let key: DictionaryKey
  }

  /// The changed part of an object: a property, or an entry of a dict.
  enum Member: Hashable {
    case property(String)
    case entry(DictionaryKey)
  }

  struct Target: Hashable {
    let object: ObjectIdentifier
    let member: Member
  }

  /// A change of a property, or of an entry of a dict.
  struct PropertyChange {
    let object: DataObject
    let member: Member
    let before: Value
    var after: Value
    /// Whether it was typed into a text.
    let isTyped: Bool
    /// The number of the latest change that it covers.
    fileprivate(set) var number: Int

    var target: Target { Target(object: ObjectIdentifier(object), member: member) }

    /// The value that reverts this change, given the current value; nil if nothing of the change is
    /// left. In a typed text that others have edited since, only the typed part is reverted.
    func takenBack(from held: Value) -> Value? {
      if held == after { return before }
      guard isTyped, case .string(let former) = before, case .string(let typed) = after,
        case .string(let text) = held, let since = TextDifference(from: typed, to: text)
      else { return nil }
      // The text was replaced completely.
      if since.removed > 0, since.removed == typed.utf16.count { return nil }
      let rest = typed.merging(former, text)
      return rest == text ? nil : .string(rest)
    }

    /// The current value; nil if the property no longer exists.
    var held: Value? {
      switch member {
      case .property(let name):
        guard let slot = object.slot(named: name) else { return nil }
        // An observable object computes the value, which may fail.
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
    /// The list's stamp at the time of the edit.
    let stamp: Int
    /// The number of the change.
    let number: Int

    /// Bytes that it takes.
    var weight: Int {
      old.reduce(80 + edit.weight) { $0 + 24 + $1.textBytes }
    }
  }

  private static let changeWeight = 120

  init(of action: UndoCenter.Action, by author: ScenePerson?) {
    gesture = action.gesture ?? 0
    isTyping = action.isTyping
    isGroup = action.isGroup
    self.author = author
    givenTitle = action.title
  }

  /// Whether a person may undo it: it is theirs or the program's.
  func isOf(_ person: ScenePerson) -> Bool { author.map { $0.isSame(as: person) } ?? true }

  /// Whether another step belongs to the same action, on the same page.
  func isSameAction(as other: UndoStep) -> Bool {
    gesture == other.gesture && author?.present === other.author?.present
  }

  /// Whether a later step of the same action can be merged into this one. It cannot if others have
  /// changed a property in between.
  func goesOn(with later: UndoStep) -> Bool {
    if isGroup || later.isGroup { return true }
    return later.properties.allSatisfy { change in
      properties.last { $0.target == change.target }.map { $0.after == change.before } ?? true
    }
  }

  var isEmpty: Bool { properties.isEmpty && edits.isEmpty }

  /// The title in a menu, as in "Undo title".
  var title: String {
    if let givenTitle { return givenTitle }
    if let edit = edits.first?.edit.kind { return edit.rawValue }
    switch properties.first?.member {
    case .property(let name): return name
    case .entry(let key): return key.excerpt
    case nil: return ""
    }
  }

  /// - Parameter isTyped: nil to use the kind of the step's action.
  mutating func note(
    _ object: DataObject, _ name: String, at slot: Slot, before: Value, isTyped: Bool? = nil,
    _ number: Int
  ) {
    if let known = knownSlots[slot.index] { return properties[known].number = number }
    knownSlots[slot.index] = properties.count
    add(object, .property(name), before, isTyped, number)
  }

  mutating func note(
    _ dictionary: DictionaryObject, _ key: DictionaryKey, before: Value, isTyped: Bool? = nil,
    _ number: Int
  ) {
    let entry = Entry(slot: dictionary.versionSlot.index, key: key)
    if let known = knownEntries[entry] { return properties[known].number = number }
    knownEntries[entry] = properties.count
    add(dictionary, .entry(key), before, isTyped, number)
  }

  private mutating func add(
    _ object: DataObject, _ member: Member, _ before: Value, _ isTyped: Bool?, _ number: Int
  ) {
    notedBytes += Self.changeWeight + before.textBytes
    properties.append(
      PropertyChange(
        object: object, member: member, before: before, after: before,
        isTyped: isTyped ?? isTyping, number: number))
  }

  mutating func note(_ edit: ListEdit) {
    edits.append(edit)
    notedBytes += edit.weight
  }

  /// Records the values at the end of the action, and drops properties that have not changed.
  mutating func close() {
    for index in properties.indices {
      guard let held = properties[index].held else { continue }
      properties[index].after = held
    }
    properties.removeAll { $0.before == $0.after }
    removeRevertedEdits()
    (knownSlots, knownEntries) = ([:], [:])
    isClosed = true
  }

  /// The most edits of an action that are searched for lists in their original state.
  private static let mostComparedEdits = 256

  /// Removes the edits of lists that are back in their original state.
  private mutating func removeRevertedEdits() {
    guard edits.count > 1, edits.count <= Self.mostComparedEdits else { return }
    for (list, edits) in Dictionary(grouping: edits, by: { ObjectIdentifier($0.list) })
    where edits.count > 1 && edits[0].list.isAsBefore(edits.map { ($0.edit, $0.old) }) {
      self.edits.removeAll { ObjectIdentifier($0.list) == list }
    }
  }

  /// Merges later changes of the same action.
  mutating func add(_ later: UndoStep) {
    givenTitle = givenTitle ?? later.givenTitle
    edits += later.edits
    var known: [Target: Int] = [:]
    for (index, change) in properties.enumerated() { known[change.target] = index }
    for change in later.properties {
      if let index = known[change.target], properties[index].after == change.before {
        properties[index].after = change.after
        properties[index].number = change.number
      } else {
        // A value that others have written in between stays when both changes are reverted.
        known[change.target] = properties.count
        properties.append(change)
      }
    }
    properties.removeAll { $0.before == $0.after }
    removeRevertedEdits()
  }

  /// Removes the changes after a given one; their writes have already been rolled back.
  mutating func removeChanges(since number: Int) {
    edits.removeAll { $0.number > number }
    if !isClosed { return }
    for (index, change) in properties.enumerated() where change.number > number {
      if let held = change.held { properties[index].after = held }
    }
    properties.removeAll { $0.before == $0.after }
  }

  /// Whether it has changes after a given one.
  func hasChanges(since number: Int) -> Bool {
    edits.contains { $0.number > number } || properties.contains { $0.number > number }
  }

  /// The step without the changes of lost objects.
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

// After a reload, old steps may concern objects that the new version has made again. Reverting
// those would have no visible effect.
extension [UndoStep] {
  /// The given objects, all objects that the steps can restore to them, and what these hold.
  func reached(from objects: Set<ObjectIdentifier>) -> Set<ObjectIdentifier> {
    var reached = objects
    var rest: [Value] = []
    while true {
      // Repeated until nothing is added, since steps refer to each other's objects in any order.
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

  /// Removes the changes after a given one; their writes have already been rolled back.
  mutating func removeChanges(since number: Int) {
    for index in indices where self[index].hasChanges(since: number) {
      self[index].removeChanges(since: number)
    }
    removeAll { $0.isEmpty }
  }

  /// The steps, restricted to changes of some objects.
  func keeping(_ reached: Set<ObjectIdentifier>) -> [UndoStep] {
    map { step in step.keeping { reached.contains(ObjectIdentifier($0)) } }.filter { !$0.isEmpty }
  }
}
