package import TideGraph

/// All bindings and other belongings of contexts in one graph, and the errors that they ran into.
package final class BindingTable {
  package let graph: Graph
  private var records: UnsafeMutablePointer<BindingRecord>
  private var capacity = 1024
  private var count: UInt32 = 1
  private var freeRecord: UInt32 = 0
  private var details: [BindingDetails?] = [nil]
  private var freeDetails: [UInt32] = []
  var contexts: [UInt32: Unowned<BindingContext>] = [:]
  var nextContext: UInt32 = 1
  /// The contexts that are open, innermost last.
  package var openContexts: [BindingContext] = []
  private var failures: [UInt32: TideError] = [:]
  private var otherFailures: [TideError] = []
  /// Told of every error as it is listed: logging, and what shows errors.
  package var onError: ((TideError) -> Void)?
  /// Where the code that makes something stands, in a script.
  package var currentLocation: (() -> SourceLocation?)?
  package private(set) var liveBindings = 0
  package private(set) var transformers = TransformerRegistry()

  struct Unowned<Object: AnyObject> { unowned let object: Object }

  private init(_ graph: Graph) {
    self.graph = graph
    records = .allocate(capacity: capacity)
    records.initialize(repeating: BindingRecord(), count: capacity)
  }

  deinit { records.deallocate() }

  /// The table of a graph, made on first use.
  package static func of(_ graph: Graph) -> BindingTable {
    if let known = graph.attachment as? BindingTable { return known }
    let made = BindingTable(graph)
    graph.attachment = made
    graph.host = made
    return made
  }

  /// The calling thread's.
  package static var current: BindingTable { of(.current) }

  // MARK: Records

  func makeRecord(_ kind: BindingRecord.Kind, in context: BindingContext) -> UInt32 {
    var index = freeRecord
    if index != 0 {
      freeRecord = records[Int(index)].older
    } else {
      index = count
      count += 1
      if Int(index) == capacity { grow() }
    }
    let generation = records[Int(index)].generation
    records[Int(index)] = BindingRecord(generation: generation, kind: kind)
    context.link(index, in: self)
    if kind == .binding { liveBindings += 1 }
    return index
  }

  private func grow() {
    let grown = UnsafeMutablePointer<BindingRecord>.allocate(capacity: capacity * 2)
    grown.moveInitialize(from: records, count: capacity)
    (grown + capacity).initialize(repeating: BindingRecord(), count: capacity)
    records.deallocate()
    records = grown
    capacity *= 2
  }

  @inline(__always)
  func record(_ index: UInt32) -> UnsafeMutablePointer<BindingRecord> { records + Int(index) }

  func isCurrent(_ index: UInt32, _ generation: UInt32) -> Bool {
    records[Int(index)].generation == generation && records[Int(index)].kind != .free
  }

  func details(of index: UInt32) -> BindingDetails? {
    let place = records[Int(index)].details
    return place == 0 ? nil : details[Int(place)]
  }

  func makeDetails(for index: UInt32) -> BindingDetails {
    if let known = details(of: index) { return known }
    let made = BindingDetails()
    if let place = freeDetails.popLast() {
      details[Int(place)] = made
      records[Int(index)].details = place
    } else {
      records[Int(index)].details = UInt32(details.count)
      details.append(made)
    }
    return made
  }

  /// Ends what a record stands for; harmless when it has ended.
  func end(_ index: UInt32) {
    let record = record(index)
    guard record.pointee.kind != .free else { return }
    let kind = record.pointee.kind
    let edge = record.pointee.edge, reverse = record.pointee.reverse
    let details = details(of: index)
    if record.pointee.details != 0 {
      self.details[Int(record.pointee.details)] = nil
      freeDetails.append(record.pointee.details)
    }
    if let context = contexts[record.pointee.context]?.object { context.unlink(index, in: self) }
    if record.pointee.flags & BindingRecord.failed != 0 { failures[index] = nil }
    if kind == .binding { liveBindings -= 1 }
    let generation = record.pointee.generation &+ 1
    self.record(index).pointee = BindingRecord(older: freeRecord, generation: generation)
    freeRecord = index

    switch kind {
    case .binding:
      if edge != 0 { graph.disconnect(edge) }
      if reverse != 0 { graph.disconnect(reverse) }
    case .node:
      let slot = graph.slot(at: edge)
      if slot.generation == reverse { graph.dispose(slot) }
    case .disposable, .free: break
    }
    guard let details else { return }
    for edge in details.extraEdges { graph.disconnect(edge) }
    for node in details.nodes { graph.dispose(node) }
    details.dispose?()
  }

  // MARK: Errors

  /// What has failed and still does, oldest binding first.
  package var errors: [TideError] {
    failures.sorted { $0.key < $1.key }.map(\.value) + otherFailures
  }

  package func fail(_ index: UInt32, _ error: TideError) {
    guard index != 0, record(index).pointee.kind != .free else { return list(error) }
    var error = error
    let details = makeDetails(for: index)
    error.location = error.location ?? details.location
    error.path = error.path ?? details.text
    details.error = error
    details.errorDisplay?.showBindingError(error.message)
    record(index).pointee.flags |= BindingRecord.failed
    failures[index] = error
    onError?(error)
  }

  @inline(__always)
  package func succeed(_ index: UInt32) {
    if record(index).pointee.flags & BindingRecord.failed != 0 { recover(index) }
  }

  private func recover(_ index: UInt32) {
    record(index).pointee.flags &= ~BindingRecord.failed
    failures[index] = nil
    details(of: index)?.error = nil
    details(of: index)?.errorDisplay?.showBindingError(nil)
  }

  /// Lists an error that belongs to no binding.
  package func list(_ error: any Error, at slot: Slot? = nil) {
    var error = TideError(wrapping: error, graph: graph)
    if let slot, error.path == nil { error.path = graph.name(of: slot) }
    if otherFailures.count >= 1000 { otherFailures.removeFirst(500) }
    otherFailures.append(error)
    onError?(error)
  }

  package func clearErrors() { otherFailures.removeAll() }

  /// Forgets what an app before left behind: its transformers and the errors that were listed.
  package func beginApp() {
    transformers = TransformerRegistry()
    openContexts.removeAll()
    otherFailures.removeAll()
    onError = nil
  }
}

extension BindingTable: GraphHost {
  package func graph(_ graph: Graph, body slot: Slot, failed error: any Error) {
    list(error, at: slot)
  }

  package func graph(_ graph: Graph, foundCycle loop: [Slot]) {
    let names = loop.map { graph.name(of: $0) }
    list(TideError(.cycle, "these never settle: " + names.joined(separator: " -> ")))
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
    end(owner)
  }
}

extension BindingTable {
  /// The live bindings, or those with an end at an object, or at one of its properties.
  package func bindings(of object: DataObject?, property: String?) -> [Binding] {
    let all = contexts.values.flatMap { $0.object.bindings }.sorted { $0.index < $1.index }
    guard let object else { return all }
    let slot = property.flatMap { object.slot(named: $0) }
    return all.filter { binding in
      let record = record(binding.index).pointee
      for edge in [record.edge, record.reverse] where edge != 0 {
        let ends = [graph.source(of: edge), graph.target(of: edge)]
        for end in ends where end.blockHeader == object.header {
          if property == nil || end == slot { return true }
        }
      }
      return false
    }
  }
}
