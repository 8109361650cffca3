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

  /// Writes a value to the destination that the path had when the value was entered; false if it is
  /// refused, which is listed.
  @discardableResult
  func carry(
    _ value: Value, to destination: Destination, from source: Slot, to target: Slot
  ) -> Bool {
    do {
      try enter(value, at: destination)
      return true
    } catch {
      table.list(failure(error, from: source, to: target), at: target)
      return false
    }
  }

  /// Writes a value to the destination that the path had when the value was entered.
  func enter(_ value: Value, at destination: Destination) throws {
    try destination.put(judged(fitted(presented(value), to: destination), for: destination))
  }

  /// The present destination of a draft. For a selection this is the property of the one selected
  /// object, or nil when several objects or none are selected.
  func draftDestination(of target: Slot) -> Destination? {
    guard let destination = currentDestination(of: target),
      case .property(let property as ProxyProperty, _) = destination
    else { return currentDestination(of: target) }
    let present = (property.source as? SelectionProxy)?.present(at: property.steps) ?? []
    return present.count == 1 ? present[0] : nil
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
