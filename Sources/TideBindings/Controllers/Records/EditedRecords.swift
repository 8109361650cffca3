import TideGraph

/// The records that people are changing through views, in one graph.
///
///     a person's act ──▶ begin ──▶ RecordEdit ──▶ the record's rows are held
///                                     │              by the lists of its controllers
///     focus, selection, commit ───────┴──▶ end       and by views that derive their rows
///
/// Lists ask what they hold when they follow their sources; nothing else is asked while nobody
/// edits. When an edit ends, the lists that held its rows put them where they belong, in one wave.
package final class EditedRecords {
  private unowned(unsafe) let graph: Graph
  /// Grows when an edit begins or ends.
  let version: Slot
  package private(set) var edits: [RecordEdit] = []
  /// Edits whose records are gone, and in which something was entered that is in no record.
  private var noticed: [RecordEdit] = []
  private var names: [(record: ObjectHandle, name: String)] = []
  /// Whether what happens is what a person does.
  package var isActing = false
  /// Whether a mouse button is down. What is pressed stays where it is until it is up.
  package var isPressed = false
  /// Whether a reload is being tried, which may give back the rows that it takes away: no record is
  /// taken for gone before it is over.
  package private(set) var isTryingReload = false
  /// Called with what a person is to be told.
  package var onNotice: ((String) -> Void)?

  init(_ graph: Graph) {
    self.graph = graph
    version = graph.makeSource(.integer(0))
  }

  // MARK: For lists

  /// The rows that a list is to leave where they are; nil for none. Recorded.
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

  /// Whether a value is a record that is being edited. Recorded.
  func holds(_ value: Value) -> Bool {
    if edits.isEmpty { return false }
    Graph.trackRead(of: version)
    return edits.contains { !$0.isLost && $0.has(value) }
  }

  /// Has rows stay with a record because it stands below them.
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
      // Looking for each of many would take longer than following the list.
      if edit.records.count > 8 { return true }
      return edit.records.contains { record in
        graph.untracked { list.index(of: record) } != nil
          || !(list is MappedList) && list.conceals(record)
      }
    }
  }

  /// A row that was held is gone from the list that it came from. Called while lists are evaluated.
  func lose(_ record: Value) {
    for edit in edits where !edit.isLost && edit.remove(record) { lose(edit) }
  }

  private func lose(_ edit: RecordEdit) {
    if edit.isLost { return }
    edit.isLost = true
    let entry = graph.untracked { edit.editor.flatMap { $0.delaysEntry ? nil : $0.unwrittenEntry } }
    if let entry, !entry.isEmpty { refuse(entry, of: edit) }
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

  /// Some objects are about to be taken out by a controller's method, which drops what is entered.
  func willRemove(_ records: [Value]) { willRemove(Set(records.map(ContentKey.init))) }

  func willRemove(_ records: Set<ContentKey>) {
    for edit in edits where !edit.isLost {
      for record in edit.records where records.contains(ContentKey(record)) {
        if edit.remove(record) { lose(edit) }
      }
    }
  }

  /// Something else is selected, or what was entered is committed or dropped. Where the record is
  /// gone, the view takes nothing until a person does so.
  ///
  /// The edits of other people go on: their views hold their records until they let go of them.
  package func end(of controller: DataObject) {
    if isPressed { return }
    end { edit in
      edit.isOf(controller) && (!edit.isLost || isActing)
        && edit.editor?.isEnteredByAnother != true
    }
  }

  // MARK: For reloads

  package func beginReload() { isTryingReload = true }

  /// A reload is over. The controllers of the version that ends have no say any more.
  package func endReload(isCommitted: Bool) {
    isTryingReload = false
    for edit in edits { edit.settleSuccessions(isCommitted: isCommitted) }
    if !edits.isEmpty { changed(edits) }
  }

  // MARK: For views

  package func edit(of editor: any RecordEditor) -> RecordEdit? {
    edits.first { $0.editor === editor }
  }

  /// A person is about to change a view: begins an edit of the records that the passage leads to,
  /// or goes on with it. Nil where the passage leads to none. Where the record is gone that the
  /// person began with, the edit `isLost`, and nothing may be written.
  package func begin(of editor: any RecordEditor, _ passage: RecordEdit.Passage) -> RecordEdit? {
    if let known = edit(of: editor) {
      if known.isLost || known.isOf(passage) { return known }
      if passage.isOfPlace {
        lose(known)
        return known
      }
    }
    // What was done elsewhere is over when this input is: rows do not move below a press.
    end { $0.editor === editor }
    if passage.records.isEmpty { return nil }
    // What is held is what stood there before the act.
    graph.untracked {
      for case let controller as ListController in passage.controllers.map(\.object) {
        controller.arranged.beginReading()
      }
    }
    let edit = RecordEdit(
      of: editor, passage, named: graph.untracked { name(of: passage) },
      title: graph.untracked { title(of: passage) })
    edits.append(edit)
    noteName(edit.name, of: passage)
    changed([edit])
    return edit
  }

  /// Notes what a person entered in a view whose record is gone.
  package func refuse(_ entry: String, of edit: RecordEdit) {
    edit.unwritten += entry
    if !noticed.contains(where: { $0 === edit }) { noticed.append(edit) }
    if noticed.count > Self.mostNotices { noticed.removeFirst() }
    onNotice?(edit.noticeForPerson)
  }

  /// What people were told, as far as it has not been cleared.
  var notices: [TideError] { noticed.map(\.notice) }

  func clearNotices(where isOver: (TideError) -> Bool) { noticed.removeAll { isOver($0.notice) } }

  private static let mostNotices = 100

  /// The way from a view to its records may lead to others by now: because something else was
  /// selected, or because another record has come to where the edited one stood.
  package func checkPassage(
    of edit: RecordEdit, _ passage: RecordEdit.Passage, isByPerson: Bool
  ) {
    if isTryingReload || edit.isOf(passage) { return }
    if passage.isOfPlace && !isByPerson { return lose(edit) }
    edit.editor?.writeDelayedEntry()
    // What was refused for one record does not show under another.
    if edit.editor?.isEntryKeptByAuthor == true {
      edit.editor?.discardEntry()
    } else if edit.editor?.unwrittenEntry != nil {
      lose(edit)
      clear(edit)
    }
    end { $0 === edit }
  }

  /// What was entered for a record that is gone has been told, and shows no more.
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

  /// A view goes for good with what was entered there, because the row is gone in which it stood.
  package func lose(_ entry: String, of editor: any RecordEditor, _ passage: RecordEdit.Passage) {
    if let edit = edit(of: editor) { return lose(edit) }
    refuse(
      entry,
      of: RecordEdit(
        of: editor, passage, named: graph.untracked { name(of: passage) },
        title: graph.untracked { title(of: passage) }))
  }

  /// Views have taken the places of others.
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

  /// What was edited last is asked about most.
  private static let mostNames = 100

  /// Notes what a row is called that stands in the rows of a controller with a name.
  private func noteName(_ name: String, of passage: RecordEdit.Passage) {
    guard case .object(let record as DataObject)? = passage.records.last,
      ownerName(of: passage) != nil
    else { return }
    names.removeAll { $0.record.object === record }
    names.append((ObjectHandle(record), name))
    if names.count > Self.mostNames { names.removeFirst() }
  }

  /// What a person saw a row as when editing it: `people["Ann"]`; nil for one that was not edited.
  func name(of record: DataObject) -> String? {
    names.last { $0.record.object === record }?.name
  }

  /// `people["Ann"]`: the controller or list, and what a row shows first.
  private func name(of passage: RecordEdit.Passage) -> String {
    guard case .object(let record as DataObject)? = passage.records.last else {
      return "the record"
    }
    let title = title(of: passage)
    if title.isEmpty { return record.label }
    return "\(ownerName(of: passage) ?? record.shape.name)[\(TransformCall.quoted(title))]"
  }

  /// What the record shows first; empty for nothing.
  private func title(of passage: RecordEdit.Passage) -> String {
    guard case .object(let record as DataObject)? = passage.records.last else { return "" }
    for name in RowTitle.names where record.shape.index(of: name) != nil {
      if let text = record[name].text, !text.isEmpty { return String(text.prefix(40)) }
    }
    return ""
  }

  /// The name by which paths find a controller on the way to a record.
  private func ownerName(of passage: RecordEdit.Passage) -> String? {
    let name = BindingTable.of(graph).hooks.nameOfObject
    return passage.controllers.lazy.compactMap { ($0.object as? Controller).flatMap { name?($0) } }
      .first
  }
}
