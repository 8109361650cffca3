import TideGraph

/// The records that users change through views, in one graph.
///
///     a user's act ────▶ begin ──▶ RecordEdit ──▶ the record's rows are held
///                                     │              by the lists of its controllers
///     focus, selection, commit ───────┴──▶ end       and by views that derive their rows
///
/// Lists query the held rows when they follow their sources; without edits there is no other cost.
/// When an edit ends, the lists release its rows to their own positions, in one wave.
package final class EditedRecords {
  private unowned(unsafe) let graph: Graph
  /// Increases when an edit begins or ends.
  let version: Slot
  package private(set) var edits: [RecordEdit] = []
  /// Edits whose records are gone, with input that was not written to any record.
  private var noticed: [RecordEdit] = []
  /// Errors of acts of users that arrived after their records were gone.
  private var lateActs: [TideError] = []
  private var names: [(record: ObjectHandle, name: String)] = []
  /// Whether a user's act is being carried out.
  package var isActing = false
  /// Whether a mouse button is down. The pressed row stays where it is until the button is up.
  package var isPressed = false
  /// Whether a reload is in progress, which may restore the rows that it removes. No record counts
  /// as gone until the reload has ended.
  package private(set) var isTryingReload = false
  /// Called with notices for the user.
  package var onNotice: ((String) -> Void)?
  /// Controllers whose selection has changed, and whose edits end once the new selection was
  /// delivered.
  private var selecting: [ObjectHandle] = []
  /// Increases when a controller is added to `selecting`.
  private let selections: Slot

  init(_ graph: Graph) {
    self.graph = graph
    version = graph.makeSource(.integer(0))
    selections = graph.makeSource(.integer(0))
    // Neither the effect nor its function retains the graph, which ends with these records.
    _ = graph.makeEffect(EffectFunction { [unowned self] in endSelected() })
  }

  // MARK: For lists

  /// The rows that a list must leave where they are; nil for none. The read is recorded.
  func rows(heldBy controller: DataObject?) -> Set<ContentKey>? {
    if edits.isEmpty { return nil }
    Graph.trackRead(of: version)
    var keys: Set<ContentKey> = []
    for edit in edits where !edit.isLost && controller.map(edit.isOf) ?? true {
      keys.formUnion(edit.keys)
      keys.formUnion(edit.companions)
    }
    return keys.isEmpty ? nil : keys
  }

  /// Whether a value is a record that is being edited. The read is recorded.
  func holds(_ value: Value) -> Bool {
    if edits.isEmpty { return false }
    Graph.trackRead(of: version)
    return edits.contains { !$0.isLost && $0.has(value) }
  }

  /// Holds the rows above an edited record, such as its parents in a tree, together with the
  /// record.
  package func addCompanions(_ find: (_ record: Value) -> [Value]) {
    for edit in edits where !edit.isLost {
      for record in edit.records.prefix(8) {
        edit.companions.formUnion(find(record).map(ContentKey.init))
      }
    }
  }

  /// Whether a list has, or may have, a record that is being edited.
  package func concerns(_ list: ValueList) -> Bool {
    edits.contains { edit in
      if edit.isLost { return false }
      // Searching for each of many records would take longer than following the list.
      if edit.records.count > 8 { return true }
      return edit.records.contains { record in
        graph.untracked { list.index(of: record) } != nil
          || !(list is MappedList) && list.conceals(record)
      }
    }
  }

  /// A held row has been removed from its list's source, or another row has replaced it in its
  /// object. Called while lists are evaluated.
  package func lose(_ record: Value) {
    for edit in edits where !edit.isLost && edit.remove(record) { lose(edit) }
  }

  /// Ends an edit whose record is gone, and notifies the user about input that was not written.
  package func lose(_ edit: RecordEdit) {
    if edit.isLost { return }
    edit.isLost = true
    let entry = graph.untracked { edit.editor.flatMap { $0.delaysEntry ? nil : $0.unwrittenEntry } }
    if let entry, !entry.isEmpty { refuse(entry, of: edit) }
  }

  /// A list that follows no other list has been edited.
  func list(did edit: ValueList.Edit, to old: [Value]) {
    if edits.isEmpty { return }
    let (removed, added) = (edit.removed(old), edit.added)
    for each in edits where !each.isLost {
      for value in removed { each.note(-1, listOf: value) }
      for value in added { each.note(1, listOf: value) }
    }
  }

  /// Ends an edit whose record has been removed from its list, if no controller and no view shows
  /// the list. A record that is in another list, or has been moved there, is not gone.
  ///
  /// - Parameter isShown: whether a view of rows shows a record.
  package func checkLists(of edit: RecordEdit, isShown: (_ record: Value) -> Bool) {
    if isTryingReload || edit.isLost { return }
    let isListed = BindingTable.of(graph).hooks.isListed
    for record in edit.takeUnlisted() where edit.controllers.isEmpty {
      if isShown(record) || isListed?(record) == true { continue }
      if edit.remove(record) { lose(edit) }
    }
  }

  // MARK: For controllers

  /// The first record of a controller that is being edited.
  func record(of controller: ObjectController) -> Value? {
    for edit in edits where !edit.isLost && edit.isOf(controller) {
      let record = graph.untracked {
        edit.records.first { record in controller.hasObject { $0 == record } }
      }
      if let record { return record }
    }
    return nil
  }

  /// Called before a controller's method removes objects, which discards their input.
  func willRemove(_ records: [Value]) { willRemove(Set(records.map(ContentKey.init))) }

  func willRemove(_ records: Set<ContentKey>) {
    for edit in edits where !edit.isLost {
      for record in edit.records where records.contains(ContentKey(record)) {
        if edit.remove(record) { lose(edit) }
      }
    }
  }

  /// Ends the edits of a controller, because its selection has changed, or its input was committed
  /// or discarded. A lost edit ends only if a person has caused this; until then, its view accepts
  /// no input.
  ///
  /// The edits of other people continue: their views hold their records until they end the edits.
  package func end(of controller: DataObject) {
    if isPressed { return }
    end { edit in
      edit.isOf(controller) && (!edit.isLost || isActing)
        && edit.editor?.isEnteredByAnother != true
    }
  }

  /// Ends the edits of a controller whose selection has changed, after all dependents of the
  /// selection have been updated. The rows then move, and the selected indexes with them; a binding
  /// that has written an index receives the new one.
  func endAfterSelection(in controller: DataObject) {
    selecting.append(ObjectHandle(controller))
    graph.write(selections, .integer(Int.load(selections) &+ 1))
  }

  private func endSelected() {
    Graph.trackRead(of: selections)
    let controllers = selecting.compactMap(\.object)
    selecting = []
    graph.untracked { for controller in controllers { end(of: controller) } }
  }

  // MARK: For reloads

  package func beginReload() { isTryingReload = true }

  /// Ends a reload. The edits drop the controllers of the version that ends.
  package func endReload(isCommitted: Bool) {
    isTryingReload = false
    for edit in edits { edit.settleSuccessions(isCommitted: isCommitted) }
    if !edits.isEmpty { changed(edits) }
  }

  // MARK: For views

  package func edit(of editor: any RecordEditor) -> RecordEdit? {
    edits.first { $0.editor === editor }
  }

  /// Called before a user changes a view: begins an edit of the records of a passage, or continues
  /// one. Nil if the passage has no records. If the record of a continued edit is gone, the edit
  /// `isLost`, and nothing may be written.
  package func begin(of editor: any RecordEditor, _ passage: RecordEdit.Passage) -> RecordEdit? {
    if let known = edit(of: editor) {
      if known.isLost || known.isOf(passage) { return known }
      if passage.isOfPlace {
        lose(known)
        return known
      }
    }
    // Edits of other views end after this input, so that rows do not move under a press.
    end { $0.editor === editor }
    if passage.records.isEmpty { return nil }
    // Rows are brought up to date, so that they are held at their positions before the act.
    graph.untracked {
      for case let controller as ListController in passage.controllers.map(\.object) {
        controller.arranged.beginReading()
      }
    }
    let edit = makeEdit(of: editor, passage)
    edits.append(edit)
    noteName(edit.name, of: passage)
    changed([edit])
    return edit
  }

  /// Records a user's input in a view whose record is gone.
  package func refuse(_ entry: String, of edit: RecordEdit) {
    edit.unwritten += entry
    if !noticed.contains(where: { $0 === edit }) { noticed.append(edit) }
    if noticed.count > Self.mostNotices { noticed.removeFirst() }
    onNotice?(edit.noticeForPerson)
  }

  /// Records that a control was pressed too late for its record. Nothing was done.
  ///
  /// - Parameter control: its name in errors.
  package func refuse(pressOf control: String) {
    let notice = lateAct(
      "\(control) was pressed after its record was removed or replaced; nothing was done")
    noteLate(notice, inPlaceOf: notice)
  }

  /// Records that text was entered into a control too late for its record.
  ///
  /// - Parameters:
  ///   - control: its name in errors.
  ///   - former: the part of the text that was recorded before.
  package func refuse(_ entry: String, of control: String, continuing former: String?) {
    let notice = { (entry: String) in
      self.lateAct(
        "what was entered in \(control) after its record was removed or replaced is in no record: "
          + TransformCall.excerpt(entry))
    }
    noteLate(notice(entry), inPlaceOf: former.map(notice))
  }

  private func lateAct(_ message: String) -> TideError {
    var notice = TideError(.unwritten, message)
    notice.isOfEdit = true
    return notice
  }

  private func noteLate(_ notice: TideError, inPlaceOf former: TideError?) {
    if let former { lateActs.removeAll { $0.message == former.message } }
    lateActs.append(notice)
    if lateActs.count > Self.mostNotices { lateActs.removeFirst() }
  }

  /// The notices that have not been cleared.
  var notices: [TideError] { noticed.map(\.notice) + lateActs }

  func clearNotices(where isOver: (TideError) -> Bool) {
    noticed.removeAll { isOver($0.notice) }
    lateActs.removeAll(where: isOver)
  }

  private static let mostNotices = 100

  /// Ends an edit if the passage of its view now leads to other records, because the selection has
  /// changed or another record has replaced the edited one.
  package func checkPassage(
    of edit: RecordEdit, _ passage: RecordEdit.Passage, isByPerson: Bool
  ) {
    if isTryingReload || edit.isOf(passage) { return }
    if passage.isOfPlace && !isByPerson { return lose(edit) }
    edit.editor?.writeDelayedEntry()
    // Input that was refused for one record is not shown for another.
    if edit.editor?.unwrittenEntry != nil {
      lose(edit)
      clear(edit)
    }
    end { $0 === edit }
  }

  /// Discards the input for a record that is gone, after the user was notified.
  package func clear(_ edit: RecordEdit) {
    if !edit.isLost || edit.isCleared { return }
    edit.isCleared = true
    edit.editor?.writeDelayedEntry()
    edit.editor?.discardEntry()
    changed([edit])
  }

  package func end(where isOver: (RecordEdit) -> Bool) {
    let over = edits.filter(isOver)
    if over.isEmpty { return }
    edits.removeAll { edit in over.contains { $0 === edit } }
    for edit in over {
      edit.forgetOriginals()
      clear(edit)
    }
    changed(over)
  }

  /// Called when a view with unwritten input is removed because its row is gone.
  package func lose(_ entry: String, of editor: any RecordEditor, _ passage: RecordEdit.Passage) {
    if let edit = edit(of: editor) { return lose(edit) }
    refuse(entry, of: makeEdit(of: editor, passage))
  }

  /// Called when the bindings of a view that keeps unwritten input lead to other records now.
  package func abandon(
    _ entry: String, of editor: any RecordEditor, _ passage: RecordEdit.Passage
  ) {
    let known = edit(of: editor)
    refuse(entry, of: known ?? makeEdit(of: editor, passage))
    end { $0 === known }
  }

  private func makeEdit(of editor: any RecordEditor, _ passage: RecordEdit.Passage) -> RecordEdit {
    RecordEdit(
      of: editor, passage, named: graph.untracked { name(of: passage) },
      title: graph.untracked { title(of: passage) })
  }

  /// Moves edits from views to those that have replaced them.
  package func move(_ replacement: (any RecordEditor) -> (any RecordEditor)?) {
    for edit in edits {
      if let old = edit.editor, let new = replacement(old) { edit.move(to: new) }
    }
  }

  private func changed(_ edits: [RecordEdit]) {
    graph.batch {
      for case let controller as Controller in edits.flatMap(\.controllers).map(\.object) {
        controller.bump(.edited)
      }
      let next = Int.load(version) &+ 1
      graph.write(version, .integer(next))
    }
  }

  // MARK: Names

  /// The maximum number of stored names; the oldest are dropped.
  private static let mostNames = 100

  /// Stores the name of a record that is a row of a named controller.
  private func noteName(_ name: String, of passage: RecordEdit.Passage) {
    guard case .object(let record as DataObject)? = passage.records.last,
      ownerName(of: passage) != nil
    else { return }
    names.removeAll { $0.record.object === record }
    names.append((ObjectHandle(record), name))
    if names.count > Self.mostNames { names.removeFirst() }
  }

  /// The name under which a user edited a record, such as `people["Ann"]`; nil if it was not
  /// edited.
  func name(of record: DataObject) -> String? {
    names.last { $0.record.object === record }?.name
  }

  /// The controller's name, or the class, with the record's title, such as `people["Ann"]`.
  private func name(of passage: RecordEdit.Passage) -> String {
    guard case .object(let record as DataObject)? = passage.records.last else {
      return "the record"
    }
    let title = title(of: passage)
    if title.isEmpty { return record.label }
    return "\(ownerName(of: passage) ?? record.shape.name)[\(TransformCall.quoted(title))]"
  }

  /// The title of the record; empty if there is none.
  private func title(of passage: RecordEdit.Passage) -> String {
    guard case .object(let record as DataObject)? = passage.records.last else { return "" }
    for name in RowTitle.names where record.shape.index(of: name) != nil {
      if let text = record[name].text, !text.isEmpty { return String(text.prefix(40)) }
    }
    return ""
  }

  /// The name in paths of the first named controller of a passage.
  private func ownerName(of passage: RecordEdit.Passage) -> String? {
    let name = BindingTable.of(graph).hooks.nameOfObject
    return passage.controllers.lazy.compactMap { ($0.object as? Controller).flatMap { name?($0) } }
      .first
  }
}
