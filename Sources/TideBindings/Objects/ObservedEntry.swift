// The notification after a change has been made is not public Swift: the public one comes before
// it, when another thread would read the former value, and would not hear of the change again.
@_spi(SwiftUI) import Observation
import TideGraph
import TideValues

/// One thing that is read from an observable object, and evaluated again when it has changed.
// Unchecked, because other threads touch nothing but `isQueued`, under the queue's lock.
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

  /// What is to be evaluated again; nil once its object is gone.
  fileprivate var slot: Slot? {
    guard let object = owner.object else { return nil }
    return index.map { object.slot($0) } ?? (object as? LiveList)?.versionSlot
  }

  /// How often a value is read again that other threads change while it is read.
  private static let mostReadings = 8

  /// Reads a value and tells the queue when that value changes next.
  func observing<Content>(
    _ read: () -> Content, areSame: (Content, Content) -> Bool
  ) -> Content {
    var content = observed(read)
    // A change by another thread is not noticed between the reading and its registration.
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

/// What has changed since the graph settled last; any thread adds to it.
final class ObservedChanges: Sendable {
  private struct State {
    var waiting: [ObservedEntry] = []
    /// Nil once it is gone, while objects may still change.
    var graph: ThreadBound<Unmanaged<Graph>>?
    var isDraining = false
  }

  private let state: Guarded<State>
  private let waker: Guarded<(@Sendable () -> Void)?>

  private init(_ graph: Graph) {
    // It keeps this.
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

  /// What the graph keeps: it closes the queue when the graph goes.
  private final class Attachment {
    let changes: ObservedChanges
    init(_ changes: ObservedChanges) { self.changes = changes }
    deinit { changes.state.withLock { $0.graph = nil } }
  }

  /// Notes that something has changed. Whoever uses the graph reads it anew from now on; others
  /// wake the graph's owner.
  fileprivate func add(_ entry: ObservedEntry) {
    let graph = state.withLock { state in
      let graph = state.graph
      return graph?.value._withUnsafeGuaranteedRef { $0.isHere } == true ? graph : nil
    }
    if let graph = graph?.value.takeUnretainedValue() {
      // What nothing depends on is evaluated when it is read, and not before.
      guard let slot = entry.slot, graph.expire(slot) else { return }
      graph.setHasLeftovers()
      if enqueue(entry) { graph.onTouch?() }
    } else if enqueue(entry) {
      waker.withLock { $0 }?()
    }
  }

  /// True for the first one that waits.
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

  /// Reads what has changed, and settles what depends on it, until nothing changes any more.
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
          // Its failure is that of whoever reads it.
          try? graph.refresh(slot)
        }
      }
    }
  }
}
