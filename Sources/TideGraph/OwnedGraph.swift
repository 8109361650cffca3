import CTideSlots

/// A graph and its owner: a thread, an actor or its executor, or a task.
///
/// The memory of an actor or executor is retained as long as this object exists, so that no other
/// owner can be allocated at its address. A task is identified by its number and referenced weakly.
final class OwnedGraph {
  private enum Owner {
    case thread
    case executor(UnsafeRawPointer)
    case task(Task)
  }

  private struct Task {
    let number: UInt64
    weak var object: AnyObject?
    /// Whether `object` becomes nil when the task ends.
    let isWatched: Bool
  }

  /// The graph; nil only during its release.
  var graph: Graph?
  private let owner: Owner

  /// Wraps the graph of a thread.
  init(_ graph: Graph) {
    self.graph = graph
    owner = .thread
  }

  /// Creates a graph for an actor or executor.
  init(ofExecutor executor: UnsafeRawPointer) throws(CapacityError) {
    let made = try Graph()
    made.belong(to: UInt32(TIDE_OWNER_EXECUTOR), executor, mark: 0)
    graph = made
    owner = .executor(executor)
    tide_executor_keep(executor)
  }

  /// Creates a graph for a task.
  init(ofTask task: UnsafeRawPointer) throws(CapacityError) {
    let made = try Graph()
    let isWatched = tide_task_is_counted(task)
    let object = isWatched ? Unmanaged<AnyObject>.fromOpaque(task).takeUnretainedValue() : nil
    let number = tide_task_number(task)
    made.belong(to: UInt32(TIDE_OWNER_TASK), task, mark: number)
    graph = made
    owner = .task(Task(number: number, object: object, isWatched: isWatched))
  }

  deinit {
    // Last, after the graph is released: from here on, another owner may be allocated at the
    // address.
    if case .executor(let executor) = owner { tide_executor_let_go(executor) }
  }

  /// Whether the task at an address is the owner, and not a later task at the same address.
  func isOwned(byTask task: UnsafeRawPointer) -> Bool {
    guard case .task(let owner) = owner else { return false }
    return owner.number == tide_task_number(task)
  }

  /// Whether the owner no longer exists, so no code runs as it any more.
  ///
  /// - Parameter tasks: Receives the owner if it is a task that still exists. This may be the last
  ///   reference to it, so the caller must release it where arbitrary code may run.
  func hasLostOwner(_ tasks: inout [AnyObject]) -> Bool {
    switch owner {
    case .thread: return false
    case .executor(let executor): return tide_executor_is_gone(executor)
    case .task(let task):
      guard task.isWatched else { return false }
      guard let object = task.object else { return true }
      tasks.append(object)
      return false
    }
  }
}

extension Graph {
  fileprivate func belong(to kind: UInt32, _ identity: UnsafeRawPointer, mark: UInt64) {
    arena.pointee.owning = kind
    arena.pointee.owningID = identity
    arena.pointee.owningMark = mark
  }
}
