import TideGraph

// After an edit, a view shows the model's value, carried forward through the binding. This reveals
// whether the model clamped, rounded or reformatted the input.
//
//     field "50" ── clamp(0, 10) ──▶ model 10
//     field "10" ◀──────────────────┘          at once, or when the typing ends

extension BindingTransfer {
  /// Shows the model's version of a value that was entered in a view.
  @inline(__always)
  func showResult(from source: Slot, to target: Slot, _ owner: UInt32) {
    if opposite != nil { showResult(in: source, of: target, owner) }
  }

  @inline(never)
  private func showResult(in source: Slot, of target: Slot, _ owner: UInt32) {
    guard let view = source.blockHeader?.block as? DataObject, view.takesEdits else { return }
    let editing = view as? any TextEditing
    // Without text editing, only transformers can change the value.
    guard hasTransformer || editing != nil else { return }
    guard let editing, editing.isBeingEdited else {
      // Text written by a script stays. A gate may carry typed text after the editing has ended.
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

  /// Whether the input was rejected or is still pending, so that the view must keep showing it.
  func holdsEntry(of owner: UInt32) -> Bool {
    let record = table.record(owner).pointee
    return record.flags & BindingRecord.failed != 0 || !table.graph.isEnabled(record.edge)
      || isWaiting || gate.map { $0.wait != .nothing } == true
  }

  /// The value that the transfer would write to the other end; nil if there is none.
  func presentedValue(of source: Slot) -> Value? {
    if case .path(let body) = self.source, !body.isResolved { return nil }
    return try? presented(source.load())
  }

  /// The text that the transfer would write to the other end; nil if the value is not a text.
  func presentedText(of source: Slot) -> String? {
    guard case .string(let text)? = presentedValue(of: source) else { return nil }
    return text
  }

  /// The value that it would write to a target; nil if it would write nothing.
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

// MARK: Nil

// A transfer's presentation of nil: a placeholder, or, in a text field, a mark that is not part of
// the text.
extension BindingTransfer {
  /// The value with the placeholder that stands for it.
  func shown(_ value: Value) -> Value {
    if options?.null != nil, value.isNil || isWithoutSelection(value) { return valueForNull }
    return options?.placeholder(for: value) ?? value
  }

  /// Whether its target shows nil by a mark that is not part of the text.
  private var marksNull: Bool { property?.marksNull ?? false }

  /// What it writes for nil.
  var valueForNull: Value { (marksNull ? nil : options?.null) ?? .null }

  /// Has a target that marks nil show whether the value is nil.
  func mark(_ value: Value, in object: DataObject, at index: Int) {
    guard value.isNil ? marksNull : hasMarked, let view = object as? any ShowsNull else { return }
    hasMarked = value.isNil
    guard hasMarked else { return view.showNull(nil) }
    let name = object.shape.propertiesByIndex[index].name
    view.showNull(
      options?.null?.text ?? view.shownForNull
        ?? table.defaultPlaceholder(for: .null, of: object, name)?.text)
  }

  /// Whether nothing is selected and the binding has no placeholder for that.
  private func isWithoutSelection(_ value: Value) -> Bool {
    value == Marker.noSelection.value && options?.placeholder(for: value) == nil
  }
}
