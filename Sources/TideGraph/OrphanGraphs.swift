import CTideSlots
import TideValues

/// Graphs whose owners are gone. Each is released when none of its objects is left and nothing else
/// refers to it.
enum OrphanGraphs {
  private struct Waiting {
    var graphs: [OwnedGraph] = []
    /// The number of graphs at which they are looked at again: it doubles, so that each is looked
    /// at seldom.
    var sweepCount = smallestSweep
  }

  private static let smallestSweep = 16

  // Unchecked, because whoever takes a graph out of the list is its only user.
  private struct Taken: @unchecked Sendable {
    var graphs: [OwnedGraph]
  }

  private static let waiting = Guarded<Waiting>(Waiting())

  /// Takes over graphs whose owners are gone.
  static func add(_ graphs: inout [OwnedGraph]) {
    let added = Taken(graphs: graphs)
    graphs = []
    waiting.withLock { $0.graphs += added.graphs }
  }

  /// Releases graphs without objects, if enough graphs wait.
  ///
  /// - Parameter all: whether to look at them however few they are, because memory is short.
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

  /// Releases a graph; false where it is still used.
  private static func release(_ owned: OwnedGraph) -> Bool {
    guard var graph = owned.graph else { return true }
    owned.graph = nil
    // Siblings refer to it, too. What one of them releases may ask for the others.
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

  /// Whether nothing else refers to a graph or to an object of it.
  private static func isUnused(_ graph: inout Graph) -> Bool {
    // First, because a holder may leave it work until the moment it lets go, and `hasObjects` finds
    // that.
    guard isKnownUniquelyReferenced(&graph), !graph.isAdopted else { return false }
    // What is released here belongs to the graph, as it did under its owner.
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
  /// Whether nothing else refers to the table of the layer above, whose `deinit` uses the graph.
  fileprivate var holdsAttachmentAlone: Bool {
    attachment == nil || isKnownUniquelyReferenced(&attachment)
  }

  /// Whether objects of the graph exist, not counting those that other threads have released.
  fileprivate var hasObjects: Bool {
    repeat {
      reclaimRemoteBlocks()
      // A thread that releases an object holds the lock for as long as it needs the graph.
      tide_arena_lock_remote(arena)
      if tide_arena_has_remote(arena) == 0 { break }
      // Blocks that came in meanwhile hold values that are released with them.
      tide_arena_unlock_remote(arena)
    } while true
    defer { tide_arena_unlock_remote(arena) }
    // The headers alone tell: another thread may be about to release an object.
    return (1..<max(1, Int(arena.pointee.slotCount))).contains { index in
      slots[index].kind == Kind.header && slots[index].lo != 0
    }
  }

  /// Drops what upper layers keep with the graph, while its memory still exists. Not inlined,
  /// because the caller's last reference could then be released before objects whose `deinit` uses
  /// the graph.
  @inline(never)
  func forgetAttachments() {
    drainObserved = nil
    observedChanges = nil
    wake = nil
    attachment = nil
  }
}
