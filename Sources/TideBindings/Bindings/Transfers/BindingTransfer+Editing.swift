import TideGraph

// Drafts that the source of a two-way binding holds, and the controller that tracks them.
extension BindingTransfer {
  /// Registers the source's draft with the controller. Returns false if no controller is involved.
  @discardableResult
  func beginEditing(_ edge: EdgeIndex) -> Bool {
    if editor != nil { return true }
    guard opposite != nil, let controller = finder?.controller else { return false }
    let made = BindingEditor(table, edge, gate, of: controller)
    editor = made
    controller.objectDidBeginEditing(made)
    return true
  }

  /// Adds the records that the path to a target passes through.
  func addRecords(to passage: inout RecordEdit.Passage, writing target: Slot) {
    if let finder { return finder.addRecords(to: &passage) }
    PropertyFinder(property ?? target).addRecords(to: &passage)
  }

  /// Its number among its controller's editors, in the order in which they began.
  var editorNumber: Int? { editor?.number }

  func endEditing() {
    guard let editor else { return }
    self.editor = nil
    editor.end()
  }

  /// Clears the error and ends the edit, because the source equals the target again.
  func mend(_ edge: EdgeIndex) {
    let owner = table.graph.owner(of: edge)
    guard table.record(owner).pointee.flags & BindingRecord.failed != 0 else { return }
    table.succeed(owner)
    endRefusal()
    endEditing()
  }

  /// Validates a value that another transfer with the same ends failed to carry, so that the edit
  /// continues with its error.
  func holdRefused(_ edge: EdgeIndex, from source: Slot, to target: Slot) {
    check(edge, from: source, to: target)
    let owner = table.graph.owner(of: edge)
    guard table.record(owner).pointee.flags & BindingRecord.failed != 0 else { return }
    noteRefused()
    beginEditing(edge)
  }
}
