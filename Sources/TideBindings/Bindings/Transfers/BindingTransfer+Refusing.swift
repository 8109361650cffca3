import TideGraph

// Input that a two-way binding does not carry, and values that it does not show in place of input.
//
//     view "ant!" ── refused ──▶ model "ant"
//     view "ant!" ◀──── held ─── model "bob"       until the input is mended or discarded

extension BindingTransfer {
  /// Whether an edit, a refused input or an error of the opposite direction affects what is carried.
  @inline(__always)
  var isRestricted: Bool {
    if original != nil || refusedHolder != nil { return true }
    guard let opposite else { return false }
    return opposite.left != nil || opposite.refusedHolder != nil
  }

  /// Whether the source's value must not be carried: it is a substitute that the opposite direction
  /// left there for lack of a value, or the target shows an input that was refused.
  ///
  /// Throws the opposite direction's error if the value is an input: a binding in error writes
  /// nothing back.
  func withholds(_ edge: EdgeIndex, from source: Slot, to target: Slot) throws -> Bool {
    original?.noteOthersWrites()
    guard let opposite else { return false }
    let owner = table.graph.owner(of: edge)
    if let left = opposite.left {
      if left == source.load() {
        // The user has restored the substitute.
        if refusedHolder != nil { table.carryBack(edge, of: owner) }
        return true
      }
      if table.record(owner).pointee.flags & BindingRecord.failed != 0,
        var error = table.details(of: owner)?.error
      {
        error.isOfEdit = holder(of: source)?.takesEdits == true
        throw error
      }
    }
    return try opposite.refusedHolder != nil && keepsEntry(owner, from: source, at: target)
  }

  /// Whether the target is a view with an input that was refused for the object that the source
  /// still reads. If the source reads another object, the user is notified about the input.
  private func keepsEntry(_ owner: UInt32, from source: Slot, at target: Slot) throws -> Bool {
    guard let view = (property ?? target).blockHeader?.block as? any RecordEditor,
      let records = table.editedRecords, let edit = records.edit(of: view), !edit.isLost
    else { return false }
    guard opposite?.refusedHolder == holderMark else {
      // What others select leaves the entry with its author.
      if !records.isTryingReload, !view.isEnteredByAnother { records.lose(edit) }
      return false
    }
    if left != nil, table.graph.currentFailure(of: source) == nil {
      // The source can be shown again, so the next input is carried.
      do {
        _ = try presented(source.load())
        left = nil
        (view as? any ShowsBindingFailures)?.noteBinding(owner, nil)
      } catch let pending as PendingValue {
        throw pending
      } catch {}
    }
    return true
  }

  /// Records that the source's input was refused.
  func noteRefused() {
    guard let opposite else { return }
    opposite.followHolder()
    refusedHolder = opposite.holderMark
  }

  /// Called when a value has been carried: it is not refused, or it replaces a refused input.
  func endRefusal() {
    refusedHolder = nil
    opposite?.refusedHolder = nil
    original?.noteOwnWrite()
  }

  /// Forgets a refused input, and shows what the opposite direction left in the source before it.
  func discardRefused(in source: Slot) {
    refusedHolder = nil
    guard let left = opposite?.left, left != source.load() else { return }
    table.withoutCarrying(from: source) { _ = table.graph.write(source, left) }
    endEditing()
  }
}
