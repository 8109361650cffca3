import CTideSlots
import TideGraph

/// Carries values from one end of a binding to the other: applies transformers and placeholders,
/// converts to the target's type, validates, and suppresses the echoes of a two-way binding.
final class BindingTransfer: TransformBody {
  unowned(unsafe) let table: BindingTable
  let function: AnyTransformer.Function?
  let source: Source
  /// Placeholders, validator and callback of the binding; nil for most bindings.
  let options: Presentation?
  /// The asynchronous result that it waits for; nil for most bindings.
  var late: LateValue?
  /// Decides when values are carried; nil: at once.
  unowned(unsafe) var gate: Gate?
  /// Whether the path has ever been resolved.
  private var wasResolved = false
  /// Whether it has yet to carry its first value, which cannot be an echo from the other end.
  var owesFirst = false
  /// The transfer of the other direction.
  unowned(unsafe) var opposite: BindingTransfer?
  /// Whether it goes from the second end of a two-way binding to the first.
  var isReverse = false
  /// Whether it writes the target even if that reads as the same value.
  var isRewriting = false
  /// The wave in which it last wrote the source of the opposite transfer.
  private var latestWrite: UInt32 = 0
  /// Whether the target replaced the written value by another one.
  private var wasReplaced = false
  /// The property that it writes, if known.
  var property: Slot?
  /// Whether its target shows a mark for nil.
  var hasMarked = false
  /// The binding's record, when other bindings may share the property that it writes.
  var sharer: UInt32?
  /// Carries the value again when its transformed value changes with time.
  var renewal: ValueRenewal?
  /// Finds the destination when that is not the edge's own target.
  let finder: DestinationFinder?
  /// The reads of its transformers; nil when they are not recorded. Retained by hand, because
  /// reference counting would take a large part of a transfer's time.
  var reads: Unmanaged<TransformerReads>?
  /// The edge along which it is carrying, while reads are recorded.
  private var edge: EdgeIndex = 0
  /// The holder whose model has changed the text that a user is typing: the view shows the
  /// model's text when the editing ends. Nil while both texts are the same.
  private var replacedHolder: Int?
  /// The draft registered with its controller: edited, and not yet in the model.
  var editor: BindingEditor?
  /// Cancels the wait for the end of the typing, after which the view shows the model's value.
  var stopAwaitingResult: (() -> Void)?

  /// The origin of the value that the target shows; nil while it shows no value of this binding.
  var origin: ValueOrigin?
  /// The target's value from before the user began to type; nil for none.
  var original: EditOriginal?
  /// The value left in the target while the binding has none for it; nil otherwise.
  var left: Value?
  /// The holder of the value that the source showed when its input was refused; nil for none.
  var refusedHolder: Int?

  /// Records the reads of the transformers, so that a change of any of them carries the value
  /// again.
  func recordReads() {
    if function != nil { reads = .passRetained(TransformerReads(table)) }
  }

  /// Carries even an equal value when the path leads to another object than before.
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
    super.init()
    // A transformer may fail for one object and succeed for another one with an equal value.
    if function != nil { followHolder() }
  }

  deinit {
    opposite?.opposite = nil
    late?.pending?.cancel()
    editor?.end()
    stopAwaitingResult?()
    reads?.release()
  }

  override func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool {
    let owner = table.graph.owner(of: edge)
    if reads != nil { self.edge = edge }
    defer { self.edge = 0 }
    do {
      if isRestricted, try withholds(edge, from: source, to: target) { return false }
      let arrived = takeArrived()
      if let failure = table.graph.currentFailure(of: source) { throw failure }
      let changed =
        try arrived.map { try carryOn($0.get(), from: source, to: target) }
        ?? carry(from: source, to: target)
      table.succeed(owner)
      noteValue(from: source, to: target, owner)
      if wasReplaced { followTarget(of: edge, owner) }
      showResult(from: source, to: target, owner)
      renewal?.plan(for: source.load(), of: edge, in: table)
      endEditing()
      return changed
    } catch let pending as PendingValue {
      wait(for: pending, edge, owner)
      return false
    } catch is BlockedError {
      // A value that it reads is not up to date yet. It carries again once that value is.
      return false
    } catch {
      let isChanged = fail(with: error, from: source, to: target, owner)
      beginEditing(edge)
      return isChanged
    }
  }

  /// Whether carrying a value would leave the target unchanged.
  func leavesUnchanged(_ target: Slot, writing value: Value) -> Bool {
    guard let destination = try? destination(of: target) else { return false }
    do {
      let presented = try presented(value)
      // Nil becomes the initial value of a property that cannot be nil; the user has not
      // entered that value.
      if presented.isNil { return destination.value.isNil }
      let wanted = try fitted(presented, to: destination)
      return try wanted == destination.value || admitted(wanted, for: target) == destination.value
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
      // A path that was never resolved is waited for; one that was must leave no stale value.
      if !wasResolved && options?.fallback == nil && options?.null == nil { return false }
      return try write(options?.fallback ?? valueForNull, to: target, from: original)
    }
    wasResolved = true
    let value = try presented(original)
    return try assign(value, from: source, to: target, original)
  }

  /// Writes the result of an asynchronous transformer.
  private func carryOn(_ value: Value, from source: Slot, to target: Slot) throws -> Bool {
    try note(value)
    return try assign(shown(value), from: source, to: target, source.load())
  }

  /// Validates the source's value as if it were carried: errors are reported, and nothing is
  /// written.
  func check(_ edge: EdgeIndex, from source: Slot, to target: Slot) {
    let owner = table.graph.owner(of: edge)
    do {
      let value = try presented(source.load())
      guard !value.isUnchanged, let destination = try destination(of: target) else { return }
      let wanted = try judged(fitted(value, to: destination), for: destination)
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

  private func assign(
    _ value: Value, from source: Slot, to target: Slot, _ original: Value
  ) throws -> Bool {
    if value.isUnchanged { return false }
    let isFirst = owesFirst
    owesFirst = false
    if try !isFirst && !isRewriting && isEcho(from: source, to: target) { return false }
    return try write(value, to: target, from: original, echoTo: source)
  }

  /// Writes the transformed value of the source.
  func deliver(_ value: Value, to target: Slot, from source: Slot) throws -> Bool {
    if value.isUnchanged { return false }
    return try write(value, to: target, from: source.load(), echoTo: source)
  }

  /// Whether the target's value, reversed, equals the source's: then the target is not written, so
  /// that typed text stays as it was typed.
  ///
  /// Throws only `PendingValue`.
  func isEcho(from source: Slot, to target: Slot) throws -> Bool {
    guard let opposite, let destination = try? destination(of: target) else { return false }
    do {
      let taken = try opposite.presented(destination.value)
      // The source may have a default for nil, but its value did not come from the target.
      if taken.isNil || taken.isStateMarker, !isReverse,
        opposite.latestWrite != table.graph.latestWave
      {
        return taken == source.load()
      }
      let held = source.load()
      let wanted = try opposite.converted(taken, for: source)
      if wanted == held { return true }
      // The model would hold the same value for the text being typed.
      return try replacedHolder == holderMark && isText(target)
        && opposite.admitted(wanted, for: source) == held
    } catch let pending as PendingValue {
      throw pending
    } catch {
      return false
    }
  }

  /// The value with transformers and placeholders applied.
  func presented(_ original: Value) throws -> Value {
    if let placeholder = options?.placeholder(for: original) { return placeholder }
    return shown(try transformed(original))
  }

  /// Identifies the object whose property it reads by a path; 0: it reads none, or not by a path.
  var holderMark: Int { if case .path(let body) = source { body.holderMark } else { 0 } }

  /// The present destination, if it writes through a path.
  var nestedDestination: Destination? { finder is PathFinder ? try? finder?.find() : nil }

  /// The value of a destination as the opposite direction of the binding would show it; nil if that
  /// direction cannot convert it.
  func counterpart(of destination: Destination, at source: Slot) -> Value? {
    // A direction that copies has no transfer.
    guard let opposite else { return function == nil ? destination.value : nil }
    guard let shown = try? opposite.presented(destination.value) else { return nil }
    return try? opposite.converted(shown, for: source)
  }

  /// The value at the end of the target's path; nil while the path is unresolved.
  func held(in target: Slot) -> Value? { currentDestination(of: target)?.value }

  /// The target's destination; nil while the path is unresolved.
  func currentDestination(of target: Slot) -> Destination? { try? destination(of: target) }

  /// Writes a value without transforming it.
  func put(_ value: Value, into target: Slot) {
    guard let destination = try? destination(of: target) else { return }
    do {
      try destination.put(value)
    } catch {
      table.list(error, at: target)
    }
  }

  /// Applies the binding's own validator.
  func judged(_ value: Value, for destination: Destination) throws -> Value {
    guard let validate = options?.validate else { return value }
    do { return try destination.converted(validate(value)) } catch { throw Refusal(error: error) }
  }

  /// An error that a validator threw: the target is left alone, even if there is a fallback.
  struct Refusal: Error {
    let error: any Error
  }

  var hasTransformer: Bool { function != nil }

  private func transformed(_ value: Value) throws -> Value {
    guard let function, value.selectionMarker == nil else { return value }
    let result =
      edge == 0 ? try function(value) : try recording(along: edge) { try function(value) }
    try note(result)
    return result
  }

  /// Calls a transformer, recording what it reads.
  @inline(__always)
  func recording<Result>(along edge: EdgeIndex, _ body: () throws -> Result) throws -> Result {
    guard let reads else { return try body() }
    return try reads._withUnsafeGuaranteedRef { try $0.record(for: edge, body) }
  }

  private func note(_ result: Value) throws {
    if case .string(let text) = result, text.utf8.count > Self.shortText {
      try table.hooks.noteMemory?(text.utf8.count)
    }
  }

  /// Texts above this size in bytes are checked against the memory limit: transformers could
  /// multiply them.
  private static let shortText = 4096

  /// The value that this transfer would write to `end` for a presented value.
  func converted(_ value: Value, for end: Slot) throws -> Value {
    guard let destination = try destination(of: end) else { return value }
    return try fitted(value, to: destination)
  }

  /// The value that an endpoint would store for a given one.
  private func admitted(_ value: Value, for end: Slot) throws -> Value {
    guard let destination = try destination(of: end) else { return value }
    let wanted = try judged(value, for: destination)
    guard case .property(let object, let index) = destination else { return wanted }
    return try object.admitted(index, wanted)
  }

  /// Whether a property is the text of a view that a user is editing.
  private func isText(_ slot: Slot) -> Bool {
    guard case .string = slot.load(), let editing = slot.blockHeader?.block as? any TextEditing
    else { return false }
    return editing.isBeingEdited
  }

  /// The value in the form in which a destination holds it. A transformer's arithmetic may have
  /// missed an integer by rounding.
  func fitted(_ value: Value, to destination: Destination) throws -> Value {
    guard function != nil, case .number = value, destination.isInteger else {
      return try destination.converted(value)
    }
    return try destination.converted(value.withoutRounding)
  }

  /// The destination of an edge to `target`; nil while the path is unresolved.
  func destination(of target: Slot) throws -> Destination? {
    if let finder { return try finder.find() }
    let target = property ?? target
    guard let header = target.blockHeader, let object = header.block as? DataObject else {
      return nil
    }
    return .property(object, target - header - 1)
  }

  func write(
    _ value: Value, to target: Slot, from original: Value, echoTo source: Slot? = nil
  ) throws -> Bool {
    if opposite != nil { latestWrite = table.graph.latestWave }
    guard let destination = try destination(of: target) else {
      if let sharer, finder != nil { table.leaveShared(by: sharer) }
      // The script may have released the target meanwhile.
      if target.isFree { return false }
      // A relay keeps the value until there is an object to write to.
      let changed = target.store(value)
      return finder == nil && changed
    }
    var wanted = try judged(fitted(value, to: destination), for: destination)
    guard case .property(let object, let index) = destination else {
      return try write(wanted, toEntry: destination, from: original)
    }
    mark(value, in: object, at: index)
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
    // A text that is being typed stays as it is. When the editing ends it becomes the model's text.
    var isTyped = false
    if admitted != wanted, case .string = admitted, let source, isText(source) {
      isTyped = true
      if let opposite { opposite.replacedHolder = opposite.holderMark }
    }
    let changed = try object.store(index, admitted, settling: finder != nil)
    if changed { options?.observe?(object, admitted, original) }
    // The model clamped or replaced the value: the other end follows it.
    if admitted != wanted, !isTyped, let source {
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

  /// Lets the source follow the target, which holds another value, when the opposite direction
  /// copies.
  private func followTarget(of edge: EdgeIndex, _ owner: UInt32) {
    wasReplaced = false
    let ends = table.record(owner).pointee
    let back = ends.edge == edge ? ends.reverse : ends.edge
    if back != 0 { table.graph.fire(back) }
  }

  private func follow(_ slot: Slot, to source: Slot) {
    // A computed source has been invalidated, but is evaluated when it is read.
    if slot.isDerived { try? table.graph.refresh(slot) }
    guard let destination = try? destination(of: source),
      let value = try? fitted(presented(slot.load()), to: destination)
    else { return }
    put(value, into: source)
  }
}

/// The options of a binding that concern its values.
final class Presentation {
  private let options: BindingOptions

  init(_ options: BindingOptions) { self.options = options }

  var null: Value? { options.null }
  var fallback: Value? { options.fallback }
  var validate: ((Value) throws -> Value)? { options.validate }
  var observe: ((DataObject?, Value, Value) -> Void)? { options.observe }
  func placeholder(for value: Value) -> Value? { options.placeholder(for: value) }
}
