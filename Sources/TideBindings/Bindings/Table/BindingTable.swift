import CTideSlots
package import TideGraph
import TideSystem
import TideValues

/// All bindings and other belongings of contexts in one graph, and the errors that they ran into.
package final class BindingTable {
  /// The graph, which keeps this table and so outlives it.
  package unowned(unsafe) let graph: Graph
  let graphReference: Unmanaged<Graph>
  /// The graph's memory, by which its slots are known without a look at the graph.
  let arena: UnsafeMutablePointer<TideArena>
  /// What changes all the time, behind a pointer so that reaching it costs a load.
  private let state: UnsafeMutablePointer<State>
  private let reserved: ReservedMemory<BindingRecord>
  /// The contexts that were opened without a function; those beyond the graph's count are
  /// forgotten.
  var begunContexts: [OpenContext] = []
  var otherFailures: [TideError] = []
  /// How many errors have been listed there.
  var entries = 0
  /// What bindings have ended with, by record; the oldest are forgotten.
  private var endings: [UInt32: (generation: UInt32, error: TideError)] = [:]
  var tally = FailureTally()
  /// What effects and observers failed with, by slot.
  var nodeFailures: [UInt32: TideError] = [:]
  /// Loops that did not settle.
  var cycles: [ListedCycle] = []
  /// How often a loop was found that did not settle, and the latest of them.
  package internal(set) var cyclesFound = 0
  package internal(set) var latestCycle: TideError?
  /// Told of every error as it is listed: logging, and what shows errors.
  package var onError: ((TideError) -> Void)?
  /// Told when fewer errors are listed than before.
  package var onRecovery: (() -> Void)?
  /// Told in its place of what bindings fail with, where that makes a difference.
  package var onBindingFailure: ((TideError) -> Void)?
  /// Where the code that makes something stands, in a script.
  package var currentLocation: (() -> SourceLocation?)?
  /// The line that a number of the graph's history stands for.
  package var locationForID: ((UInt32) -> SourceLocation?)?
  /// Bindings that end soon, whose waiting writes others have taken over; by record.
  var passedOn: Set<UInt32> = []
  /// Tells what has begun to wait later from what did so before.
  var lastWaitNumber = 0
  /// Values that are about to be put back.
  var restores = PendingRestores()
  /// Of properties that several bindings share.
  var contributions = Contributions()
  /// Who wants to know before a slot changes, by the slot's index.
  var priors: [UInt32: NumberedList<PriorObserver>] = [:]
  /// What classes show for nil and for markers, by the number of their shapes.
  /// The latest one counts.
  var placeholders: [UInt32: [String: NumberedList<ClassPlaceholders>]] = [:]
  /// Makes functions of rows of what scripts give in place of them.
  package var rowFunctions: ((AnyObject) -> RowClosures?)?
  /// Makes what gives new objects of the class that scripts give a controller; nil for what is
  /// none.
  package var objectMaker: ((AnyObject) -> (() throws -> Value)?)?
  /// Sees to it that `endTurn` is called, after the turn that runs; nil where there are no turns.
  package var awaitTurnEnd: (() -> Void)?
  /// Who is told at the end of the turn.
  var turnWorkers: [any TurnWorker] = []
  /// Time for what waits.
  package var clock: (any BindingClock)?
  package private(set) var transformers = TransformerRegistry()
  /// What texts take that are kept where they cannot be found.
  let heldTexts = CountedText.Sum()
  /// Refuses, by throwing, text for which there is no memory.
  package var noteMemory: ((_ bytes: Int) throws -> Void)?
  /// Contexts that were released where the graph is not.
  let abandoned = Guarded<[AbandonedContext]>([])
  /// Notes what is held from now on: whoever asks for memory next is refused where that was too
  /// much.
  package var oweMemory: ((_ bytes: Int) -> Void)?

  private struct State {
    let records: UnsafeMutablePointer<BindingRecord>
    var count: UInt32 = 1
    var freeRecord: UInt32 = 0
    var freeRecordCount = 0
    var details: [BindingNote] = [.none]
    var freeDetails: [UInt32] = []
    /// By number; each is taken out when it has gone.
    var contexts: [ContextPointer?] = [nil]
    var freeContexts: [UInt32] = []
    var failures: [UInt32: TideError] = [:]
    var liveBindings = 0
  }

  private init(_ graph: Graph) {
    self.graph = graph
    graphReference = .passUnretained(graph)
    arena = graph.arenaAddress
    guard let reserved = ReservedMemory<BindingRecord>(capacity: 1 << 25) else {
      preconditionFailure("the system refuses 64 KiB of address space for the table of bindings")
    }
    self.reserved = reserved
    state = .allocate(capacity: 1)
    state.initialize(to: State(records: reserved.records))
    transformers.heldTexts = heldTexts
  }

  deinit {
    graph.host = nil
    for context in abandoned.withLock({ $0 }) { context.pointer.deallocate() }
    state.deinitialize(count: 1)
    state.deallocate()
    reserved.release()
  }

  /// The table of a graph, made on first use.
  package static func of(_ graph: Graph) -> BindingTable {
    if let known = graph.attachment { return unsafeDowncast(known, to: BindingTable.self) }
    let made = BindingTable(graph)
    graph.attachment = made
    graph.host = made
    return made
  }

  /// That of the graph of whoever runs here.
  package static var current: BindingTable { of(.current) }

  package var liveBindings: Int { state.pointee.liveBindings }

  /// Works on the graph without counting the reference.
  @inline(__always)
  func withGraph<Result>(_ body: (Graph) throws -> Result) rethrows -> Result {
    try graphReference._withUnsafeGuaranteedRef(body)
  }

  /// What makes new objects of what a controller's `objectClass` says.
  func maker(_ value: Value) -> (() throws -> Value)? {
    guard case .object(let object) = value else { return nil }
    return objectMaker?(object)
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

  /// Forgets a context that is empty and gone.
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

  /// The bindings of all contexts, in no order.
  var allBindings: [Binding] {
    state.pointee.contexts.flatMap { $0.map { bindings(in: $0) } ?? [] }
  }

  /// How many of each there are, those that wait to be used again not counted.
  var counts: (records: Int, details: Int, contexts: Int) {
    (
      Int(state.pointee.count) - 1, state.pointee.details.count - state.pointee.freeDetails.count,
      state.pointee.contexts.count - state.pointee.freeContexts.count
    )
  }

  // MARK: Records

  /// Whether there is room for the bindings and observations that a few calls of a script may make.
  package var hasRoom: Bool {
    let used = Int(state.pointee.count) - state.pointee.freeRecordCount
    return used + min(4096, reserved.capacity / 16) <= reserved.capacity
  }

  @inline(__always)
  func makeRecord(_ kind: BindingRecord.Kind, in context: BindingContext) -> UInt32 {
    var index = state.pointee.freeRecord
    if index != 0 {
      state.pointee.freeRecord = state.pointee.records[Int(index)].older
      state.pointee.freeRecordCount -= 1
    } else {
      index = state.pointee.count
      precondition(Int(index) < reserved.capacity, "the table of bindings is full")
      state.pointee.count = index + 1
      if index & 1023 == 0 { tide_prefault(reserved.records + Int(index), 32 << 10) }
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

  /// How a binding was written.
  func origin(of index: UInt32) -> BindingOrigin? {
    switch state.pointee.details[detailsIndex(of: index)] {
    case .none: nil
    case .origin(let origin): origin
    case .details(let details): details.origin
    }
  }

  /// Visits what is known of bindings and observations, in no order.
  func forEachNote(_ visit: (BindingNote) -> Void) {
    for note in state.pointee.details { visit(note) }
  }

  /// Notes how a binding was written, which is all that there is to know of most.
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

  /// Ends what a record stands for; harmless when it has ended.
  func end(_ index: UInt32) {
    let record = record(index)
    guard record.pointee.kind != .free else { return }
    let kind = record.pointee.kind
    let edge = record.pointee.edge, reverse = record.pointee.reverse
    let details = details(of: index)
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
      onRecovery?()
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
        // What has ended fails no more.
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

  /// What has failed and still does, oldest binding first. What is wrong with several bindings that
  /// were written at one location, as those of a table's rows, is one error.
  package var errors: [TideError] {
    reviewCycles()
    return FailureTally.distinct(failures { !$0.isOfEdit }) + otherFailures
  }

  /// Tells of errors anew that are listed already: those of a new version of a script.
  package func reportAgain() { tally.reportAgain() }

  /// What people have entered that cannot be taken, oldest binding first.
  package var errorsOfEdits: [TideError] { failures(where: \.isOfEdit) }

  private func failures(where isWanted: (TideError) -> Bool) -> [TideError] {
    state.pointee.failures.filter { isWanted($0.value) }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// The same as `errors`, in no order.
  func forEachError(_ visit: (TideError) -> Void) {
    reviewCycles()
    for error in state.pointee.failures.values where !error.isOfEdit { visit(error) }
    for error in otherFailures { visit(error) }
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
    details.error = error
    show(error.message, of: index)
    record(index).pointee.flags |= BindingRecord.failed
    let former = state.pointee.failures.updateValue(error, forKey: index)
    if let former { tally.remove(former) }
    let isNew = tally.add(error)
    if error.isOfEdit {
      // A person is told at the field, and has made no mistake in the program.
      if former?.isOfEdit == false { onRecovery?() }
      return
    }
    guard isNew else { return }
    if let onBindingFailure { onBindingFailure(error) } else { onError?(error) }
  }

  /// Ends a two-way binding whose transformer takes its time.
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

  /// What a binding has ended with.
  func ending(of index: UInt32, _ generation: UInt32) -> TideError? {
    endings[index].flatMap { $0.generation == generation ? $0.error : nil }
  }

  @inline(__always)
  /// Lists what an edge of a binding failed with.
  func fail(_ index: UInt32, _ error: any Error) {
    var failure = TideError(wrapping: error, graph: graph)
    failure.path = nil
    fail(index, failure)
  }

  package func succeed(_ index: UInt32) {
    if record(index).pointee.flags & BindingRecord.failed != 0 { recover(index) }
  }

  /// Shows what goes wrong, or goes right again, at an end that is a view.
  private func show(_ message: String?, of index: UInt32) {
    guard let ends = details(of: index)?.ends ?? Binding(index, self).objects else { return }
    for end in [ends.source.object, ends.target.object] {
      if let end, end.showsBindingErrors { return end.showBindingError(message) }
    }
  }

  private func recover(_ index: UInt32) {
    record(index).pointee.flags &= ~BindingRecord.failed
    let former = state.pointee.failures.removeValue(forKey: index)
    if let former { tally.remove(former) }
    details(of: index)?.error = nil
    show(nil, of: index)
    if former?.isOfEdit == false { onRecovery?() }
  }

  /// Forgets what leads to an app that is gone: its functions, its clock and its memory.
  package func endApp() {
    cycles = []
    transformers = TransformerRegistry()
    transformers.heldTexts = heldTexts
    onError = nil
    onBindingFailure = nil
    onRecovery = nil
    currentLocation = nil
    locationForID = nil
    noteMemory = nil
    awaitTurnEnd = nil
    turnWorkers = []
    oweMemory = nil
    clock = nil
    placeholders = [:]
    rowFunctions = nil
    objectMaker = nil
    forgetOpenContexts()
  }

  /// Forgets what an app before left behind: its transformers and the errors that were listed.
  package func beginApp() {
    endApp()
    otherFailures.removeAll()
  }
}
