import CTideSlots
import TideValues

/// The graphs that a thread has made, which live at least as long as the thread.
///
/// Objects may outlive their thread and be released on any other. So the graph of a thread that has
/// ended is released once none of its objects is left and nobody else holds it, which is checked
/// whenever a thread ends or makes its first graph.
final class ThreadGraphs {
  private var graphs: [Unmanaged<Graph>] = []

  /// Keeps a graph alive as long as the calling thread.
  static func keep(_ graph: Graph) {
    let known = pthread_getspecific(endOfThread)
    let own: ThreadGraphs
    if let known {
      own = Unmanaged<ThreadGraphs>.fromOpaque(known).takeUnretainedValue()
    } else {
      own = ThreadGraphs()
      pthread_setspecific(endOfThread, Unmanaged.passRetained(own).toOpaque())
    }
    own.graphs.append(.passRetained(graph))
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
      orphans.withLock { $0 += own.graphs.map { UInt(bitPattern: $0.toOpaque()) } }
      ThreadGraphs.releaseOrphans()
    }
    return key
  }()

  /// Graphs whose threads have ended; each entry owns a retain.
  private static let orphans = Guarded<[UInt]>([])

  /// Releases orphans without objects. Whoever takes one out of the list is its only user.
  static func releaseOrphans() {
    let found = orphans.withLock { orphans in
      defer { orphans = [] }
      return orphans
    }
    if found.isEmpty { return }
    var rest: [UInt] = []
    for bits in found {
      guard let pointer = UnsafeRawPointer(bitPattern: bits) else { continue }
      var graph = Unmanaged<Graph>.fromOpaque(pointer).takeRetainedValue()
      // What it releases belongs to it, as it did on its thread.
      let outer = graph.enter()
      defer { Graph.leave(to: outer) }
      // They hold it, too.
      graph.siblings.removeAll { !$0.isAdopted && !$0.hasObjects }
      let isUnused = !graph.isAdopted && !graph.hasObjects && graph.siblings.isEmpty
      if isUnused, isKnownUniquelyReferenced(&graph) {
        graph.forgetAttachments()
      } else {
        rest.append(UInt(bitPattern: Unmanaged.passRetained(graph).toOpaque()))
      }
    }
    if !rest.isEmpty { orphans.withLock { $0 += rest } }
  }
}

extension Graph {
  /// Whether objects of the graph exist, not counting those that other threads have released.
  fileprivate var hasObjects: Bool {
    while tide_arena_has_remote(arena) != 0 { reclaimRemoteBlocks() }
    // Waits until the thread that released the last one has given the lock back.
    tide_arena_lock_remote(arena)
    tide_arena_unlock_remote(arena)
    // By the headers alone: another thread may be releasing an object at this moment.
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
