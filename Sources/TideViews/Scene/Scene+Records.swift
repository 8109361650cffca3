import TideBindings
import TideGraph

// Which records a person is changing. A view asks before it writes what a person has done to it;
// the scene ends that when the view has lost the focus.
//
//     key, mouse, page ──▶ view.beginsEdit ──▶ EditedRecords ──▶ lists hold the rows
//                              │ false: the record is gone, nothing is written
//     end of the input ──▶ settleRecordEdits ──▶ the rows go where they belong
extension Scene {
  private var editedRecords: EditedRecords? { BindingTable.of(graph).editedRecords }

  /// Has renderers tell what was entered for a record that is gone; the latest is all of it.
  func sendNotices() {
    guard let latest = cycle.pendingNotices.last else { return }
    cycle.pendingNotices = []
    renderer?.notify(latest)
  }

  /// Whether a person is changing records.
  var editsRecords: Bool { editedRecords?.edits.isEmpty == false }

  /// Ends the edits of views that have let go of the focus, unless the model has refused what was
  /// entered there.
  ///
  /// It waits for the end of what a person does: a press is for what stands there when it comes. A
  /// view that cannot have the focus lets go when the next input is for something else.
  func settleRecordEdits(afterInput: Bool = false) {
    guard let records = editedRecords, editsRecords else { return }
    for edit in records.edits {
      guard let view = edit.editor as? View, view.scene === self else { continue }
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

  /// Whether the person who changes a view has the focus there, while another person's focus is the
  /// scene's.
  private func hasFocusOfAuthor(_ view: View) -> Bool {
    guard let author = view.extras?.author?.present else { return false }
    return author.focus === view && focus.owner !== author
  }

  /// Handles a person's input, after which edits may be over.
  ///
  /// - Parameter isHeld: whether more of the same act is to come, or it was none.
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

  /// Rows stay where they are while a button is down.
  func noteButton(in event: InputEvent) { editedRecords?.isPressed = event.holdsButton }

  /// Has the views of rows hold those that are edited.
  func holdEditedRows() {
    for top in [window] + floats.shown {
      for case let rows as RowsView in TreeWalk(top) { rows.holdEditedRows() }
    }
  }

  /// Whoever is given the focus anew may go on where the record was lost, and so may whoever has
  /// seen another one there since.
  package func forgetLostEdit(of view: View) {
    editedRecords?.end { $0.isLost && $0.editor === view }
  }

  /// What was entered in a view for a record that is gone, until the view is used anew.
  package func lostEntry(of view: View) -> String? {
    guard let edit = editedRecords?.edit(of: view), edit.isLost else { return nil }
    return edit.unwritten
  }

  /// The edits go on in the views that replace others.
  func moveRecordEdits(to replacement: (View) -> View?) {
    editedRecords?.move { editor in (editor as? View).flatMap(replacement) }
  }
}

extension View {
  /// Properties in which a person enters something, whatever class it is.
  private static let enteredProperties: [ViewProperty] = [
    .text, .value, .isOn, .selectedIndex, .selectedObject, .selectedValue,
  ]

  /// Where what a person enters in it goes.
  final var passage: RecordEdit.Passage { passage() }

  /// - Parameter limit: so many selected records are looked at.
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

  /// A person is about to change what it holds: the record that this goes to is under edit from now
  /// on. False where that record is gone: nothing may be written, and what was entered is told.
  final func beginsEdit(entering entry: String = "") -> Bool {
    guard let scene else { return true }
    if let actor = scene.actor, extras?.author !== actor { ownExtras.author = actor }
    let table = BindingTable.of(graph)
    var edit = table.editedRecords?.edit(of: self)
    if edit?.isLost != true {
      let passage = passage
      if edit == nil && passage.records.isEmpty { return true }
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

  private func noteOriginals(of edit: RecordEdit) {
    if edit.hasOriginals { return }
    for property in Self.enteredProperties {
      guard let index = viewClass.index(of: property) else { continue }
      BindingTable.of(graph).noteOriginals(of: edit, from: slot(index))
    }
  }

  /// Whether a person is changing a record through it, or was when the record went.
  final var editsRecord: Bool { BindingTable.of(graph).editedRecords?.edit(of: self) != nil }
}

extension View {
  /// Ends the editing in the view and returns the first view whose entry is refused. Texts that
  /// other people are typing do not hold this person back.
  final func enterAndFindRefused() -> View? {
    let views = TreeWalk(self).filter { !$0.isEnteredByAnother }
    for case let field as TextInputView in views where field.isBeingEdited { field.endEditing() }
    return views.first { $0.isRefused }
  }
}

extension Scene {
  /// Gives the focus to the first view whose entry is refused, and tells why the app does not end;
  /// gives what was entered there. Nil where there is none, or where it is known already.
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

  /// An entry as notices and logs may quote it: a secret one is bullets there too.
  private func told(_ entry: String) -> String {
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

  package var isEntryKeptByAuthor: Bool {
    isEnteredByAnother && extras?.author?.present !== scene?.user
  }

  package func takeFocusForEntry() {
    guard let scene, isFocusStop else { return }
    // Between events: it may be asked for while values settle.
    scene.focus.pending = self
    setNeedsDraw()
  }

  package func discardEntry() {
    BindingTable.of(graph).discardEdits(at: self)
    (self as? ValueFieldView)?.discardDraft()
  }

  /// Whether what a person has entered there is in no record: it is refused, or waits for the end of
  /// the typing. Escape gives it up.
  package final var holdsDraft: Bool { isRefused || BindingTable.of(graph).holdsDraft(at: self) }

  /// Whether what a person has entered there is refused: by the model, or because it is no value.
  final var isRefused: Bool {
    BindingTable.of(graph).refusesEdit(at: self) || (self as? ValueFieldView)?.holdsEntry == true
  }
}
