package import CTideSlots

// The owner of a graph is a serial executor or a thread. A serial executor is an actor, several
// actors that share a custom one, or the main actor; a thread owns a graph for code outside of any
// task. Code that never runs concurrently may share a graph, even on several threads.
//
//     entered by a turn?  ──▶ the turn's graph
//     an executor runs?   ──▶ the main graph, or the one of the executor's address
//     no task?            ──▶ the main graph on the initial thread, else the thread's own
//     a task on no actor  ──▶ none: nothing says that it runs alone

extension Graph {
  /// The graph of the current executor or thread; nil in a task that is on no actor.
  package static var here: Graph? {
    if let known = knownHere { return known }
    return try? find()
  }

  /// The graph of the current executor or thread; nil in a task that is on no actor.
  ///
  /// Throws `CapacityError` if a graph must be created and the system refuses memory.
  package static func findHere() throws(CapacityError) -> Graph? {
    if let known = knownHere { return known }
    return try find()
  }

  /// The graph that was entered, or the one last found on this thread.
  private static var knownHere: Graph? {
    if let entered = tide_thread().pointee.entered { return of(entered) }
    guard let executor = tide_executor_identity(), let found = tide_thread_found(executor)
    else { return nil }
    return of(found)
  }

  /// The graph of the current executor or thread. A task that is on no actor has a graph of its
  /// own, which no other code can use. Operations that can throw refuse to work there.
  ///
  /// Traps if a graph must be created and the system refuses memory.
  public static var current: Graph {
    orStop { () throws(CapacityError) in
      if let here = try findHere() { return here }
      return try ExecutorGraphs.graph(ofTask: tide_task_identity())
    }
  }

  @inline(never)
  private static func find() throws(CapacityError) -> Graph? {
    let thread = tide_thread()
    var isMain = false
    let executor = tide_executor_find(&isMain)
    if let executor {
      let retirements = tide_count_retirements()
      let graph = isMain ? ExecutorGraphs.main : try ExecutorGraphs.graph(of: executor)
      tide_thread_note_found(executor, graph.arena, retirements)
      return graph
    }
    if tide_task_identity() != nil, !tide_counts_tasks_as_threads() || IsolationRule.isStrict {
      return nil
    }
    if let own = thread.pointee.own { return of(own) }
    if tide_thread_is_main() {
      thread.pointee.own = ExecutorGraphs.main.arena
      return ExecutorGraphs.main
    }
    if let pinned = thread.pointee.pinned {
      let graph = try ExecutorGraphs.graph(of: pinned)
      thread.pointee.own = graph.arena
      return graph
    }
    OrphanGraphs.release()
    let graph = try make()
    // The graph lives at least as long as the thread, because its objects may outlive any owner.
    ThreadGraphs.keep(graph)
    thread.pointee.own = graph.arena
    return graph
  }

  /// Creates a graph. If memory is low, releases graphs without owners first.
  private static func make() throws(CapacityError) -> Graph {
    do { return try Graph() } catch { OrphanGraphs.release(all: true) }
    return try Graph()
  }

  /// Creates a graph; traps if the system refuses memory.
  static func makeOrStop() -> Graph { orStop { () throws(CapacityError) in try make() } }

  private static func orStop(_ find: () throws(CapacityError) -> Graph) -> Graph {
    do { return try find() } catch {
      preconditionFailure(
        "the system refuses memory for another property graph; raise ulimit -v or vm.max_map_count")
    }
  }

  /// Whether the current executor or thread may use the graph.
  package var isHere: Bool { tide_arena_is_here(arena) }

  /// Identifies the graph without retaining it.
  package var arenaAddress: UnsafeMutablePointer<TideArena> { arena }

  /// Runs a function in which reads are not recorded.
  package static func untracked<Result>(
    at slot: Slot, _ body: () throws -> Result
  ) rethrows -> Result {
    guard slot.isUnjoined else { return try of(slot).untracked(body) }
    return try tracking?.untracked(body) ?? body()
  }

  /// Sets the owner of another graph as the owner of this one.
  func share(ownerOf other: Graph) {
    arena.pointee.owning = other.arena.pointee.owning
    arena.pointee.owningID = other.arena.pointee.owningID
    arena.pointee.owningMark = other.arena.pointee.owningMark
  }

  /// Whether an actor owns the graph, so that using the graph blocks the actor's other work.
  package var isActors: Bool {
    switch arena.pointee.owning {
    case UInt32(TIDE_OWNER_MAIN), UInt32(TIDE_OWNER_EXECUTOR): true
    default: false
    }
  }

  /// The owner of the graph, for messages.
  package var ownerName: String {
    switch arena.pointee.owning {
    case UInt32(TIDE_OWNER_MAIN): "the main actor"
    case UInt32(TIDE_OWNER_EXECUTOR): "another actor"
    case UInt32(TIDE_OWNER_TASK): "a task that is on no actor"
    default: "another thread"
    }
  }

  /// The graph in which the running code's reads are recorded; nil if they are not recorded.
  static var tracking: Graph? {
    guard let here else { return nil }
    if here.isTracking { return here }
    let first = here.first
    if first.isTracking { return first }
    return first.siblings.first { $0.isTracking }
  }
}

// MARK: Entering

extension Graph {
  /// Runs a function that creates its objects in this graph and uses the graph's objects.
  package func entered<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = enter()
    defer { Graph.leave(to: outer) }
    return try body()
  }

  /// Whether the current thread has entered a graph.
  package static var isEntered: Bool { tide_thread().pointee.entered != nil }

  /// Enters the graph until `leave(to:)` is called on the same thread, without suspension in
  /// between. Returns the graph that was entered before.
  package func enter() -> EnteredGraph {
    let thread = tide_thread()
    let outer = thread.pointee.entered
    thread.pointee.entered = arena
    // Outside of turns, a thread's code creates its objects in the graph of the runtime that it
    // used last.
    if let own = thread.pointee.own, own != arena, own.pointee.owning == arena.pointee.owning,
      own.pointee.owningID == arena.pointee.owningID,
      own.pointee.owningMark == arena.pointee.owningMark
    {
      thread.pointee.own = arena
    }
    return EnteredGraph(arena: outer)
  }

  package static func leave(to outer: EnteredGraph) { tide_thread().pointee.entered = outer.arena }
}

/// The graph that was entered before another one.
package struct EnteredGraph {
  let arena: UnsafeMutablePointer<TideArena>?
}

/// Whether tasks on no actor are rejected even where they count as code of their thread; for tests.
package enum IsolationRule {
  @TaskLocal package static var isStrict = false
}

extension Graph {
  /// Returns a graph for a new interpreter: the current owner's graph, or, if another interpreter
  /// uses it, a graph whose interpreter no longer exists or a new graph of the same owner.
  ///
  /// Throws `OwnerlessError` in a task that is on no actor, and `CapacityError`.
  package static func adopt() throws -> Graph {
    guard let here = try findHere() else { throw OwnerlessError() }
    let first = here.first
    let found = first.isAdopted ? first.siblings.first { !$0.isAdopted } : first
    let graph = try found ?? first.makeSibling()
    graph.isAdopted = true
    return graph
  }

  /// The first graph of this graph's owner.
  var first: Graph { elder ?? self }

  private func makeSibling() throws(CapacityError) -> Graph {
    let made = try Graph.make()
    made.share(ownerOf: self)
    made.elder = self
    siblings.append(made)
    return made
  }

  /// Clears the slots' references to an interpreter that no longer exists.
  package func forgetLua() {
    for index in 1..<Int(max(1, arena.pointee.slotCount)) {
      slots[index].cache = 0
    }
    arena.pointee.deadCount = 0
  }
}

/// A task that is on no actor has no graph, because its code may run concurrently with other code.
package struct OwnerlessError: Error {}
