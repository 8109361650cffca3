public import TideGraph

extension ObjectController {
  /// The record that a user is changing through a view; nil for none. It keeps its position and
  /// stays selected until the view ends the edit. The read is recorded.
  public final var editedObject: Value? {
    Graph.trackRead(of: slot(.edited))
    return BindingTable.of(graph).editedRecords?.record(of: self)
  }
}

extension Controller {
  /// Whether a user is changing one of its records through a view.
  final var isEditingRecord: Bool {
    BindingTable.of(graph).editedRecords?.edits.contains { $0.isOf(self) } ?? false
  }

  /// Ends the edits of its records. The held rows move to their own positions.
  final func endRecordEdits() { BindingTable.of(graph).editedRecords?.end(of: self) }

  /// Ends the edits of its records once the current selection has been delivered.
  final func endRecordEditsAfterSelection() {
    BindingTable.of(graph).editedRecords?.endAfterSelection(in: self)
  }

  /// Takes over the edits of a former controller. Returns false if there are none.
  @discardableResult
  final func takeRecordEdits(of former: Controller) -> Bool {
    guard let edits = BindingTable.of(graph).editedRecords?.edits.filter({ $0.isOf(former) }),
      !edits.isEmpty
    else { return false }
    for edit in edits where !edit.isOf(self) { edit.add(self, inPlaceOf: former) }
    bump(.edited)
    return true
  }
}
