public import CTideSlots
package import TideValues

/// The dependency graph of one actor or thread: slots, the edges between them, and the code that
/// runs on a change.
///
/// ```swift
/// let graph = Graph.current
/// let width = graph.signal(2), height = graph.signal(3)
/// let area = graph.computed { width.value * height.value }
/// let effect = graph.effect { print(area.value) }   // 6
/// width.value = 4                                    // 12
/// ```
///
/// Slots and edges are records that never move, edges form intrusive linked lists, and propagation
/// is iterative with almost no allocation:
///
///     slot a ──firstOut──▶ edge a→b ──nextOut──▶ edge a→c        (the dependents of a)
///     slot c ──firstIn───▶ edge a→c ──nextIn───▶ edge b→c        (the dependencies of c)
///
/// Along bindings a change propagates at once, depth first. Computed slots and slots with several
/// bindings are queued in buckets by height, so each is evaluated once per wave, after all its
/// dependencies. Effects and observers run last. A computed slot that no effect or observer depends
/// on is only marked, and evaluated when read. Heights are an idea of Jane Street's Incremental;
/// reusing edges in the order of reads is one of alien-signals.
public final class Graph {
  @usableFromInline let arena: UnsafeMutablePointer<TideArena>
  @usableFromInline let slots: UnsafeMutablePointer<TideSlot>
  @usableFromInline let edges: UnsafeMutablePointer<TideEdge>
  let state: UnsafeMutablePointer<GraphState>
  /// The working tables of walks; they may move when they grow.
  let tables: UnsafeMutablePointer<TideTables>
  let waiting: HeightQueue
  let bodies: BodyTable
  var largeFreeBlocks: [UInt32: [UInt32]] = [:]
  /// Whether an interpreter uses the graph.
  package var isAdopted = false
  /// The owner's other graphs, if this is its first.
  var siblings: [Graph] = []
  /// The owner's first graph, if this is another one.
  var elder: Graph?
  /// The host's table for this graph, which lives as long as the graph.
  package var attachment: AnyObject?
  /// The host. It lives as long as the graph, because the attachment retains it.
  package unowned(unsafe) var host: (any GraphHost)?
  /// Reads the changes of observable objects when the graph settles.
  package var drainObserved: (() -> Void)?
  /// Whether edges that are enabled do not deliver missed changes.
  var forgetsMissed = false
  package var observedChanges: AnyObject?
  /// Stores `wake`, for callers that may outlive the graph.
  package let waker = Guarded<(@Sendable () -> Void)?>(nil)
  /// Asks the graph's owner to settle soon; any thread may call it.
  package var wake: (@Sendable () -> Void)? {
    get { waker.withLock { $0 } }
    set { waker.withLock { $0 = newValue } }
  }
  /// Called on the graph's thread when a watched slot is the first to change since `drainTouched`.
  package var onTouch: (() -> Void)?

  /// Reserves memory for a separate graph. Keep it until all its objects are released: objects do
  /// not retain their graph.
  ///
  /// Throws `CapacityError` if the system refuses even 100 KiB of address space.
  package init() throws(CapacityError) {
    guard let arena = tide_arena_reserve() else { throw CapacityError() }
    self.arena = arena
    slots = arena.pointee.slots
    edges = arena.pointee.edges
    state = .allocate(capacity: 1)
    state.initialize(to: GraphState())
    tables = tide_arena_tables(arena)
    waiting = HeightQueue(tables)
    bodies = BodyTable(arena)
    arena.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
    arena.pointee.owningID = UnsafeRawPointer(bitPattern: tide_thread_identity())
  }

  deinit {
    forgetAttachments()
    // Before the strings: releasing a body may free slots.
    bodies.releaseAll()
    bodies.end()
    releaseText()
    state.deinitialize(count: 1)
    state.deallocate()
    tide_arena_release(arena)
  }

  /// Releases the strings in slots that were not freed. Objects keep their graph.
  private func releaseText() {
    for index in 1..<Int(arena.pointee.slotCount) {
      let tag = slots[index].tag
      if tag == Tag.string || tag == Tag.bytes { (slots + index).releasePayload() }
    }
  }

  @inline(__always)
  static func of(_ arena: UnsafeMutablePointer<TideArena>) -> Graph {
    guard let owner = arena.pointee.owner else { preconditionFailure("an arena without a graph") }
    return Unmanaged<Graph>.fromOpaque(owner).takeUnretainedValue()
  }

  @inline(__always)
  package static func of(_ slot: Slot) -> Graph { of(tide_arena_of(slot)) }

  /// Calls a function with a slot's graph without retaining it.
  @inline(__always)
  static func with<R>(_ slot: Slot, _ body: (Graph) -> R) -> R {
    guard let owner = tide_arena_of(slot).pointee.owner else {
      preconditionFailure("an arena without a graph")
    }
    return Unmanaged<Graph>.fromOpaque(owner)._withUnsafeGuaranteedRef(body)
  }

  /// Whether a computed value is being evaluated or a binding is transferring a value.
  package var isEvaluating: Bool { arena.pointee.isRunning || arena.pointee.evaluating > 0 }

  /// Whether a change is propagating or waits for the end of a batch.
  package var isInWave: Bool { isBusy || arena.pointee.batch > 0 }

  /// Whether a change is propagating.
  package var isBusy: Bool {
    arena.pointee.isRunning || arena.pointee.evaluating > 0 || arena.pointee.isFlushing
  }
}
