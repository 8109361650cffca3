// The notification after a change is not public Swift. The public one comes before the change, when
// another thread would read the former value and miss the change.
@_spi(SwiftUI) import Observation
import TideGraph
import TideValues

/// A read of an observable object that is evaluated again when the object has changed.
// Unchecked, because other threads only access `isQueued`, under the queue's lock.
final class ObservedEntry: @unchecked Sendable {
  private let queue: ObservedChanges
  private let owner: ObjectHandle
  private let index: Int?
  fileprivate var isQueued = false

  /// For a property of a model.
  init(_ model: DataObject, _ name: String) {
    queue = .of(model.graph)
    owner = ObjectHandle(model)
    index = model.shape.index(of: name)
  }

  /// For the contents of a list.
  init(_ list: LiveList) {
    queue = .of(list.graph)
    owner = ObjectHandle(list)
    index = nil
  }

  /// The slot to evaluate again; nil once its object is gone.
  fileprivate var slot: Slot? {
    guard let object = owner.object else { return nil }
    return index.map { object.slot($0) } ?? (object as? LiveList)?.versionSlot
  }

  /// The maximum number of reads of a value that other threads keep changing.
  private static let mostReadings = 8

  /// Reads a value, and notifies the queue of the value's next change.
  func observing<Content>(
    _ read: () -> Content, areSame: (Content, Content) -> Bool
  ) -> Content {
    var content = observed(read)
    // A change by another thread between the read and its registration is not reported.
    for _ in 0..<Self.mostReadings {
      let again = read()
      if areSame(content, again) { return again }
      content = observed(read)
    }
    return content
  }

  private func observed<Content>(_ read: () -> Content) -> Content {
    withObservationTracking(
      read,
      didSet: { [self] tracking in
        tracking.cancel()
        queue.add(self)
      })
  }
}

/// Reads an observable object for a property.
final class ObservedBody: ComputedBody {
  private let entry: ObservedEntry
  private let read: () -> Value

  init(_ entry: ObservedEntry, _ read: @escaping () -> Value) {
    self.entry = entry
    self.read = read
  }

  override func evaluate(_ slot: Slot) throws -> Bool {
    let graph = Graph.of(slot)
    let value = graph.entered {
      graph.untracked { entry.observing(read) { $0.mayEqual($1) } }
    }
    return slot.store(value)
  }
}

/// The changes since the graph last settled. Any thread may add to them.
final class ObservedChanges: Sendable {
  private struct State {
    var waiting: [ObservedEntry] = []
    /// Nil once the graph is gone; objects may still change then.
    var graph: ThreadBound<Unmanaged<Graph>>?
    var isDraining = false
  }

  private let state: Guarded<State>
  private let waker: Guarded<(@Sendable () -> Void)?>

  private init(_ graph: Graph) {
    // The graph keeps this object alive.
    let graphReference = ThreadBound(Unmanaged.passUnretained(graph))
    state = Guarded(State(graph: graphReference))
    waker = graph.waker
  }

  static func of(_ graph: Graph) -> ObservedChanges {
    if let known = graph.observedChanges as? Attachment { return known.changes }
    let made = ObservedChanges(graph)
    graph.observedChanges = Attachment(made)
    graph.drainObserved = { [unowned graph] in made.drain(graph) }
    return made
  }

  /// The graph's attachment, which closes the queue when the graph is gone.
  private final class Attachment {
    let changes: ObservedChanges
    init(_ changes: ObservedChanges) { self.changes = changes }
    deinit { changes.state.withLock { $0.graph = nil } }
  }

  /// Records a change. On the graph's own thread, readers get the new value from now on; other
  /// threads wake the graph's owner.
  fileprivate func add(_ entry: ObservedEntry) {
    let graph = state.withLock { state in
      let graph = state.graph
      return graph?.value._withUnsafeGuaranteedRef { $0.isHere } == true ? graph : nil
    }
    if let graph = graph?.value.takeUnretainedValue() {
      // A slot without dependents is not evaluated until it is read.
      guard let slot = entry.slot, graph.expire(slot) else { return }
      graph.setHasLeftovers()
      if enqueue(entry) { graph.onTouch?() }
    } else if enqueue(entry) {
      waker.withLock { $0 }?()
    }
  }

  /// Returns true for the first waiting entry.
  private func enqueue(_ entry: ObservedEntry) -> Bool {
    state.withLock { state in
      if entry.isQueued || state.graph == nil { return false }
      entry.isQueued = true
      state.waiting.append(entry)
      return state.waiting.count == 1
    }
  }

  private func takeWaiting() -> [ObservedEntry] {
    state.withLock { state in
      for entry in state.waiting { entry.isQueued = false }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
  }

  private static let mostRounds = 100

  /// Reads the changed values and settles their dependents, until nothing changes any more.
  private func drain(_ graph: Graph) {
    let isIdle = state.withLock { state in
      if state.isDraining || state.waiting.isEmpty { return false }
      state.isDraining = true
      return true
    }
    guard isIdle else { return }
    defer { state.withLock { $0.isDraining = false } }
    for round in 0...Self.mostRounds {
      let entries = takeWaiting()
      if entries.isEmpty { return }
      graph.batch {
        for entry in entries {
          guard let slot = entry.slot, graph.expire(slot) else { continue }
          if round == Self.mostRounds { graph.reportUnsettled(slot) }
          // Its readers get the error.
          try? graph.refresh(slot)
        }
      }
    }
  }
}
