import CTideSlots
import TideValues

/// Graphs whose owners are gone, each of which goes once none of its objects is left and nobody
/// else holds it.
enum OrphanGraphs {
  private struct Waiting {
    var graphs: [OwnedGraph] = []
    /// How many there are before they are looked at again, so that each is looked at seldom.
    var enough = fewest
  }

  private static let fewest = 16

  // Unchecked, because whoever takes one out of the list is its only user.
  private struct Taken: @unchecked Sendable {
    var graphs: [OwnedGraph]
  }

  private static let waiting = Guarded<Waiting>(Waiting())

  /// Takes graphs whose owners are gone.
  static func add(_ graphs: inout [OwnedGraph]) {
    let added = Taken(graphs: graphs)
    graphs = []
    waiting.withLock { $0.graphs += added.graphs }
  }

  /// Releases those without objects, where enough have come together.
  ///
  /// - Parameter all: looks at them however few they are, because memory is short.
  static func release(all: Bool = false) {
    var taken = waiting.withLock { waiting -> Taken in
      if !all && waiting.graphs.count < waiting.enough { return Taken(graphs: []) }
      defer { waiting.graphs = [] }
      return Taken(graphs: waiting.graphs)
    }
    if taken.graphs.isEmpty { return }
    taken.graphs.removeAll { release($0) }
    let rest = taken
    waiting.withLock { waiting in
      waiting.graphs += rest.graphs
      waiting.enough = max(fewest, 2 * waiting.graphs.count)
    }
  }

  /// Releases a graph; false where it is still used.
  private static func release(_ owned: OwnedGraph) -> Bool {
    guard var graph = owned.graph else { return true }
    owned.graph = nil
    // They hold it, too. What one of them releases may ask for the others.
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

  /// Whether nobody else holds a graph, or what lies in it.
  private static func isUnused(_ graph: inout Graph) -> Bool {
    // Whoever holds it may still be about to leave something to it, which is then found.
    guard isKnownUniquelyReferenced(&graph), !graph.isAdopted else { return false }
    // What it releases belongs to it, as it did to its owner.
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

  /// Not inlined, so that the graph goes when it returns.
  @inline(never)
  private static func end(_ graph: consuming Graph) {}
}

extension Graph {
  /// Whether nobody else refers to the layer above's table, which reaches for the graph in its end.
  fileprivate var holdsAttachmentAlone: Bool {
    attachment == nil || isKnownUniquelyReferenced(&attachment)
  }

  /// Whether objects of the graph exist, not counting those that other threads have released.
  fileprivate var hasObjects: Bool {
    repeat {
      reclaimRemoteBlocks()
      // A thread that releases an object has the lock as long as it needs the graph for that.
      tide_arena_lock_remote(arena)
      if tide_arena_has_remote(arena) == 0 { break }
      // What came meanwhile holds values that go with it.
      tide_arena_unlock_remote(arena)
    } while true
    defer { tide_arena_unlock_remote(arena) }
    // By the headers alone: another thread may be about to release an object at this moment.
    return (1..<max(1, Int(arena.pointee.slotCount))).contains { index in
      slots[index].kind == Kind.header && slots[index].lo != 0
    }
  }

  /// Drops what upper layers keep with the graph, while its memory still exists. Not inlined,
  /// because the caller's last reference could then be released before what reaches for the graph
  /// in its end.
  @inline(never)
  func forgetAttachments() {
    drainObserved = nil
    observedChanges = nil
    wake = nil
    attachment = nil
  }
}
