import CTideSlots
import TideGraph

// The state of a target while the binding has no value for it.

extension BindingTransfer {
  /// Records that the target has a value.
  @inline(__always)
  func noteValue(from source: Slot, to target: Slot, _ owner: UInt32) {
    if isRestricted { endRefusal() }
    if case .slot = self.source, !source.isDerived, !source.holdsObject, origin != nil, left == nil
    {
      return
    }
    noteOrigin(of: source, to: target, owner)
  }

  private func noteOrigin(of source: Slot, to target: Slot, _ owner: UInt32) {
    origin = origin(of: source, isRead: true)
    if left == nil { return }
    left = nil
    let object = currentDestination(of: target)?.object
    (object as? any ShowsBindingFailures)?.noteBinding(owner, nil)
  }

  private func origin(of source: Slot, isRead: Bool) -> ValueOrigin {
    // A slot that has failed keeps its former value.
    let value = isRead && source.holdsObject ? ValueOrigin.mark(of: source.load()) : 0
    switch self.source {
    case .path(let body as PathBody): return .end(body.holderMark, value: value)
    case .slot where !source.isDerived: return .end(0, value: value)
    case .slot, .path: return table.graph.originOfReads(by: source)
    }
  }

  /// Lists an error, and replaces a target's value that belongs to another object. Returns whether
  /// the target has changed.
  func fail(with error: any Error, from source: Slot, to target: Slot, _ owner: UInt32) -> Bool {
    let failure = failure(error, from: source, to: target)
    table.fail(owner, failure)
    if (failure as? TideError)?.isOfEdit == true {
      noteRefused()
      return restoreOriginal(at: target)
    }
    if (error as? any PassingFailure)?.isPassing == true { return false }
    guard let destination = currentDestination(of: target), shows(destination, from: source) else {
      return false
    }
    let isRead = table.graph.currentFailure(of: source) == nil
    let isStale = origin?.covers(origin(of: source, isRead: isRead)) ?? false
    followHolder()
    // Set before the write, because the opposite direction reacts at once.
    left = destination.value
    (destination.object as? any ShowsBindingFailures)?
      .noteBinding(owner, destination.failure(isStale: isStale))
    var isChanged = false
    if !isStale {
      let isFirst = origin == nil
      // A value from before the first carry does not belong to another object of this binding.
      var substitute = options?.fallback
      if substitute == nil, !isFirst { substitute = destination.initial }
      let isRefused = isFirst && error is Refusal
      origin = nil
      if let substitute, !isRefused {
        left = (try? destination.converted(substitute)) ?? substitute
        isChanged = (try? write(substitute, to: target, from: .null)) ?? false
      }
    }
    left = destination.value
    return isChanged
  }

  /// Restores the model's value from before the typing, while the view shows the typed text.
  private func restoreOriginal(at target: Slot) -> Bool {
    guard let original, let destination = currentDestination(of: target) else { return false }
    return original.restore(destination, isSettling: finder != nil)
  }

  /// Whether the binding displays its source's value at a destination. A two-way binding without a
  /// value writes nothing to the model.
  private func shows(_ destination: Destination, from source: Slot) -> Bool {
    if opposite == nil || destination.object.showsBindingErrors { return true }
    return !isReverse && holder(of: source)?.showsBindingErrors != true
  }

  /// The error to report. For user input that the target rejects, it has the target's own message.
  func failure(_ error: any Error, from source: Slot, to target: Slot) -> any Error {
    let error = (error as? Refusal)?.error ?? error
    guard let object = holder(of: source), object.takesEdits,
      var failure = error as? TideError, failure.code.isOfValue, failure.location == nil
    else { return error }
    let destination = try? destination(of: target)
    if failure.code != .refused, destination?.takesEntries == false { return error }
    failure.isOfEdit = true
    if let message = destination?.messages?.text(for: source.load(), failure) {
      failure.message = table.translated(message)
    } else if failure.code == .refused {
      failure.message = table.translated(failure.message)
    } else if let reason = failure.cause as? NumberFault {
      failure.message = table.translated(reason.rawValue)
    }
    return failure
  }

  /// The object whose property the source is.
  func holder(of source: Slot) -> DataObject? {
    switch self.source {
    case .slot: source.blockHeader?.block as? DataObject
    case .path(let body): body.holder
    }
  }
}
