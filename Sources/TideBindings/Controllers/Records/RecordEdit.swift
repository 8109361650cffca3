import TideGraph

/// Where a person changes a record: a view.
package protocol RecordEditor: DataObject {
  /// What has been entered there and is in no record; nil for nothing.
  var unwrittenEntry: String? { get }
  /// Whether that waits for a delay alone, and will be written to the record for which it was
  /// entered.
  var delaysEntry: Bool { get }
  /// Writes at once what waits for a delay.
  func writeDelayedEntry()
  /// Whether another person than the present one has entered the text.
  var isEnteredByAnother: Bool { get }
  /// Whether that person has a page, which keeps the entry and tells of it.
  var isEntryKeptByAuthor: Bool { get }
  /// Gets the focus, because what was entered there was refused.
  func takeFocusForEntry()
  /// Shows what the model has in place of what was entered.
  func discardEntry()
}

/// A record that a person has begun to change through a view, until the view lets go of it.
///
///     open ──▶ ended     the focus left, something else was selected, it was committed
///       └────▶ lost      the record is gone: the view takes nothing more until it is used anew
package final class RecordEdit {
  /// What a person's acts change, and through what.
  package struct Passage {
    /// The objects on the way, the record among them.
    package internal(set) var records: [Value] = []
    package internal(set) var controllers: [ObjectHandle] = []
    /// It leads to whatever stands at a place: at an index, in a row of a view, as the content of a
    /// controller of one object. Another record there has replaced the one before.
    var isOfPlace = false
    /// All of the records are edited alike, as selected ones are.
    var isOfSelection = false
    /// So many selected records are looked at.
    let limit: Int

    package init(limit: Int = .max) { self.limit = limit }

    /// Whether there may be more records than it has.
    var isCut: Bool { records.count >= limit }
  }

  private var editorHandle: ObjectHandle
  private(set) var records: [Value]
  private(set) var keys: Set<ContentKey>
  /// Rows that the record stands below, which stay with it.
  var companions: Set<ContentKey> = []
  private(set) var controllers: [ObjectHandle]
  /// Controllers of a version that is being tried, with those whose places they take.
  private var successions: [(former: ObjectHandle, new: ObjectHandle)] = []
  private let isOfSelection: Bool
  /// The record as errors name it.
  package let name: String
  /// What the record shows first; empty for nothing.
  private let title: String
  /// Its record is gone.
  package internal(set) var isLost = false
  /// What was entered for it shows no more.
  var isCleared = false
  /// What was entered and went nowhere.
  package var unwritten = ""
  /// The view has had the focus meanwhile.
  package var wasFocused = false
  /// What the model had before the typing; empty while nothing has been typed.
  var originals: [EditOriginal] = []
  /// Something was done through it since that was looked at last.
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

  /// What a person is told whose record is gone, without names from scripts.
  var noticeForPerson: String {
    let record = title.isEmpty ? "The record" : TransformCall.quoted(title)
    return "\(record) was removed or replaced while it was being edited; what was entered is in no "
      + "record: \(TransformCall.quoted(String(unwritten.suffix(Self.mostTold)))); select a record, "
      + "or the field again, to go on"
  }

  private static let mostTold = 1000

  /// What is listed then.
  var notice: TideError {
    var notice = TideError(
      .unwritten,
      "\(name) was removed or replaced while it was being edited; what was entered is in no record:"
        + " \(TransformCall.excerpt(unwritten)); select a record, or the field again, to go on")
    notice.isOfEdit = true
    return notice
  }

  /// Whether it is known what the model had before the typing.
  package var hasOriginals: Bool { !originals.isEmpty }

  /// What has been typed is meant so: what follows is typed over it.
  package func forgetOriginals() {
    for original in originals { original.isOver = true }
    originals = []
  }

  func move(to editor: any RecordEditor) { editorHandle = ObjectHandle(editor) }

  /// Goes on through a controller that takes the place of another when a reload is committed.
  func add(_ controller: Controller, inPlaceOf former: Controller) {
    controllers.append(ObjectHandle(controller))
    successions.append((ObjectHandle(former), ObjectHandle(controller)))
  }

  /// Goes on through the controllers of one version only.
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

  func isOf(_ passage: Passage) -> Bool { keys == Set(passage.records.map(ContentKey.init)) }

  /// A record is gone; true when the edit has nothing left to go on with.
  func remove(_ record: Value) -> Bool {
    guard keys.remove(ContentKey(record)) != nil else { return false }
    records.removeAll { $0 == record }
    return !isOfSelection || records.isEmpty
  }
}
