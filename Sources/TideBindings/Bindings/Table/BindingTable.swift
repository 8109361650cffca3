import CTideSlots
package import TideGraph
import TideSystem
import TideValues

/// All bindings and other context entries of one graph, and their errors.
package final class BindingTable {
  /// The graph, which owns this table and so outlives it.
  package unowned(unsafe) let graph: Graph
  let graphReference: Unmanaged<Graph>
  /// The graph's memory, to test whether a slot is of this graph without loading the graph.
  let arena: UnsafeMutablePointer<TideArena>
  /// The working state, behind a pointer so that reaching it costs a load.
  private let state: UnsafeMutablePointer<State>
  /// The contexts that were begun without a closure. Those beyond the graph's count are stale.
  var begunContexts: [OpenContext] = []
  var otherFailures: [TideError] = []
  /// The number of errors listed so far. Each error is numbered when it is listed.
  var entries = 0
  /// The errors with which bindings ended, by record; the oldest are dropped.
  var endings: [UInt32: (generation: UInt32, error: TideError)] = [:]
  var tally = FailureTally()
  /// The errors of effects and observers, by slot.
  var nodeFailures: [UInt32: TideError] = [:]
  /// Observers that failed because their source failed, with the slots of the loop if that was a
  /// cycle.
  var observedFailures: [UInt32: Set<UInt32>] = [:]
  var functionFailures = FunctionFailures()
  /// The acts that cause changes.
  var acts = ActLog()
  /// Loops that did not settle.
  var cycles: [ListedCycle] = []
  /// The number of loops that did not settle, and the error of the latest one.
  package internal(set) var cyclesFound = 0
  package internal(set) var latestCycle: TideError?
  /// The app's callbacks.
  package var hooks = BindingHooks()
  /// The views with invalid user input.
  var entryHolders = EntryHolders()
  /// The records that users edit; nil until the first edit.
  package internal(set) var editedRecords: EditedRecords?
  /// The history of selections; nil unless a viewer can act on an outdated frame.
  package var selectionHistory: SelectionHistory?
  /// Ending bindings whose pending writes others have taken over; by record.
  var passedOn: Set<UInt32> = []
  /// Numbers waits in the order in which they began.
  var lastWaitNumber = 0
  /// Values that are about to be restored.
  var restores = PendingRestores()
  /// The state of properties that several bindings share.
  var contributions = Contributions()
  /// Prior observers, by the slot's index.
  var priors: [UInt32: NumberedList<PriorObserver>] = [:]
  /// Whether typed text is being written. Writes of observers that run meanwhile count, too.
  package internal(set) var isTyping = false
  /// Records what users change, for undo; nil if nothing is watched.
  package var writeWatch: (any WriteWatch)?
  /// The placeholders of classes, by the number of their shapes. The latest one counts.
  var placeholders: [UInt32: [String: NumberedList<ClassPlaceholders>]] = [:]
  /// The workers to be notified at the end of the turn.
  var turnWorkers: [any TurnWorker] = []
  /// The style definitions of the views layer.
  package var styles: (any AppAttachment)?
  /// The clock for delays.
  package var clock: (any BindingClock)?
  package private(set) var transformers = TransformerRegistry()
  /// The total size of texts that memory measurement cannot reach, such as those captured by
  /// closures.
  let heldTexts = CountedText.Sum()
  /// Called with errors, on any thread, whether or not there is an app.
  let errorHandler = Guarded<(@Sendable (TideError) -> Void)?>(nil)
  /// Contexts that were released on other threads.
  let abandoned = Guarded<[AbandonedContext]>([])

  private struct State {
    let records: UnsafeMutablePointer<BindingRecord>
    var count: UInt32 = 1
    var capacity: UInt32 = 0
    var freeRecord: UInt32 = 0
    var freeRecordCount = 0
    var details: [BindingNote] = [.none]
    var freeDetails: [UInt32] = []
    /// By number; nil for a number that is free.
    var contexts: [ContextPointer?] = [nil]
    var freeContexts: [UInt32] = []
    var failures: [UInt32: TideError] = [:]
    var liveBindings = 0
  }

  private init(_ graph: Graph) {
    self.graph = graph
    graphReference = .passUnretained(graph)
    arena = graph.arenaAddress
    let records = tide_arena_records(arena).assumingMemoryBound(to: BindingRecord.self)
    state = .allocate(capacity: 1)
    state.initialize(to: State(records: records))
    transformers.heldTexts = heldTexts
  }

  deinit {
    graph.host = nil
    for context in abandoned.withLock({ $0 }) { context.pointer.deallocate() }
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// The table of a graph; nil if it has not been made.
  static func known(of graph: Graph) -> BindingTable? {
    graph.attachment.map { unsafeDowncast($0, to: BindingTable.self) }
  }

  /// The table of a graph, made on first use.
  package static func of(_ graph: Graph) -> BindingTable {
    if let known = graph.attachment { return unsafeDowncast(known, to: BindingTable.self) }
    let made = BindingTable(graph)
    graph.attachment = made
    graph.host = made
    return made
  }

  /// The table of the current graph.
  package static var current: BindingTable { of(.current) }

  package var liveBindings: Int { state.pointee.liveBindings }

  /// Calls a function with the graph without retaining it.
  @inline(__always)
  func withGraph<Result>(_ body: (Graph) throws -> Result) rethrows -> Result {
    try graphReference._withUnsafeGuaranteedRef(body)
  }

  /// A factory for the objects of a controller's `objectClass`.
  func maker(_ value: Value) -> (() throws -> Value)? {
    guard case .object(let object) = value else { return nil }
    return hooks.objectMaker?(object)
  }

  // MARK: Contexts

  func enter(_ context: ContextPointer) -> UInt32 {
    if let number = state.pointee.freeContexts.popLast() {
      state.pointee.contexts[Int(number)] = context
      return number
    }
    state.pointee.contexts.append(context)
    return UInt32(state.pointee.contexts.count - 1)
  }

  /// Removes a context that is empty and released.
  func leave(_ context: ContextPointer) {
    state.pointee.contexts[Int(context.pointee.number)] = nil
    state.pointee.freeContexts.append(context.pointee.number)
    context.deallocate()
  }

  func applyEnabled(to index: UInt32) {
    if let context = state.pointee.contexts[Int(record(index).pointee.context)] {
      applyEnabled(to: index, in: context)
    }
  }

  /// The contexts by number; nil for a number that is free.
  var contexts: [ContextPointer?] { state.pointee.contexts }

  /// The bindings of all contexts, in no order.
  var allBindings: [Binding] {
    state.pointee.contexts.flatMap { $0.map { bindings(in: $0) } ?? [] }
  }

  /// The numbers of allocated records, free ones included, and of details and contexts in use.
  var counts: (records: Int, details: Int, contexts: Int) {
    (
      Int(state.pointee.count) - 1, state.pointee.details.count - state.pointee.freeDetails.count,
      state.pointee.contexts.count - state.pointee.freeContexts.count
    )
  }

  // MARK: Records

  /// Whether there is room for 4,096 more records, enough for a few calls of a script.
  package var hasRoom: Bool {
    let used = Int(state.pointee.count) - state.pointee.freeRecordCount
    return growRecords(to: used + 4096)
  }

  /// Grows the table to a total number of records, in the graph's memory. Returns false if memory
  /// is refused.
  @inline(never)
  private func growRecords(to count: Int) -> Bool {
    let stride = MemoryLayout<BindingRecord>.stride
    if count <= Int(state.pointee.capacity) { return true }
    guard tide_arena_grow_records(arena, count * stride) else { return false }
    state.pointee.capacity = UInt32(clamping: tide_arena_record_bytes(arena) / stride)
    return true
  }

  @inline(__always)
  func makeRecord(_ kind: BindingRecord.Kind, in context: BindingContext) -> UInt32 {
    var index = state.pointee.freeRecord
    if index != 0 {
      state.pointee.freeRecord = state.pointee.records[Int(index)].older
      state.pointee.freeRecordCount -= 1
    } else {
      index = state.pointee.count
      if _slowPath(index >= state.pointee.capacity) {
        precondition(
          growRecords(to: Int(index) + 1),
          "the table of bindings is full, or the system refuses memory (see ulimit -v)")
      }
      state.pointee.count = index + 1
      if index & 1023 == 0 { tide_prefault(state.pointee.records + Int(index), 32 << 10) }
    }
    let generation = state.pointee.records[Int(index)].generation
    state.pointee.records[Int(index)] = BindingRecord(generation: generation, kind: kind)
    link(index, in: context.state)
    if kind == .binding { state.pointee.liveBindings += 1 }
    return index
  }

  @inline(__always)
  func record(_ index: UInt32) -> UnsafeMutablePointer<BindingRecord> {
    state.pointee.records + Int(index)
  }

  func isCurrent(_ index: UInt32, _ generation: UInt32) -> Bool {
    record(index).pointee.generation == generation && record(index).pointee.kind != .free
  }

  func details(of index: UInt32) -> BindingDetails? {
    guard case .details(let details) = state.pointee.details[detailsIndex(of: index)] else {
      return nil
    }
    return details
  }

  /// The notation of a binding.
  func origin(of index: UInt32) -> BindingOrigin? {
    switch state.pointee.details[detailsIndex(of: index)] {
    case .none: nil
    case .origin(let origin): origin
    case .details(let details): details.origin
    }
  }

  /// Visits the details of bindings and observations, in no order.
  func forEachNote(_ visit: (BindingNote) -> Void) {
    for note in state.pointee.details { visit(note) }
  }

  /// Sets the notation of a binding, which is the only detail of most bindings.
  func setOrigin(_ origin: BindingOrigin, of index: UInt32) {
    if let details = details(of: index) {
      details.origin = origin
    } else {
      keep(.origin(origin), of: index)
    }
  }

  func makeDetails(for index: UInt32) -> BindingDetails {
    let known = state.pointee.details[detailsIndex(of: index)]
    if case .details(let details) = known { return details }
    let made = BindingDetails()
    if case .origin(let origin) = known {
      made.origin = origin
      made.ends = Binding(index, self).objects
    }
    keep(.details(made), of: index)
    return made
  }

  @inline(__always)
  private func detailsIndex(of index: UInt32) -> Int { Int(record(index).pointee.details) }

  private func keep(_ note: BindingNote, of index: UInt32) {
    let known = detailsIndex(of: index)
    if known != 0 {
      state.pointee.details[known] = note
    } else if let free = state.pointee.freeDetails.popLast() {
      state.pointee.details[Int(free)] = note
      record(index).pointee.details = free
    } else {
      record(index).pointee.details = UInt32(state.pointee.details.count)
      state.pointee.details.append(note)
    }
  }

  /// Ends the entry of a record. Does nothing when it has ended.
  func end(_ index: UInt32) {
    let record = record(index)
    guard record.pointee.kind != .free else { return }
    let kind = record.pointee.kind
    let edge = record.pointee.edge, reverse = record.pointee.reverse
    let details = details(of: index)
    if record.pointee.flags & BindingRecord.failed != 0 { noteEnd(of: index) }
    if let gates = details?.gates, !gates.isEmpty { restoreValues(of: gates, isOver: true) }
    if record.pointee.details != 0 {
      state.pointee.details[Int(record.pointee.details)] = .none
      state.pointee.freeDetails.append(record.pointee.details)
    }
    if let context = state.pointee.contexts[Int(record.pointee.context)] {
      unlink(index, from: context)
    }
    if record.pointee.flags & BindingRecord.failed != 0,
      let failure = state.pointee.failures.removeValue(forKey: index), !failure.isOfEdit
    {
      tally.remove(failure)
      hooks.onRecovery?()
    }
    if kind == .binding { state.pointee.liveBindings -= 1 }
    let generation = record.pointee.generation &+ 1
    record.pointee = BindingRecord(older: state.pointee.freeRecord, generation: generation)
    state.pointee.freeRecord = index
    state.pointee.freeRecordCount += 1

    switch kind {
    case .binding:
      withGraph { graph in
        if edge != 0 { graph.disconnect(edge) }
        if reverse != 0 { graph.disconnect(reverse) }
      }
    case .node:
      let slot = graph.slot(at: edge)
      if slot.generation == reverse {
        // An ended node no longer fails.
        if !nodeFailures.isEmpty { graph(graph, recovered: slot) }
        graph.dispose(slot)
      }
    case .disposable, .free: break
    }
    guard let details else { return }
    for edge in details.extraEdges { graph.disconnect(edge) }
    for node in details.nodes { graph.dispose(node) }
    for gate in details.gates { gate.cancel() }
    if let shared = details.shared { leave(shared, of: index) }
    for trigger in details.triggers { trigger.running.stop() }
    details.dispose?()
    putBack()
  }

  // MARK: Errors

  /// The errors that still hold, oldest binding first. The same mistake in several bindings written
  /// at one location, such as those of a table's rows, is listed once.
  package var errors: [TideError] {
    reviewCycles()
    let listed = failures { !$0.isOfEdit && !$0.isOfRemoved } + functionFailures.listed
    return FailureTally.distinct(listed) + otherFailures.filter { !$0.isOfRemoved }
  }

  /// Reports listed errors again, for a new version of a script.
  package func reportAgain() { tally.reportAgain() }

  /// The errors of input that was rejected, oldest binding first.
  package var errorsOfEdits: [TideError] {
    failures(where: \.isOfEdit) + entryHolders.errors + (editedRecords?.notices ?? [])
  }

  private func failures(where isWanted: (TideError) -> Bool) -> [TideError] {
    state.pointee.failures.filter { isWanted($0.value) }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Visits the listed errors in an arbitrary order, without merging those of one location.
  func forEachError(_ visit: (TideError) -> Void) {
    reviewCycles()
    for error in state.pointee.failures.values where !error.isOfEdit && !error.isOfRemoved {
      visit(error)
    }
    for error in functionFailures.errors.values { visit(error) }
    for error in otherFailures where !error.isOfRemoved { visit(error) }
  }

  package func fail(_ index: UInt32, _ error: TideError) {
    guard index != 0, record(index).pointee.kind != .free else {
      list(error)
      return
    }
    var error = shortened(error)
    let details = makeDetails(for: index)
    error.location = error.location ?? details.location
    error.path = error.path ?? details.text
    if !error.isOfEdit {
      error.site = site(of: index)
      error.holder = holder(of: index)
    }
    details.error = error
    show(error.message, of: index)
    record(index).pointee.flags |= BindingRecord.failed
    let former = state.pointee.failures.updateValue(error, forKey: index)
    if let former { tally.remove(former) }
    let isNew = tally.add(error)
    if error.isOfEdit {
      // The field shows the error to the user; it is not a mistake in the program.
      if former?.isOfEdit == false { hooks.onRecovery?() }
      return
    }
    guard isNew else { return }
    if let onBindingFailure = hooks.onBindingFailure {
      onBindingFailure(error)
    } else {
      report(error)
    }
  }

  /// Lists the error of a binding's edge.
  @inline(__always)
  func fail(_ index: UInt32, _ error: any Error) {
    var failure = TideError(wrapping: error, graph: graph)
    failure.path = nil
    fail(index, failure)
  }

  package func succeed(_ index: UInt32) {
    if record(index).pointee.flags & BindingRecord.failed != 0 { recover(index) }
  }

  private func recover(_ index: UInt32) {
    record(index).pointee.flags &= ~BindingRecord.failed
    let former = state.pointee.failures.removeValue(forKey: index)
    if let former { tally.remove(former) }
    details(of: index)?.error = nil
    show(nil, of: index)
    if former?.isOfEdit == false { hooks.onRecovery?() }
  }

  /// Releases what refers to an app that has ended: its callbacks, transformers, clock, styles and
  /// placeholders.
  package func endApp() {
    cycles = []
    transformers = TransformerRegistry()
    transformers.heldTexts = heldTexts
    hooks = BindingHooks()
    turnWorkers = []
    clock = nil
    styles?.endApp()
    placeholders = [:]
    forgetOpenContexts()
  }

  /// Prepares for a new app: discards the transformers and listed errors of the former one.
  package func beginApp() {
    endApp()
    otherFailures.removeAll()
    editedRecords?.clearNotices { _ in true }
  }
}
