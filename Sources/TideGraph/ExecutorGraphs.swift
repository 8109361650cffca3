import CTideSlots
import TideValues

/// The graphs of executors, which live as long as the program: an address keeps its graph for good,
/// and the next actor that is made there inherits it. So what a thread remembers of an executor is
/// never out of date.
enum ExecutorGraphs {
  /// The main actor's.
  static var main: Graph { mainGraph.graph }

  // Unchecked, because it is made once, and used where the main actor runs.
  private struct MainGraph: @unchecked Sendable {
    let graph: Graph
  }

  private static let mainGraph: MainGraph = {
    let graph = Graph.makeOrStop()
    graph.arena.pointee.owning = UInt32(TIDE_OWNER_MAIN)
    return MainGraph(graph: graph)
  }()

  private static let known = Guarded<[UInt: UInt]>([:])

  static func graph(of executor: UnsafeRawPointer) -> Graph {
    graph(of: executor, kind: UInt32(TIDE_OWNER_EXECUTOR))
  }

  /// A graph that a task on no actor has for itself.
  static func graph(ofTask task: UnsafeRawPointer?) -> Graph {
    task.map { graph(of: $0, kind: UInt32(TIDE_OWNER_TASK)) } ?? main
  }

  private static func graph(of identity: UnsafeRawPointer, kind: UInt32) -> Graph {
    let key = UInt(bitPattern: identity) | UInt(kind & 1)
    let found = known.withLock { known -> UInt in
      if let graph = known[key] { return graph }
      let made = Graph.makeOrStop()
      made.arena.pointee.owning = kind
      made.arena.pointee.owningID = identity
      let kept = UInt(bitPattern: Unmanaged.passRetained(made).toOpaque())
      known[key] = kept
      return kept
    }
    guard let pointer = UnsafeRawPointer(bitPattern: found) else { return main }
    return Unmanaged<Graph>.fromOpaque(pointer).takeUnretainedValue()
  }
}
