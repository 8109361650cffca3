import CTideSlots
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The graphs that a thread has made, which live at least as long as the thread.
///
/// Objects may outlive their thread and are released anywhere; so a graph whose thread has ended is
/// given up when none of its objects is left and nobody else holds it. That is looked for when a
/// thread ends and when one makes its first graph.
final class ThreadGraphs {
  private var graphs: [Unmanaged<Graph>] = []

  /// Keeps a graph of the calling thread's.
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

  /// Lets a key of the system's tell of a thread's end.
  private static let endOfThread: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { pointer in
      let pointer: UnsafeMutableRawPointer? = pointer
      guard let pointer else { return }
      let own = Unmanaged<ThreadGraphs>.fromOpaque(pointer).takeRetainedValue()
      tide_arena_set_current(nil)
      orphans.withLock { $0 += own.graphs.map { UInt(bitPattern: $0.toOpaque()) } }
      ThreadGraphs.giveUpOrphans()
    }
    return key
  }()

  /// Graphs whose threads have ended, each with the retain of its thread.
  private static let orphans = Mutex<[UInt]>([])

  /// Gives up those of which nothing is left. Whoever has taken one out of the list has it alone.
  static func giveUpOrphans() {
    let found = orphans.withLock { orphans in
      defer { orphans = [] }
      return orphans
    }
    if found.isEmpty { return }
    let outer = tide_arena_current()
    var rest: [UInt] = []
    for bits in found {
      guard let pointer = UnsafeRawPointer(bitPattern: bits) else { continue }
      var graph = Unmanaged<Graph>.fromOpaque(pointer).takeRetainedValue()
      // What it releases belongs to it, as it did on its thread.
      graph.makeCurrent()
      if !graph.isAdopted, !graph.hasObjects, isKnownUniquelyReferenced(&graph) {
        graph.forgetAttachments()
      } else {
        rest.append(UInt(bitPattern: Unmanaged.passRetained(graph).toOpaque()))
      }
    }
    tide_arena_set_current(outer)
    if !rest.isEmpty { orphans.withLock { $0 += rest } }
  }
}

extension Graph {
  /// Whether objects of the graph exist, those that other threads have released not counted.
  fileprivate var hasObjects: Bool {
    while tide_arena_has_foreign(arena) != 0 { reclaimForeignBlocks() }
    // Who released the last one has let go of the lock when this has had it.
    tide_arena_hold_foreign(arena)
    tide_arena_let_foreign(arena)
    // By the headers alone: another thread may be releasing an object at this moment.
    return (1..<max(1, Int(arena.pointee.slotCount))).contains { index in
      slots[index].kind == Kind.header && slots[index].lo != 0
    }
  }

  /// Lets go of what other layers keep with the graph, while its memory is still there.
  fileprivate func forgetAttachments() {
    drainObserved = nil
    observedChanges = nil
    wake = nil
    latestLayout = (nil, nil)
    layouts = [:]
    attachment = nil
  }
}
