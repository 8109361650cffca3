import CTideSlots

/// The graphs that a thread has created. They live at least as long as the thread.
///
/// Objects may outlive their thread and be released on any other thread, so `OrphanGraphs` takes
/// over a thread's graphs when the thread ends.
final class ThreadGraphs {
  private var graphs: [Graph] = []

  /// Retains a graph until the calling thread ends.
  static func keep(_ graph: Graph) {
    let known = pthread_getspecific(endOfThread)
    let own: ThreadGraphs
    if let known {
      own = Unmanaged<ThreadGraphs>.fromOpaque(known).takeUnretainedValue()
    } else {
      own = ThreadGraphs()
      pthread_setspecific(endOfThread, Unmanaged.passRetained(own).toOpaque())
    }
    own.graphs.append(graph)
  }

  /// A thread-specific key whose destructor runs when a thread ends.
  private static let endOfThread: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      guard let pointer else { return }
      let own = Unmanaged<ThreadGraphs>.fromOpaque(pointer).takeRetainedValue()
      tide_thread().pointee.own = nil
      tide_thread().pointee.entered = nil
      // Other destructors of the thread may release objects after this one.
      for graph in own.graphs { graph.disown() }
      var owned = own.graphs.map { OwnedGraph($0) }
      own.graphs = []
      OrphanGraphs.add(&owned)
      OrphanGraphs.release()
    }
    return key
  }()
}

extension Graph {
  /// Detaches the graph, and its owner's other graphs, from its thread.
  fileprivate func disown() {
    tide_arena_disown(arena)
    for sibling in siblings { tide_arena_disown(sibling.arena) }
  }
}
