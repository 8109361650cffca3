import CTideSlots
import TideValues

/// The graphs of executors and tasks, by the owner's address.
///
/// Graphs whose owner no longer exists are found from time to time, and when a new task appears at
/// an owner's address. `OrphanGraphs` releases them.
enum ExecutorGraphs {
  /// The main actor's graph.
  static var main: Graph { mainGraph.graph }

  // Unchecked, because it is created once and used only on the main actor.
  private struct MainGraph: @unchecked Sendable {
    let graph: Graph
  }

  private static let mainGraph: MainGraph = {
    let graph = Graph.makeOrStop()
    graph.arena.pointee.owning = UInt32(TIDE_OWNER_MAIN)
    return MainGraph(graph: graph)
  }()

  private struct Known {
    var graphs: [UInt: OwnedGraph] = [:]
    /// The number of graphs at which the next search for graphs without an owner starts.
    var sweepCount = smallestSweep
  }

  private static let smallestSweep = 64

  // Unchecked, because only its owner uses a graph, and only the thread that found an orphan uses
  // it.
  private struct Found: @unchecked Sendable {
    var graph: Graph?
    var orphans: [OwnedGraph] = []
    /// Tasks that still exist. They are released without holding the lock, because the end of a
    /// task may release objects, which look up graphs.
    var tasks: [AnyObject] = []
  }

  private static let known = Guarded<Known>(Known())

  /// Returns the graph of the actor or executor at an address. The caller must run on it.
  static func graph(of executor: UnsafeRawPointer) throws(CapacityError) -> Graph {
    try find(
      UInt(bitPattern: executor), isOwned: { _ in true },
      make: { () throws(CapacityError) in try OwnedGraph(ofExecutor: executor) })
  }

  /// Returns the graph of the running task, which runs on no actor.
  static func graph(ofTask task: UnsafeRawPointer?) throws(CapacityError) -> Graph {
    guard let task else { return main }
    return try find(
      UInt(bitPattern: task) | 1, isOwned: { $0.isOwned(byTask: task) },
      make: { () throws(CapacityError) in try OwnedGraph(ofTask: task) })
  }

  private static func find(
    _ key: UInt, isOwned: (OwnedGraph) -> Bool, make: () throws(CapacityError) -> OwnedGraph
  ) throws(CapacityError) -> Graph {
    func look(all: Bool) -> Found {
      known.withLock { known in
        var found = Found()
        if let owned = known.graphs[key] {
          if isOwned(owned) {
            found.graph = owned.graph
            return found
          }
          retire(key, &known, &found)
        }
        if all || known.graphs.count >= known.sweepCount {
          for (key, owned) in known.graphs where owned.hasLostOwner(&found.tasks) {
            retire(key, &known, &found)
          }
          known.sweepCount = known.graphs.count + max(smallestSweep, known.graphs.count / 4)
        }
        if let made = try? make() {
          known.graphs[key] = made
          found.graph = made.graph
        }
        return found
      }
    }
    var found = look(all: false)
    // Memory is low: release every orphan that can be released.
    for _ in 0..<2 where found.graph == nil {
      OrphanGraphs.add(&found.orphans)
      OrphanGraphs.release(all: true)
      found = look(all: true)
    }
    if !found.orphans.isEmpty {
      OrphanGraphs.add(&found.orphans)
      OrphanGraphs.release()
    }
    guard let graph = found.graph else { throw CapacityError() }
    return graph
  }

  private static func retire(_ key: UInt, _ known: inout Known, _ found: inout Found) {
    guard let owned = known.graphs.removeValue(forKey: key) else { return }
    // Must happen before the owner's address is freed, so that no thread mistakes a later owner at
    // the same address for this one.
    tide_note_retirement()
    found.orphans.append(owned)
  }
}
