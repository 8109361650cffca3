import TideBindings
import TideGraph

// Tracks which records the user is editing. A view starts an edit before it writes user input; the
// scene ends the edit after the view has lost the focus.
//
//     key, mouse, page ──▶ view.beginsEdit ──▶ EditedRecords ──▶ lists hold the rows
//                              │ false: the record no longer exists, nothing is written
//     end of the input ──▶ settleRecordEdits ──▶ the rows move to their positions
extension Scene {
  private var editedRecords: EditedRecords? { BindingTable.of(graph).editedRecords }

  /// Makes the renderer show the latest notice, which replaces earlier ones.
  func sendNotices() {
    guard let latest = cycle.pendingNotices.last else { return }
    cycle.pendingNotices = []
    renderer?.notify(latest)
  }

  /// Whether the user is editing records.
  var editsRecords: Bool { editedRecords?.edits.isEmpty == false }

  /// Ends the edits of views that have lost the focus, unless the model has refused the input.
  ///
  /// Called at the end of a user action, since a press applies to the records shown when it
  /// arrives. The edit of a view that cannot have the focus ends with the next input for another
  /// view.
  func settleRecordEdits(afterInput: Bool = false) {
    guard let records = editedRecords, editsRecords else { return }
    for edit in records.edits {
      if !afterInput { edit.endInput() }
      guard let view = edit.editor as? View, view.scene === self else { continue }
      checkLists(of: edit)
      records.clear(edit)
      if edit.isLost { continue }
      records.checkPassage(of: edit, view.passage, isByPerson: afterInput)
    }
    records.end { edit in
      guard let view = edit.editor as? View else { return true }
      guard let scene = view.scene else { return true }
      if scene !== self { return false }
      let wasTouched = edit.isTouched
      if afterInput { edit.isTouched = false }
      if view === focused || hasFocusOfAuthor(view) {
        edit.wasFocused = true
        return false
      }
      if !edit.wasFocused && (wasTouched || !afterInput) { return false }
      return edit.isLost || view.unwrittenEntry == nil
    }
  }

  /// Ends the edit of a record that was removed from a list which nothing shows.
  func checkLists(of edit: RecordEdit) {
    if !edit.mayBeUnlisted { return }
    editedRecords?.checkLists(of: edit) { record in
      graph.untracked {
        ([window] + floats.shown).contains { top in
          TreeWalk(top).contains { ($0 as? RowsView)?.content?.list?.index(of: record) != nil }
        }
      }
    }
  }

  /// Whether the person who changes a view has the focus there, while another person's focus is the
  /// scene's.
  private func hasFocusOfAuthor(_ view: View) -> Bool {
    guard let author = view.extras?.author?.present else { return false }
    return author.focus === view && focus.owner !== author
  }

  /// Handles a person's input, after which edits may be over.
  ///
  /// - Parameter isHeld: whether the action continues with further input, or the input is not an
  ///   action.
  func handlingInput(isHeld: Bool = false, _ body: () -> Bool) -> Bool {
    acting(as: person ?? user) {
      input.depth += 1
      editedRecords?.isActing = true
      let isTaken = body()
      input.depth -= 1
      if input.depth == 0 { editedRecords?.isActing = false }
      if input.depth == 0 && !isHeld { settleRecordEdits(afterInput: true) }
      return isTaken
    }
  }

  /// Rows keep their positions while a mouse button is held.
  func noteButton(in event: InputEvent) { editedRecords?.isPressed = event.holdsButton }

  /// Makes the views of rows hold the rows that are being edited.
  func holdEditedRows() {
    for top in [window] + floats.shown {
      for case let rows as RowsView in TreeWalk(top) { rows.holdEditedRows() }
    }
  }

  /// Ends a lost edit when the user focuses the view again or has seen another record in it, so
  /// that the view accepts input again.
  package func forgetLostEdit(of view: View) {
    editedRecords?.end { $0.isLost && $0.editor === view }
  }

  /// The input for a record that no longer exists; nil after the view is used again.
  package func lostEntry(of view: View) -> String? {
    guard let edit = editedRecords?.edit(of: view), edit.isLost else { return nil }
    return edit.unwritten
  }

  /// Transfers the edits to the views that replace the old ones.
  func moveRecordEdits(to replacement: (View) -> View?) {
    editedRecords?.move { editor in (editor as? View).flatMap(replacement) }
  }
}

extension View {
  /// The properties of all classes that hold the user's input.
  private static let enteredProperties: [ViewProperty] = [
    .text, .value, .isOn, .selectedIndex, .selectedObject, .selectedValue,
  ]

  /// The destinations of the user's input in the view.
  final var passage: RecordEdit.Passage { passage() }

  /// - Parameter limit: the maximum number of selected records to examine.
  final func passage(limit: Int = .max) -> RecordEdit.Passage {
    let table = BindingTable.of(graph)
    var passage = RecordEdit.Passage(limit: limit)
    for property in Self.enteredProperties {
      guard let index = viewClass.index(of: property) else { continue }
      passage.formUnion(table.passage(from: slot(index), limit: limit))
    }
    if let cell = rowCell, let rows = cell.parent as? RowsView {
      passage.add(row: cell.shownObject, of: rows.content?.list)
      if let controller = rows.rowController { passage.add(controller) }
    }
    return passage
  }

  /// Begins an edit of the record that the view writes to, before the user changes the view's
  /// value. Returns false if the record no longer exists: nothing may be written then, and the user
  /// is notified about the input.
  final func beginsEdit(entering entry: String = "") -> Bool {
    guard let scene else { return true }
    let table = BindingTable.of(graph)
    var edit = table.editedRecords?.edit(of: self)
    if let edit { scene.checkLists(of: edit) }
    if let actor = scene.actor, extras?.author !== actor {
      ownExtras.author = actor
      // Another user's edit begins with the current values of the model.
      edit?.forgetOriginals()
    }
    if edit?.isLost != true {
      var passage = passage
      if edit == nil && passage.records.isEmpty { return true }
      if edit == nil { addSelectingControllers(to: &passage) }
      let known = edit
      let records = table.recordsToEdit
      records.onNotice = { [weak scene] in scene?.cycle.pendingNotices.append($0) }
      edit = records.begin(of: self, passage)
      if let edit, edit !== known { scene.holdEditedRows() }
    }
    guard let edit else { return true }
    edit.isTouched = true
    if !edit.isLost {
      if self is TextInputView { noteOriginals(of: edit) }
      return true
    }
    if !entry.isEmpty { table.recordsToEdit.refuse(told(entry), of: edit) }
    setNeedsDraw()
    return false
  }

  /// Adds the controllers whose views have a record of the passage selected. A form may show the
  /// record by a property to which the selection was copied.
  private func addSelectingControllers(to passage: inout RecordEdit.Passage) {
    guard passage.controllers.isEmpty, let root = scene?.root else { return }
    for case let rows as RowsView in TreeWalk(root) {
      guard let list = rows.content?.list,
        passage.records.contains(rows.peek(.selectedObject, as: Value.self))
      else { continue }
      passage.addController(of: .object(list))
      if let controller = rows.rowController { passage.add(controller) }
    }
  }

  private func noteOriginals(of edit: RecordEdit) {
    if edit.hasOriginals { return }
    for property in Self.enteredProperties {
      guard let index = viewClass.index(of: property) else { continue }
      BindingTable.of(graph).noteOriginals(of: edit, from: slot(index))
    }
  }

  /// Whether the user is editing a record in the view, or was when the record was removed.
  final var editsRecord: Bool { BindingTable.of(graph).editedRecords?.edit(of: self) != nil }
}

extension View {
  /// Ends the edits in the view and returns the first view whose input was refused. Edits of other
  /// people are ignored.
  final func enterAndFindRefused() -> View? {
    let views = TreeWalk(self).filter { !$0.isEnteredByAnother }
    for case let field as TextInputView in views where field.isBeingEdited { field.endEditing() }
    return views.first { $0.isRefused }
  }
}

extension Scene {
  /// Focuses the first view whose input was refused, notifies the user why the app does not quit,
  /// and returns the input. Returns nil if there is none, or if the user was already notified of
  /// it.
  package func showRefusedEntry(unless known: String?) -> String? {
    let views = ([window] + floats.shown).lazy.flatMap { TreeWalk($0) }
    guard let view = views.first(where: \.isRefused) else { return nil }
    let entry = view.unwrittenEntry ?? ""
    if entry == known { return nil }
    (view as? ValueFieldView)?.finishEntry()
    view.takeFocusForEntry()
    cycle.pendingNotices.append(
      "the app stays: \(TransformCall.quoted(String(entry.prefix(40)))) was entered and is refused;"
        + " Escape discards it, to quit once more ends the app without it")
    return entry
  }
}

extension View: RecordEditor {
  package var unwrittenEntry: String? {
    let isHeld =
      BindingTable.of(graph).holdsEdit(at: self)
      || (self as? ValueFieldView)?.holdsEntry == true
    return isHeld ? told((self as? TextInputView)?.text ?? "") : nil
  }

  /// The text of an entry for notices and logs; secret text is replaced by bullets.
  func told(_ entry: String) -> String {
    let isSecret = (self as? TextInputView)?.editor.isSecret ?? false
    return isSecret ? String(repeating: "•", count: entry.count) : entry
  }

  package var delaysEntry: Bool {
    (self as? ValueFieldView)?.holdsEntry != true && BindingTable.of(graph).delaysEdits(at: self)
  }

  package func writeDelayedEntry() { BindingTable.of(graph).carryEdits(at: self) }

  package var isEnteredByAnother: Bool {
    guard let actor = scene?.actor, let author = extras?.author else { return false }
    return author.present !== actor
  }

  package func takeFocusForEntry() {
    guard let scene, isFocusStop else { return }
    // Deferred, because this may be called while values settle.
    scene.focus.pending = self
    setNeedsDraw()
  }

  package func discardEntry() {
    BindingTable.of(graph).discardEdits(at: self)
    (self as? ValueFieldView)?.discardDraft()
  }

  /// Escape discards a refused input of a control without text. Returns false if there is none.
  final func discardsRefused(_ key: Key) -> Bool {
    guard key == Key(.escape), BindingTable.of(graph).holdsRefused(at: self) else { return false }
    discardEntry()
    return true
  }

  /// Whether user input has not been saved to a record: it was refused, or is pending until the
  /// edit ends. Escape discards it.
  package final var holdsDraft: Bool { isRefused || BindingTable.of(graph).holdsDraft(at: self) }

  /// Whether user input was refused: by the model, or because it is not a valid value.
  final var isRefused: Bool {
    BindingTable.of(graph).refusesEdit(at: self) || (self as? ValueFieldView)?.holdsEntry == true
  }
}
