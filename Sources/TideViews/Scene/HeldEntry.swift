import TideBindings
import TideGraph

/// A person's input in a view that the model does not have yet, while the bindings of the view are
/// replaced.
///
///     entry of Ann ──▶ new bindings lead to Ann: the entry goes on
///                └───▶ they lead to Bob: written to Ann, or told in a notice if it is refused
package struct HeldEntry {
  private let view: View
  private let edits: HeldEdits?
  private let text: String
  private let passage: RecordEdit.Passage

  /// Nil if the view holds no entry.
  package init?(of view: View) {
    let edits = BindingTable.of(view.graph).heldEdits(at: view)
    if edits == nil, (view as? ValueFieldView)?.holdsEntry != true { return nil }
    self.init(of: view, edits)
  }

  /// The entries in views and their subviews, without the cells of views of rows.
  package static func all(in views: [View]) -> [HeldEntry] {
    views.flatMap { view in
      var walk = TreeWalk(view)
      var found: [HeldEntry] = []
      while let view = walk.next() {
        if let entry = HeldEntry(of: view) { found.append(entry) }
        if view is RowsView { walk.skipSubviews(of: view) }
      }
      return found
    }
  }

  private init(of view: View, _ edits: HeldEdits?) {
    self.view = view
    self.edits = edits
    text = view.unwrittenEntry ?? ""
    passage = view.passage
  }

  private init(_ entry: HeldEntry, _ edits: HeldEdits?) {
    view = entry.view
    text = entry.text
    passage = entry.passage
    self.edits = edits
  }

  /// The part of the entry that was held by bindings which have ended.
  package var ofEndedBindings: HeldEntry { HeldEntry(self, edits?.ofEndedBindings) }

  /// Continues the entry with the new bindings of the view.
  package func resume() {
    let table = BindingTable.of(view.graph)
    let left = edits.flatMap { table.resume($0, at: view) }
    var isRefused = false
    if let left { isRefused = !left.write() }
    if let field = view as? ValueFieldView, field.holdsEntry, !leadsToSameRecords {
      isRefused = true
      field.discardDraft()
    }
    if isRefused, !text.isEmpty, !passage.records.isEmpty {
      table.recordsToEdit.abandon(text, of: view, passage)
    }
  }

  private var leadsToSameRecords: Bool { view.passage.records == passage.records }
}
