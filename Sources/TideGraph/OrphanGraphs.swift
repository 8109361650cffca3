import CTideSlots
import TideValues

/// Graphs whose owners no longer exist. Each is released when it has no objects left and nothing
/// else refers to it.
enum OrphanGraphs {
  private struct Waiting {
    var graphs: [OwnedGraph] = []
    /// The number of graphs at which they are checked again. It doubles, so each graph is checked
    /// rarely.
    var sweepCount = smallestSweep
  }

  private static let smallestSweep = 16

  // Unchecked, because the code that removes a graph from the list is its only user.
  private struct Taken: @unchecked Sendable {
    var graphs: [OwnedGraph]
  }

  private static let waiting = Guarded<Waiting>(Waiting())

  /// Takes over graphs whose owners no longer exist.
  static func add(_ graphs: inout [OwnedGraph]) {
    let added = Taken(graphs: graphs)
    graphs = []
    waiting.withLock { $0.graphs += added.graphs }
  }

  /// Releases graphs without objects, if enough graphs are waiting.
  ///
  /// - Parameter all: Whether to check the graphs whatever their number, because memory is low.
  static func release(all: Bool = false) {
    var taken = waiting.withLock { waiting -> Taken in
      if !all && waiting.graphs.count < waiting.sweepCount { return Taken(graphs: []) }
      defer { waiting.graphs = [] }
      return Taken(graphs: waiting.graphs)
    }
    if taken.graphs.isEmpty { return }
    taken.graphs.removeAll { release($0) }
    let rest = taken
    waiting.withLock { waiting in
      waiting.graphs += rest.graphs
      waiting.sweepCount = max(smallestSweep, 2 * waiting.graphs.count)
    }
  }

  /// Releases a graph. Returns false if it is still in use.
  private static func release(_ owned: OwnedGraph) -> Bool {
    guard var graph = owned.graph else { return true }
    owned.graph = nil
    // Siblings refer to the graph, too. An object that one of them releases may look up the others.
    var siblings = graph.siblings
    graph.siblings = []
    for index in siblings.indices.reversed() where isUnused(&siblings[index]) {
      drop(siblings.remove(at: index))
    }
    graph.siblings = siblings
    siblings = []
    guard graph.siblings.isEmpty, isUnused(&graph) else {
      owned.graph = graph
      return false
    }
    drop(consume graph)
    return true
  }

  /// Whether nothing else refers to a graph or to one of its objects.
  private static func isUnused(_ graph: inout Graph) -> Bool {
    // Checked first, because a holder may hand it work until it releases the graph, and
    // `hasObjects` finds such work.
    guard isKnownUniquelyReferenced(&graph), !graph.isAdopted else { return false }
    // Objects that are released here belong to the graph, as they did under its owner.
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    return !graph.hasObjects && graph.holdsAttachmentAlone
  }

  private static func drop(_ graph: consuming Graph) {
    let outer = graph.enter()
    graph.forgetAttachments()
    end(consume graph)
    Graph.leave(to: outer)
  }

  /// Not inlined, so that the graph is released before this returns.
  @inline(never)
  private static func end(_ graph: consuming Graph) {}
}

extension Graph {
  /// Whether nothing else refers to the host's table, whose `deinit` uses the graph.
  fileprivate var holdsAttachmentAlone: Bool {
    attachment == nil || isKnownUniquelyReferenced(&attachment)
  }

  /// Whether objects of the graph exist, except those that other threads have released.
  fileprivate var hasObjects: Bool {
    repeat {
      reclaimRemoteBlocks()
      // A thread that releases an object holds the lock while it uses the graph.
      tide_arena_lock_remote(arena)
      if tide_arena_has_remote(arena) == 0 { break }
      // Values in blocks that were returned meanwhile are released with them.
      tide_arena_unlock_remote(arena)
    } while true
    defer { tide_arena_unlock_remote(arena) }
    // Check only the headers, because another thread may be about to release an object.
    return (1..<max(1, Int(arena.pointee.slotCount))).contains { index in
      slots[index].kind == Kind.header && slots[index].lo != 0
    }
  }

  /// Releases what upper layers store with the graph while its memory still exists. Not inlined,
  /// because otherwise the caller's last reference to the graph could be released before objects
  /// whose `deinit` uses it.
  @inline(never)
  func forgetAttachments() {
    drainObserved = nil
    observedChanges = nil
    wake = nil
    attachment = nil
  }
}
