package import TideBindings
import TideGraph

// Snapshots of what a control shows and edits, for renderers whose users may act on an outdated
// picture.
extension View {
  /// The records and properties that the view currently edits.
  package var shownPassage: RecordEdit.Passage { passage(limit: 64) }

  /// The record at a passage, with the destination of the user's input in the view.
  package func record(at passage: RecordEdit.Passage) -> ShownRecord {
    let cell = rowCell
    let list = (cell?.parent as? RowsView)?.content?.list
    let row = cell.flatMap { cell in list.map { (cell.shownObject, $0) } }
    return ShownRecord(
      passage, from: enteredSlot, of: BindingTable.of(graph), in: row,
      selectedIn: cell == nil && passage.controllers.isEmpty ? selections(of: passage) : [])
  }

  /// The records of a passage that are selected in views of rows, with the lists that these show:
  /// no controller knows when such a record is removed.
  ///
  /// Such a record is a property of another one, so a single record needs no search.
  private func selections(of passage: RecordEdit.Passage) -> [(object: Value, list: ValueList)] {
    guard passage.records.count > 1, let root = scene?.root else { return [] }
    return TreeWalk(root).compactMap { view in
      guard let rows = view as? RowsView, case .object(let list as ValueList) = rows.shownItems
      else { return nil }
      let selected = rows.peek(.selectedObject, as: Value.self)
      return passage.records.contains(selected) ? (selected, list) : nil
    }
  }

  /// The text typed in the view; nil if it is not a field.
  package var typedText: String? {
    guard self is TextInputView, let index = viewClass.index(of: .text) else { return nil }
    return slot(index).load().text ?? ""
  }

  /// The property that holds the user's input and can be written without the view.
  fileprivate var enteredSlot: Slot? {
    let property: ViewProperty? =
      switch self {
      case is ValueFieldView: .value
      case is TextInputView: .text
      case is ToggleView: .isOn
      case is RangeView: .value
      case is ChoosingView: isBound(.selectedObject) ? .selectedObject : .selectedIndex
      default: nil
      }
    return property.flatMap { viewClass.index(of: $0) }.map { slot($0) }
  }

  /// The value that a typed text stands for; nil if it is invalid or incomplete.
  package func enteredValue(_ text: String) -> Value? {
    guard let field = self as? ValueFieldView else { return .string(text) }
    if text.allSatisfy(\.isWhitespace) {
      if flag(.allowsEmpty) { return .some(.null) }
      return .none
    }
    if case .value(let value) = graph.untracked({ field.entry(text) }) { return value }
    return nil
  }

  /// Whether the user can edit the view.
  package var takesEntries: Bool { isUsable && (!(self is TextInputView) || flag(.editable)) }

  /// Formats a value as the view would show it.
  package func typedText(of value: Value) -> String {
    guard let field = self as? ValueFieldView else { return value.text ?? "" }
    return value.isNil ? "" : graph.untracked { field.text(of: value) }
  }

  /// The value that the view would show for a record it showed before; nil if it is unavailable.
  package func value(of record: ShownRecord) -> Value? {
    enteredSlot.flatMap { record.value(from: $0, of: BindingTable.of(graph)) }
  }

  /// Whether the edit in the view has lost a record that the view showed.
  package final func hasLost(_ record: ShownRecord) -> Bool {
    BindingTable.of(graph).editedRecords?.edit(of: self).map(record.isLost) ?? false
  }
}

extension View {
  /// The present index of an item that a person has chosen. It is the given index if that item
  /// still has the title, and otherwise the index of the only item with the title; nil if there is
  /// none.
  package final func choice(_ index: Int, titled title: String) -> Int? {
    let titles = describe().titles ?? []
    if titles.indices.contains(index), titles[index] == title { return index }
    let found = titles.indices.filter { titles[$0] == title }
    return found.count == 1 ? found[0] : nil
  }

  /// The value of a picker or a radio group after an item is selected; nil if the index is out of
  /// range.
  package func enteredValue(ofChoice index: Int) -> Value? {
    guard let choice = self as? ChoosingView, (0..<choice.count).contains(index) else { return nil }
    if isBound(.selectedValue) { return choice.content.map { choice.key(of: $0.row(index)) } }
    return isBound(.selectedObject) ? choice.content?.row(index) : .integer(index.number)
  }

  /// The value of a date field after entering a date in the format of pages, where `held` is the
  /// value to replace.
  package func enteredValue(ofDate text: String, inPlaceOf held: Value) -> Value? {
    graph.untracked { (self as? DatePickerView)?.entered(text, inPlaceOf: held) }
  }
}

extension Scene {
  /// Writes what a person has entered in a view to a record that it showed before; false if nothing
  /// can be done to the view, or the model refuses the value.
  @discardableResult
  package func enter(_ value: Value, in record: ShownRecord, by view: View) -> Bool {
    guard view.takesEntries, let slot = view.enteredSlot else { return false }
    return act(on: view, by: "an entry in \(view.actedName)") {
      record.enter(value, from: slot, of: BindingTable.of(view.graph))
    }
  }
}

extension RowsView {
  /// The row that shows a value; the given row is tried first.
  package final func row(showing value: Value, at row: Int? = nil) -> Int? {
    followItems()
    return graph.untracked {
      if let row, row >= 0, row < count, content?.row(row) == value { return row }
      return content?.index(of: value)
    }
  }
}

extension CellView {
  /// The object of its row.
  package final var rowObject: Value { shownObject }
}
