import CTideSlots
import TideGraph

/// Carries values from one end of a binding to the other: transformers, placeholders, conversion to
/// the target's type, validation, and the rule that keeps a two-way binding's ends apart.
final class BindingTransfer: TransformBody {
  unowned(unsafe) let table: BindingTable
  private let function: AnyTransformer.Function?
  private let source: Source
  /// What is shown in place of values, who judges them and who is told; nil for most bindings.
  private let options: Presentation?
  /// The result that it waits for, and what comes of that; nil for most.
  var late: LateValue?
  /// What decides when it carries; nil: nothing.
  unowned(unsafe) var gate: Gate?
  /// Whether the path has led anywhere so far.
  private var wasResolved = false
  /// Whether it has yet to carry its first value, which nobody can have entered at the other end.
  var owesFirst = false
  /// The transfer of the other direction.
  unowned(unsafe) var opposite: BindingTransfer?
  /// Whether it goes from the second end of a two-way binding to the first.
  var isReverse = false
  /// The wave in which it has written what the transfer of the other direction reads.
  private var latestWrite: UInt32 = 0
  /// Whether the target took another value than the one that was written.
  private var wasReplaced = false
  /// What is written, where that is known.
  var property: Slot?
  /// The binding, where others may share the property that it writes.
  var sharer: UInt32?
  /// Carries the value again where what becomes of it changes with time.
  var renewal: ValueRenewal?
  /// Finds what is written, where that is not the edge's own target.
  private let finder: DestinationFinder?
  /// What its transformers read; nil where that is not recorded. Retained by hand, because reference
  /// counting takes a good part of the time of a transfer.
  private var reads: Unmanaged<TransformerReads>?
  /// The edge along which it carries, while it does and is to follow.
  private var edge: EdgeIndex = 0
  /// What a person has edited and the model does not have, as its controller knows it.
  private var editor: BindingEditor?

  /// Records what the transformers read, so that a change of that carries the value again.
  func recordReads() {
    if function != nil { reads = .passRetained(TransformerReads(table)) }
  }

  /// Carries an equal value as well when the path leads to another object than before.
  func followHolder() {
    if case .path(let body) = source { body.followsHolder = true }
  }

  enum Source {
    case slot
    case path(SourceBody)
  }

  init(
    _ table: BindingTable, through function: AnyTransformer.Function?, source: Source,
    options: BindingOptions, destination: DestinationFinder? = nil
  ) {
    self.table = table
    self.function = function
    self.source = source
    self.options = options.looksAtValues ? Presentation(options) : nil
    self.finder = destination
  }

  /// Adds what it holds beside itself: the options, the functions, the result that it waits for.
  func addParts(to meter: inout MemoryMeter) {
    if let options {
      meter.add(Graph.allocatedBytes(of: options))
      if options.validate != nil { meter.add(Graph.closureBytes) }
      if options.observe != nil { meter.add(Graph.closureBytes) }
    }
    if function != nil { meter.add(2 * Graph.closureBytes) }
    if let reads {
      meter.add(Graph.allocatedBytes(of: reads.takeUnretainedValue()))
    }
    if let late { meter.add(Graph.allocatedBytes(of: late)) }
    if let renewal { meter.add(Graph.allocatedBytes(of: renewal) + Graph.closureBytes) }
    if let finder { meter.add(Graph.allocatedBytes(of: finder) + Graph.closureBytes) }
  }

  deinit {
    opposite?.opposite = nil
    late?.pending?.cancel()
    editor?.end()
    reads?.release()
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    let owner = table.graph.owner(of: edge)
    if reads != nil { self.edge = edge }
    defer { self.edge = 0 }
    do {
      let arrived = takeArrived()
      if let failure = table.graph.currentFailure(of: source) { throw failure }
      let changed =
        try arrived.map { try carryOn($0.get(), from: source, to: target) }
        ?? carry(from: source, to: target)
      table.succeed(owner)
      if wasReplaced { followTarget(of: edge, owner) }
      renewal?.plan(for: source.load(), of: edge, in: table)
      endEditing()
      return changed
    } catch let pending as PendingValue {
      wait(for: pending, edge, owner)
      return false
    } catch is BlockedError {
      // It carries when what its function has asked for is there.
      return false
    } catch {
      table.fail(owner, failure(error, from: source, to: target))
      beginEditing(edge)
      guard let fallback = options?.fallback, !(error is Refusal) else { return false }
      return (try? write(fallback, to: target, from: .null)) ?? false
    }
  }

  // MARK: Editing

  /// Tells the controller that the source holds something that the model does not.
  ///
  /// False where no controller is in between.
  @discardableResult
  func beginEditing(_ edge: EdgeIndex) -> Bool {
    if editor != nil { return true }
    guard opposite != nil, let controller = finder?.controller else { return false }
    let made = BindingEditor(table, edge, gate, of: controller)
    editor = made
    controller.objectDidBeginEditing(made)
    return true
  }

  /// Which of its controller's editors it is, in the order in which they came.
  var editorNumber: Int? { editor?.number }

  func endEditing() {
    guard let editor else { return }
    self.editor = nil
    editor.end()
  }

  /// Clears the error and ends the edit: the source holds again what the target does.
  func mend(_ edge: EdgeIndex) {
    let owner = table.graph.owner(of: edge)
    guard table.record(owner).pointee.flags & BindingRecord.failed != 0 else { return }
    table.succeed(owner)
    endEditing()
  }

  /// What the source holds was refused when another transfer with the same ends carried it, and is
  /// judged again: an edit goes on, with what is wrong with it.
  func holdRefused(_ edge: EdgeIndex, from source: Slot, to target: Slot) {
    check(edge, from: source, to: target)
    let owner = table.graph.owner(of: edge)
    if table.record(owner).pointee.flags & BindingRecord.failed != 0 { beginEditing(edge) }
  }

  /// Whether a value, carried, is what the target holds already.
  func isEcho(_ value: Value, to target: Slot) -> Bool {
    guard let destination = try? destination(of: target) else { return false }
    do {
      return try destination.converted(presented(value)) == destination.value
    } catch let pending as PendingValue {
      pending.cancel()
      return false
    } catch {
      return false
    }
  }

  // MARK: Carrying

  private func carry(from source: Slot, to target: Slot) throws -> Bool {
    let original = source.load()
    if case .path(let body) = self.source, !body.isResolved {
      // A path that leads nowhere yet is waited for; one that did lead somewhere leaves nothing stale.
      if !wasResolved && options?.fallback == nil && options?.null == nil { return false }
      return try write(options?.fallback ?? options?.null ?? .null, to: target, from: original)
    }
    wasResolved = true
    let value = try presented(original)
    return try assign(value, from: source, to: target, original)
  }

  /// Writes what a transformer has made in its time.
  private func carryOn(_ value: Value, from source: Slot, to target: Slot) throws -> Bool {
    try note(value)
    return try assign(shown(value), from: source, to: target, source.load())
  }

  /// Judges the source's value as if it were carried: what is wrong is told, and nothing is written.
  func check(_ edge: EdgeIndex, from source: Slot, to target: Slot) {
    let owner = table.graph.owner(of: edge)
    do {
      let value = try presented(source.load())
      guard !value.isUnchanged, let destination = try destination(of: target) else { return }
      let wanted = try judged(destination.converted(value), for: destination)
      if case .property(let object, let index) = destination {
        _ = try object.admitted(index, wanted)
      }
      table.succeed(owner)
    } catch let pending as PendingValue {
      pending.cancel()
    } catch {
      table.fail(owner, failure(error, from: source, to: target))
    }
  }

  /// What is told of an error: where a person has entered what the target cannot take, in the words
  /// that the target has for that.
  func failure(_ error: any Error, from source: Slot, to target: Slot) -> any Error {
    let error = (error as? Refusal)?.error ?? error
    let object: DataObject? =
      switch self.source {
      case .slot: source.blockHeader?.block as? DataObject
      case .path(let body): body.holder
      }
    guard let object, object.takesEdits,
      var failure = error as? TideError, failure.code.isOfValue, failure.location == nil
    else { return error }
    let destination = try? destination(of: target)
    if failure.code != .refused, destination?.takesEntries == false { return error }
    failure.isOfEdit = true
    if let message = destination?.messages?.text(for: source.load(), failure) {
      failure.message = message
    }
    return failure
  }

  private func assign(
    _ value: Value, from source: Slot, to target: Slot, _ original: Value
  ) throws -> Bool {
    if value.isUnchanged { return false }
    let isFirst = owesFirst
    owesFirst = false
    if try !isFirst && isEcho(from: source, to: target) { return false }
    return try write(value, to: target, from: original, echoTo: source)
  }

  /// Writes what a transformer made of the source's value.
  func deliver(_ value: Value, to target: Slot, from source: Slot) throws -> Bool {
    if value.isUnchanged { return false }
    return try write(value, to: target, from: source.load(), echoTo: source)
  }

  /// Whether the target's value, taken back, is what the source holds: then the target is not
  /// written, so that what a person typed stays as it was typed.
  ///
  /// Throws nothing but a value that takes its time.
  func isEcho(from source: Slot, to target: Slot) throws -> Bool {
    guard let opposite, let destination = try? destination(of: target) else { return false }
    do {
      let taken = try opposite.presented(destination.value)
      // This end may have a default in place of nothing, but this value has come from elsewhere.
      if taken.isNil || taken.isStateMarker, !isReverse,
        opposite.latestWrite != table.graph.latestWave
      {
        return taken == source.load()
      }
      return try opposite.converted(taken, for: source) == source.load()
    } catch let pending as PendingValue {
      throw pending
    } catch {
      return false
    }
  }

  /// The value with transformers and placeholders applied.
  private func presented(_ original: Value) throws -> Value {
    if let placeholder = options?.placeholder(for: original) { return placeholder }
    return shown(try transformed(original))
  }

  private func shown(_ value: Value) -> Value {
    if let null = options?.null, value == .null || isWithoutSelection(value) { return null }
    return options?.placeholder(for: value) ?? value
  }

  /// Whether nothing is selected, and the binding has nothing else to show for that.
  private func isWithoutSelection(_ value: Value) -> Bool {
    value == Marker.noSelection.value && options?.placeholder(for: value) == nil
  }

  /// Tells the object whose property it reads by a path from others; 0: it reads none's, or by none.
  var holderMark: Int { if case .path(let body) = source { body.holderMark } else { 0 } }

  /// Where it writes now, where a path leads there.
  var nestedDestination: Destination? { finder is PathFinder ? try? finder?.find() : nil }

  /// Writes a value to where the path led when it was entered.
  func carry(_ value: Value, to destination: Destination, from source: Slot, to target: Slot) {
    do {
      try destination.put(judged(destination.converted(presented(value)), for: destination))
    } catch {
      table.list(failure(error, from: source, to: target), at: target)
    }
  }

  /// What the target holds, wherever the path leads; nil while it leads nowhere.
  func held(in target: Slot) -> Value? { currentDestination(of: target)?.value }

  /// Where the target's value stands; nil while the path leads nowhere.
  func currentDestination(of target: Slot) -> Destination? { try? destination(of: target) }

  /// Writes a value as it is.
  func put(_ value: Value, into target: Slot) {
    guard let destination = try? destination(of: target) else { return }
    do {
      try destination.put(value)
    } catch {
      table.list(error, at: target)
    }
  }

  /// Asks the binding's own validator.
  private func judged(_ value: Value, for destination: Destination) throws -> Value {
    guard let validate = options?.validate else { return value }
    do {
      return try destination.converted(validate(value))
    } catch {
      throw Refusal(error: error)
    }
  }

  /// What a validator threw: the target is left alone, whatever there is to fall back to.
  private struct Refusal: Error {
    let error: any Error
  }

  private func transformed(_ value: Value) throws -> Value {
    guard let function, value.selectionMarker == nil else { return value }
    let result =
      edge == 0 ? try function(value) : try recording(along: edge) { try function(value) }
    try note(result)
    return result
  }

  /// Calls a function that transforms, and follows what it reads.
  @inline(__always)
  func recording<Result>(along edge: EdgeIndex, _ body: () throws -> Result) throws -> Result {
    guard let reads else { return try body() }
    return try reads._withUnsafeGuaranteedRef { try $0.record(for: edge, body) }
  }

  private func note(_ result: Value) throws {
    if case .string(let text) = result, text.utf8.count > Self.shortText {
      try table.noteMemory?(text.utf8.count)
    }
  }

  /// What is longer may multiply until memory is full.
  private static let shortText = 4096

  /// What this transfer would write to `end` for a value that it presents.
  private func converted(_ value: Value, for end: Slot) throws -> Value {
    try destination(of: end)?.converted(value) ?? value
  }

  /// What it writes at the end of an edge to `target`; nil where a path leads to nothing now.
  func destination(of target: Slot) throws -> Destination? {
    if let finder { return try finder.find() }
    let target = property ?? target
    guard let header = target.blockHeader, let object = header.block as? DataObject else {
      return nil
    }
    return .property(object, target - header - 1)
  }

  private func write(
    _ value: Value, to target: Slot, from original: Value, echoTo source: Slot? = nil
  ) throws -> Bool {
    if opposite != nil { latestWrite = table.graph.latestWave }
    guard let destination = try destination(of: target) else {
      if let sharer, finder != nil { table.leaveShared(by: sharer) }
      // The script may have let go of the target meanwhile.
      if target.isFree { return false }
      // A relay keeps the value until there is an object to write it to.
      let changed = target.store(value)
      return finder == nil && changed
    }
    var wanted = try judged(destination.converted(value), for: destination)
    guard case .property(let object, let index) = destination else {
      return try write(wanted, toEntry: destination, from: original)
    }
    let slot = object.slot(index)
    if let sharer, case .boolean(let flag) = wanted, let combination = slot.combination {
      wanted = .boolean(table.combined(flag, of: sharer, at: slot, combination))
    }
    if finder == nil && slot.pointee.access & ~Access.observed == 0 {
      let changed = slot.store(wanted)
      if changed { options?.observe?(object, wanted, original) }
      return changed
    }
    let admitted = try object.admitted(index, wanted)
    let changed = try object.store(index, admitted, settling: finder != nil)
    if changed { options?.observe?(object, admitted, original) }
    // The model clamped or replaced the value: the other end follows it.
    if admitted != wanted, let source {
      if let opposite { opposite.follow(slot, to: source) } else { wasReplaced = true }
    }
    return changed && finder == nil
  }

  private func write(
    _ value: Value, toEntry destination: Destination, from original: Value
  ) throws -> Bool {
    guard case .entry(let object, let name) = destination, value != destination.value else {
      return false
    }
    guard try object.setDynamicValue(value, of: name) else {
      throw TideError(.readOnly, "\(object.label).\(name) is read only")
    }
    options?.observe?(object, value, original)
    return false
  }

  /// Lets the source follow the target, which took another value, where the way back copies.
  private func followTarget(of edge: EdgeIndex, _ owner: UInt32) {
    wasReplaced = false
    let ends = table.record(owner).pointee
    let back = ends.edge == edge ? ends.reverse : ends.edge
    if back != 0 { table.graph.fire(back) }
  }

  private func follow(_ slot: Slot, to source: Slot) {
    // A computed one has been told of the change, but is evaluated when it is read.
    if slot.isDerived { try? table.graph.refresh(slot) }
    guard let destination = try? destination(of: source),
      let value = try? destination.converted(presented(slot.load()))
    else { return }
    put(value, into: source)
  }
}

/// Those of a binding's options that look at its values.
private final class Presentation {
  private let options: BindingOptions

  init(_ options: BindingOptions) { self.options = options }

  var null: Value? { options.null }
  var fallback: Value? { options.fallback }
  var validate: ((Value) throws -> Value)? { options.validate }
  var observe: ((DataObject?, Value, Value) -> Void)? { options.observe }
  func placeholder(for value: Value) -> Value? { options.placeholder(for: value) }
}
