import TideBindings
import TideGraph

/// What one action of a person has changed, as far as it can be taken back.
struct UndoStep {
  /// What the action was called; nil where nobody has said.
  var givenTitle: String?
  /// Which action it was; input that goes on with the same one is part of it.
  var gesture: Int
  private(set) var properties: [PropertyChange] = []
  private(set) var edits: [ListEdit] = []
  /// The indexes of the changes of properties, by slot.
  private var known: [UInt32: Int] = [:]

  struct PropertyChange {
    let object: DataObject
    let name: String
    let before: Value
    var after: Value
  }

  struct ListEdit {
    let list: ValueList
    let edit: ValueList.Edit
    let old: [Value]
    /// The stamp that the list had when it was edited.
    let stamp: Int
  }

  init(gesture: Int, title: String? = nil) {
    self.gesture = gesture
    givenTitle = title
  }

  var isEmpty: Bool { properties.isEmpty && edits.isEmpty }

  /// A person reads it in a menu, as in "Undo title".
  var title: String {
    if let givenTitle { return givenTitle }
    if let edit = edits.first?.edit.kind { return edit.rawValue }
    return properties.first?.name ?? ""
  }

  mutating func note(_ object: DataObject, _ name: String, at slot: Slot, before: Value) {
    if known[slot.index] != nil { return }
    known[slot.index] = properties.count
    properties.append(PropertyChange(object: object, name: name, before: before, after: before))
  }

  mutating func note(_ edit: ListEdit) { edits.append(edit) }

  /// Notes what the properties hold at the end of the action; those that hold what they held before
  /// have not changed.
  mutating func close() {
    for index in properties.indices {
      guard let slot = properties[index].object.slot(named: properties[index].name) else {
        continue
      }
      properties[index].after = slot.load()
    }
    properties.removeAll { $0.before == $0.after }
    known = [:]
  }

  /// Adds what the same action has changed later.
  mutating func add(_ later: UndoStep) {
    givenTitle = givenTitle ?? later.givenTitle
    edits += later.edits
    for change in later.properties {
      let index = properties.firstIndex { $0.object === change.object && $0.name == change.name }
      if let index { properties[index].after = change.after } else { properties.append(change) }
    }
    properties.removeAll { $0.before == $0.after }
  }

  /// Bytes that it takes.
  var weight: Int {
    var bytes = 200 + title.utf8.count
    for change in properties { bytes += 120 + change.before.textBytes + change.after.textBytes }
    for edit in edits {
      bytes += 80 + edit.edit.weight
      for value in edit.old { bytes += 24 + value.textBytes }
    }
    return bytes
  }
}
