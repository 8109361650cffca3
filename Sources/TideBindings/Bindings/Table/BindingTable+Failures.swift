package import TideGraph

// Errors that belong to no binding: of effects, observers, computed values, and others that are
// listed.
extension BindingTable {
  /// Lists an error that belongs to no binding.
  @discardableResult
  package func list(
    _ error: any Error, at slot: Slot? = nil, of context: BindingContext? = nil
  ) -> TideError {
    var error = described(error, at: slot)
    if let context {
      error.family = context.family
      error.context = context.state.pointee.number
    }
    enter(&error)
    return error
  }

  private func described(_ error: any Error, at slot: Slot?) -> TideError {
    // A computed slot fails while computing its value, an observer or effect after a change.
    let code: TideError.Code = slot?.isDerived == true ? .transformer : .observer
    var error = shortened(TideError(wrapping: error, graph: graph, code: code))
    if let slot, error.path == nil { error.path = graph.name(of: slot) }
    if let slot, slot.isDerived, error.site == nil { error.site = site(ofComputed: slot) }
    // An error without a location gets the location of the running script code.
    if error.location == nil { error.location = hooks.currentLocation?() }
    return error
  }

  private func enter(_ error: inout TideError) {
    entries += 1
    error.entry = entries
    if otherFailures.count >= 1000 { otherFailures.removeFirst(500) }
    otherFailures.append(error)
    report(error)
  }

  /// Removes an error that no longer holds. Another one with the same text may still hold.
  package func withdraw(_ error: TideError) {
    remove(error)
    hooks.onRecovery?()
  }

  /// Removes the errors of a context that ends.
  func withdrawErrors(ofContext number: UInt32) {
    guard otherFailures.contains(where: { $0.context == number }) else { return }
    otherFailures.removeAll { $0.context == number }
    hooks.onRecovery?()
  }

  /// Notifies the app that views were removed. Their errors are no longer listed.
  package func viewsWereRemoved() {
    if tally.isEmpty && otherFailures.isEmpty { return }
    hooks.onRecovery?()
  }

  /// Removes an error from the list without notifying the app.
  package func remove(_ error: TideError) {
    let index = otherFailures.lastIndex {
      error.entry != 0
        ? $0.entry == error.entry
        : $0.message == error.message && $0.location == error.location
    }
    if let index { otherFailures.remove(at: index) }
  }

  /// Replaces a listed error when its rows have changed.
  func relist(_ error: TideError) {
    let index = otherFailures.lastIndex { $0.entry == error.entry }
    if let index { otherFailures[index] = error }
  }

  package func clearErrors(where isOver: (TideError) -> Bool = { _ in true }) {
    otherFailures.removeAll(where: isOver)
    clearFunctionFailures(where: isOver)
    editedRecords?.clearNotices(where: isOver)
    // A loop that runs again is reported again.
    cycles.removeAll { isOver($0.error) }
    hooks.onRecovery?()
  }

  /// The listed errors that belong to no binding. A rolled-back reload restores them.
  package var listedFailures: [TideError] {
    get {
      reviewCycles()
      return otherFailures
    }
    set { otherFailures = newValue }
  }
}

extension BindingTable: GraphHost {
  package func graph(_ graph: Graph, body slot: Slot, failed error: any Error) {
    // A computed slot may be read, and fail, again and again.
    if slot.isDerived, let known = nodeFailures[slot.index],
      known.message == TideError(wrapping: error, graph: graph).message
    {
      return
    }
    guard slot.isDerived else {
      if observedFailures[slot.index] != nil { self.graph(graph, recovered: slot) }
      let former = nodeFailures[slot.index]
      nodeFailures[slot.index] = list(error, at: slot)
      // It still fails; the latest error counts.
      if let former { remove(former) }
      return
    }
    var failure = described(error, at: slot)
    if let former = nodeFailures.removeValue(forKey: slot.index), tally.remove(former) {
      withdraw(former)
    }
    // Objects of a class may all fail in the same way.
    if tally.add(failure) { enter(&failure) }
    nodeFailures[slot.index] = failure
  }

  package func graph(
    _ graph: Graph, observer slot: Slot, of source: Slot, failed error: any Error
  ) {
    var failure = described(error, at: source)
    if nodeFailures[slot.index]?.message == failure.message { return }
    self.graph(graph, recovered: slot)
    // Several observers of one value, and the values of one loop, have one failure.
    let loop = Set((error as? CycleError)?.loop ?? [])
    if !loop.isEmpty {
      failure.location = graph.definition(ofLoop: error) ?? failure.location
      let other = observedFailures.first { $0.value == loop }?.key
      failure = other.flatMap { nodeFailures[$0] } ?? failure
    }
    observedFailures[slot.index] = loop
    if tally.add(failure) { enter(&failure) }
    nodeFailures[slot.index] = failure
  }

  package func graph(_ graph: Graph, recovered slot: Slot) {
    guard let failure = nodeFailures.removeValue(forKey: slot.index) else { return }
    let isShared = observedFailures.removeValue(forKey: slot.index) != nil || slot.isDerived
    if !isShared || tally.remove(failure) { withdraw(failure) }
  }

  package func graph(_ graph: Graph, counterpartOf edge: EdgeIndex) -> EdgeIndex {
    let owner = graph.owner(of: edge)
    guard owner != 0, record(owner).pointee.kind == .binding else { return 0 }
    let record = record(owner).pointee
    return record.edge == edge ? record.reverse : record.reverse == edge ? record.edge : 0
  }

  package func graph(_ graph: Graph, edgeEnded owner: UInt32) {
    // The edge is gone already; ending the record must not end it again.
    let record = record(owner)
    guard record.pointee.kind == .binding else { return }
    if !graph.isBinding(record.pointee.edge, ownedBy: owner) { record.pointee.edge = 0 }
    if !graph.isBinding(record.pointee.reverse, ownedBy: owner) { record.pointee.reverse = 0 }
    if let details = details(of: owner) {
      details.extraEdges.removeAll { !graph.isBinding($0, ownedBy: owner) }
    }
    // One of its objects is gone. Nothing is restored, because the time of collection is arbitrary.
    withoutRestoring { end(owner) }
  }
}

// Bindings that have ended because of an error.
extension BindingTable {
  /// Ends a two-way binding with an asynchronous transformer.
  func endWaiting(_ index: UInt32) {
    let details = makeDetails(for: index)
    let error = list(
      TideError(
        .async,
        "a transformer waits, which it cannot in a two-way binding; the binding has ended: use -> "
          + "or <-",
        location: details.location, path: details.text))
    if endings.count >= 1000 { endings.removeAll() }
    endings[index] = (record(index).pointee.generation, error)
    show(error.message, of: index)
    end(index)
  }

  /// The error with which a binding ended.
  func ending(of index: UInt32, _ generation: UInt32) -> TideError? {
    endings[index].flatMap { $0.generation == generation ? $0.error : nil }
  }
}
