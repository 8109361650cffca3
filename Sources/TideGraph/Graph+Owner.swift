package import CTideSlots

// Whom a graph belongs to: a serial executor, which is an actor, several that share a custom one,
// or the main actor; or a thread, for code that runs outside of any task. What runs one after
// another may share a graph, on whatever threads that is.
//
//     entered by a turn?  ──▶ the turn's graph
//     an executor runs?   ──▶ the main graph, or the one of the executor's address
//     no task?            ──▶ the main graph on the initial thread, else the thread's own
//     a task on no actor  ──▶ none: nothing says that it runs alone

extension Graph {
  /// The graph of whoever runs here; nil in a task that is on no actor.
  package static var here: Graph? {
    if let known = knownHere { return known }
    return try? find()
  }

  /// The graph of whoever runs here; nil in a task that is on no actor.
  ///
  /// Throws `CapacityError` when a graph has to be made and the system refuses memory.
  package static func findHere() throws(CapacityError) -> Graph? {
    if let known = knownHere { return known }
    return try find()
  }

  /// The graph that was entered, or the one that was found last on this thread.
  private static var knownHere: Graph? {
    if let entered = tide_thread().pointee.entered { return of(entered) }
    guard let executor = tide_executor_identity(), let found = tide_thread_found(executor)
    else { return nil }
    return of(found)
  }

  /// The graph of whoever runs here. In a task that is on no actor it is the task's own, which
  /// nobody else can use; what can throw refuses to work there.
  ///
  /// Stops the program when a graph has to be made and the system refuses memory.
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
    // It lives at least as long as the thread: objects on it may outlive any owner.
    ThreadGraphs.keep(graph)
    thread.pointee.own = graph.arena
    return graph
  }

  /// Makes a graph. When memory is short, it first releases graphs whose owners are gone.
  private static func make() throws(CapacityError) -> Graph {
    do { return try Graph() } catch { OrphanGraphs.release(all: true) }
    return try Graph()
  }

  /// A graph where none can be refused.
  static func makeOrStop() -> Graph { orStop { () throws(CapacityError) in try make() } }

  private static func orStop(_ find: () throws(CapacityError) -> Graph) -> Graph {
    do { return try find() } catch {
      preconditionFailure(
        "the system refuses memory for another property graph; raise ulimit -v or vm.max_map_count")
    }
  }

  /// Whether whoever runs here may use the graph.
  package var isHere: Bool { tide_arena_is_here(arena) }

  /// Names the graph without counting a reference.
  package var arenaAddress: UnsafeMutablePointer<TideArena> { arena }

  /// Runs a function of a slot's object whose reads are not recorded.
  package static func untracked<Result>(
    at slot: Slot, _ body: () throws -> Result
  ) rethrows -> Result {
    guard slot.isUnjoined else { return try of(slot).untracked(body) }
    return try tracking?.untracked(body) ?? body()
  }

  /// Makes the graph belong to whom another one belongs to.
  func share(ownerOf other: Graph) {
    arena.pointee.owning = other.arena.pointee.owning
    arena.pointee.owningID = other.arena.pointee.owningID
    arena.pointee.owningMark = other.arena.pointee.owningMark
  }

  /// Whether an actor owns the graph, whose other work waits while it is kept.
  package var isActors: Bool {
    switch arena.pointee.owning {
    case UInt32(TIDE_OWNER_MAIN), UInt32(TIDE_OWNER_EXECUTOR): true
    default: false
    }
  }

  /// Who owns the graph, in words.
  package var ownerName: String {
    switch arena.pointee.owning {
    case UInt32(TIDE_OWNER_MAIN): "the main actor"
    case UInt32(TIDE_OWNER_EXECUTOR): "another actor"
    case UInt32(TIDE_OWNER_TASK): "a task that is on no actor"
    default: "another thread"
    }
  }

  /// Whether code runs here whose reads are recorded, and in which graph.
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
  /// Lets a function make its objects in this graph, and use those that are there.
  package func entered<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = enter()
    defer { Graph.leave(to: outer) }
    return try body()
  }

  /// Whether such a stretch is under way.
  package static var isEntered: Bool { tide_thread().pointee.entered != nil }

  /// Begins such a stretch, which ends on the same thread, without having waited; gives what was
  /// entered before.
  package func enter() -> EnteredGraph {
    let thread = tide_thread()
    let outer = thread.pointee.entered
    thread.pointee.entered = arena
    // Outside of turns, a thread's code makes its objects for the runtime that it used last.
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

/// How tasks on no actor are treated where they count as code of their thread: for tests.
package enum IsolationRule {
  @TaskLocal package static var isStrict = false
}

extension Graph {
  /// A graph for an interpreter of its own: that of whoever runs here, or, where an interpreter has
  /// that already, one whose interpreter is gone, or another one of the same owner.
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

  /// The graph that its owner had first.
  var first: Graph { elder ?? self }

  private func makeSibling() throws(CapacityError) -> Graph {
    let made = try Graph.make()
    made.share(ownerOf: self)
    made.elder = self
    siblings.append(made)
    return made
  }

  /// Takes away what the slots know of an interpreter that is gone.
  package func forgetLua() {
    for index in 1..<Int(max(1, arena.pointee.slotCount)) {
      slots[index].cache = 0
    }
    arena.pointee.deadCount = 0
  }
}

/// A task that is on no actor has no graph: nothing says that it runs alone.
package struct OwnerlessError: Error {}
