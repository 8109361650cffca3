import TideGraph

// What a view shows after an edit: what the model gives, taken forward through the binding. A value
// that was clamped, rounded or written in another form on its way to the model is seen to be.
//
//     field "50" ── clamp(0, 10) ──▶ model 10
//     field "10" ◀──────────────────┘          at once, or when the person has typed

extension BindingTransfer {
  /// Shows what has become of the value that a view's control has entered.
  @inline(__always)
  func showResult(from source: Slot, to target: Slot, _ owner: UInt32) {
    if opposite != nil { showResult(in: source, of: target, owner) }
  }

  @inline(never)
  private func showResult(in source: Slot, of target: Slot, _ owner: UInt32) {
    guard let view = source.blockHeader?.block as? DataObject, view.takesEdits else { return }
    let editing = view as? any TextEditing
    // Where nothing is typed, only transformers make another value of it.
    guard hasTransformer || editing != nil else { return }
    guard let editing, editing.isBeingEdited else {
      // A text that a script writes stays; what was typed may arrive after the typing has ended.
      if editing == nil || gate != nil { showModel(in: source, of: target, owner) }
      return
    }
    if stopAwaitingResult != nil { return }
    stopAwaitingResult = editing.whenEditingEnds { [weak self] in
      guard let self else { return }
      stopAwaitingResult = nil
      showModel(in: source, of: target, owner)
    }
  }

  private func showModel(in source: Slot, of target: Slot, _ owner: UInt32) {
    if holdsEntry(of: owner) { return }
    guard let opposite, let held = held(in: target), !held.isNil, held.selectionMarker == nil,
      let shown = opposite.forward(held, to: source), shown != source.load()
    else { return }
    opposite.put(shown, into: source)
  }

  /// Whether what was entered has been refused, or is not in the model yet, and stays to be seen.
  private func holdsEntry(of owner: UInt32) -> Bool {
    let record = table.record(owner).pointee
    return record.flags & BindingRecord.failed != 0 || !table.graph.isEnabled(record.edge)
      || isWaiting || gate.map { $0.wait != .nothing } == true
  }

  /// The value that the transfer would write to the other end; nil where it cannot be had.
  func presentedValue(of source: Slot) -> Value? {
    if case .path(let body) = self.source, !body.isResolved { return nil }
    return try? presented(source.load())
  }

  /// The text that the transfer would write to the other end; nil if the value is not a text.
  func presentedText(of source: Slot) -> String? {
    guard case .string(let text)? = presentedValue(of: source) else { return nil }
    return text
  }

  /// What it would write to a target; nil where it would write nothing.
  private func forward(_ value: Value, to target: Slot) -> Value? {
    do {
      let presented = try presented(value)
      if presented.isUnchanged { return nil }
      return try converted(presented, for: target)
    } catch let pending as PendingValue {
      pending.cancel()
      return nil
    } catch {
      return nil
    }
  }
}
