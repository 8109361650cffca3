public import TideGraph

extension ObjectController {
  /// The record that a person is changing through a view: it keeps its place and stays selected
  /// until the view lets go of it. Nil while there is none; recorded.
  public final var editedObject: Value? {
    Graph.trackRead(of: slot(.edited))
    return BindingTable.of(graph).editedRecords?.record(of: self)
  }
}

extension Controller {
  /// Whether a person is changing one of its records through a view.
  final var isEditingRecord: Bool {
    BindingTable.of(graph).editedRecords?.edits.contains { $0.isOf(self) } ?? false
  }

  /// Ends what a person does to its records: the rows that were held go where they belong.
  final func endRecordEdits() { BindingTable.of(graph).editedRecords?.end(of: self) }

  /// Goes on with the edits of a controller that this one takes the place of; false where there are
  /// none.
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
