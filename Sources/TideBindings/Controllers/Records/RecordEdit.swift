import TideGraph

/// A view in which a user changes a record.
package protocol RecordEditor: DataObject {
  /// The input that is not written to any record; nil for none.
  var unwrittenEntry: String? { get }
  /// Whether that input waits only for a delay, and will be written to the record for which it was
  /// entered.
  var delaysEntry: Bool { get }
  /// Writes delayed input at once.
  func writeDelayedEntry()
  /// Whether another user than the current one has entered the text.
  var isEnteredByAnother: Bool { get }
  /// Requests the focus, because the input in the view was refused.
  func takeFocusForEntry()
  /// Shows the model's value in place of the input.
  func discardEntry()
}

/// A user's change of a record through a view, from its beginning until the view ends it.
///
///     open ──▶ ended     the focus left, something else was selected, it was committed
///       └────▶ lost      the record is gone: the view accepts no input until it is used again
package final class RecordEdit {
  /// The records that a user's input changes, and the controllers on the way.
  package struct Passage {
    /// The objects of the path, including the record.
    package internal(set) var records: [Value] = []
    package internal(set) var controllers: [ObjectHandle] = []
    /// Whether it leads to a position: an index, a row of a view, or the content of an object
    /// controller. Another record at the position replaces the former one.
    var isOfPlace = false
    /// Whether all records are edited together, as selected ones are.
    var isOfSelection = false
    /// The maximum number of selected records.
    let limit: Int

    package init(limit: Int = .max) { self.limit = limit }

    /// Whether there may be more records than it has.
    var isCut: Bool { records.count >= limit }
  }

  private var editorHandle: ObjectHandle
  package private(set) var records: [Value]
  private(set) var keys: Set<ContentKey>
  /// The records that are gone.
  private(set) var lost: Set<ContentKey> = []
  /// The rows above the record, which are held together with it.
  var companions: Set<ContentKey> = []
  private(set) var controllers: [ObjectHandle]
  /// For each record, the number of lists that have got it since the edit began, less those that
  /// have lost it.
  private var lists: [ContentKey: Int] = [:]
  /// Controllers of a version that is being loaded, with the controllers that they replace.
  private var successions: [(former: ObjectHandle, new: ObjectHandle)] = []
  private let isOfSelection: Bool
  /// The name of the record in errors.
  package let name: String
  /// The title of the record; empty if there is none.
  private let title: String
  /// Whether its record is gone.
  package internal(set) var isLost = false
  /// Whether its input was removed from the view.
  var isCleared = false
  /// The input that was not written to any record.
  package var unwritten = ""
  /// Whether the view has had the focus since the edit began.
  package var wasFocused = false
  /// The model's values from before the typing; empty while nothing has been typed.
  var originals: [EditOriginal] = []
  /// Whether it was used since the last check.
  package var isTouched = false

  init(of editor: any RecordEditor, _ passage: Passage, named name: String, title: String) {
    editorHandle = ObjectHandle(editor)
    records = passage.records
    keys = Set(passage.records.map(ContentKey.init))
    controllers = passage.controllers
    isOfSelection = passage.isOfSelection
    self.name = name
    self.title = title
  }

  package var editor: (any RecordEditor)? { editorHandle.object as? any RecordEditor }

  /// The notice for a user whose record is gone, without names from scripts.
  var noticeForPerson: String {
    let record = title.isEmpty ? "The record" : TransformCall.quoted(title)
    return "\(record) was removed or replaced while it was being edited; what was entered is in no "
      + "record: \(TransformCall.quoted(String(unwritten.suffix(Self.mostTold)))); select a record, "
      + "or the field again, to go on"
  }

  private static let mostTold = 1000

  /// The error that is listed for it.
  var notice: TideError {
    var notice = TideError(
      .unwritten,
      "\(name) was removed or replaced while it was being edited; what was entered is in no record:"
        + " \(TransformCall.excerpt(unwritten)); select a record, or the field again, to go on")
    notice.isOfEdit = true
    return notice
  }

  /// Whether the model's values from before the typing are known.
  package var hasOriginals: Bool { !originals.isEmpty }

  /// Called when an input of its user has been handled.
  package func endInput() {
    for original in originals { original.endInput() }
  }

  /// Confirms the typed text. What the user types next is a new edit of it.
  package func forgetOriginals() {
    for original in originals { original.isOver = true }
    originals = []
  }

  func move(to editor: any RecordEditor) { editorHandle = ObjectHandle(editor) }

  /// Continues through a controller that replaces another one when a reload is committed.
  func add(_ controller: Controller, inPlaceOf former: Controller) {
    controllers.append(ObjectHandle(controller))
    successions.append((ObjectHandle(former), ObjectHandle(controller)))
  }

  /// Drops the controllers of the version that ends.
  func settleSuccessions(isCommitted: Bool) {
    for (former, new) in successions {
      let over = isCommitted ? former : new
      controllers.removeAll { $0.object === over.object }
    }
    successions = []
  }

  func isOf(_ controller: DataObject) -> Bool {
    controllers.contains { $0.object === controller }
  }

  package func has(_ record: Value) -> Bool { keys.contains(ContentKey(record)) }

  package func isOf(_ passage: Passage) -> Bool {
    keys == Set(passage.records.map(ContentKey.init))
  }

  /// Notes that lists have got a value, or have lost it.
  func note(_ count: Int, listOf value: Value) {
    let key = ContentKey(value)
    if keys.contains(key) { lists[key, default: 0] += count }
  }

  /// Whether a list has lost one of its records since it was asked.
  package var mayBeUnlisted: Bool { lists.contains { $0.value < 0 } }

  /// Returns the records that fewer lists have than before, and forgets that.
  func takeUnlisted() -> [Value] {
    if lists.isEmpty { return [] }
    let unlisted = records.filter { lists[ContentKey($0)] ?? 0 < 0 }
    lists = lists.filter { $0.value > 0 }
    return unlisted
  }

  /// Removes a record that is gone. Returns true if the edit cannot continue.
  func remove(_ record: Value) -> Bool {
    guard keys.remove(ContentKey(record)) != nil else { return false }
    lost.insert(ContentKey(record))
    records.removeAll { $0 == record }
    return !isOfSelection || records.isEmpty
  }
}
