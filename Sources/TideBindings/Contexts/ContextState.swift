package import TideGraph

/// A context's state in its table: flags, and the context's records, linked latest first. It is
/// separate from the context, which may be released on any thread.
struct ContextState {
  /// Its number in the table; 0 until it has joined one.
  var number: UInt32 = 0
  /// The latest record, from which the others are linked.
  var newest: UInt32 = 0
  var isActive = true
  var clearCount = 0
  var family: ObjectIdentifier?
}

extension BindingTable {
  typealias ContextPointer = UnsafeMutablePointer<ContextState>

  private func forEachRecord(in context: ContextPointer, _ visit: (UInt32) -> Void) {
    var index = context.pointee.newest
    while index != 0 {
      let next = record(index).pointee.older
      visit(index)
      index = next
    }
  }

  /// A context's records, oldest first.
  func indexes(in context: ContextPointer) -> [UInt32] {
    var indexes: [UInt32] = []
    forEachRecord(in: context) { indexes.append($0) }
    return indexes.reversed()
  }

  /// A context's bindings, oldest first.
  func bindings(in context: ContextPointer) -> [Binding] {
    var found: [Binding] = []
    forEachRecord(in: context) {
      if record($0).pointee.kind == .binding { found.append(Binding($0, self)) }
    }
    return found.reversed()
  }

  /// Ends everything in a context, latest first.
  func removeAll(in context: ContextPointer) {
    context.pointee.clearCount &+= 1
    // The listed errors of an app that ends can still be queried, and a reload lists its own.
    if !restores.isOff, !otherFailures.isEmpty {
      withdrawErrors(ofContext: context.pointee.number)
    }
    if context.pointee.newest == 0 { return }
    restoringTogether {
      while context.pointee.newest != 0 { end(context.pointee.newest) }
    }
  }

  /// Pauses or resumes a record, depending on its context and the record itself.
  func applyEnabled(to index: UInt32, in context: ContextPointer) {
    let record = record(index)
    let isOn = context.pointee.isActive && record.pointee.flags & BindingRecord.disabled == 0
    switch record.pointee.kind {
    case .binding:
      for edge in [record.pointee.edge, record.pointee.reverse] where edge != 0 {
        graph.setEnabled(isOn, ofEdge: edge)
      }
      for edge in details(of: index)?.extraEdges ?? [] { graph.setEnabled(isOn, ofEdge: edge) }
      for trigger in details(of: index)?.triggers ?? [] { trigger.running.setEnabled?(isOn) }
      if !isOn, let gates = details(of: index)?.gates, !gates.isEmpty {
        restoreValues(of: gates, isOver: false)
        putBack()
      }
    case .node: graph.setEnabled(isOn, of: graph.slot(at: record.pointee.edge))
    case .disposable: details(of: index)?.setEnabled?(isOn)
    case .free: break
    }
  }

  @inline(__always)
  func link(_ index: UInt32, in context: ContextPointer) {
    let record = record(index)
    let newest = context.pointee.newest
    record.pointee.context = context.pointee.number
    record.pointee.older = newest
    if newest != 0 { self.record(newest).pointee.newer = index }
    context.pointee.newest = index
  }

  @inline(__always)
  func unlink(_ index: UInt32, from context: ContextPointer) {
    let record = record(index)
    let older = record.pointee.older, newer = record.pointee.newer
    if older != 0 { self.record(older).pointee.newer = newer }
    if newer != 0 {
      self.record(newer).pointee.older = older
    } else {
      context.pointee.newest = older
    }
  }
}

// MARK: Release on other threads

/// A context whose last reference was released on a thread other than its graph's.
// Unchecked, because other threads only add the pointer to the list; only the graph's thread
// dereferences it.
struct AbandonedContext: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<ContextState>
}

extension BindingTable {
  /// Hands a released context to the graph's owner. Callable on any thread.
  func abandon(_ context: ContextPointer) {
    abandoned.withLock { $0.append(AbandonedContext(pointer: context)) }
    graph.noteRemoteRelease()
  }

  package func reclaim(_ graph: Graph) {
    let contexts = abandoned.withLock { abandoned in
      defer { abandoned = [] }
      return abandoned
    }
    for context in contexts {
      removeAll(in: context.pointer)
      leave(context.pointer)
    }
  }
}
