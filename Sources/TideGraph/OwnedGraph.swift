import CTideSlots

/// A graph and its owner: an actor or its executor, or a task; nil for that of a thread.
///
/// An actor's or executor's memory is kept as long as this, so that no later one has its address
/// and is taken for it. A task is referred to weakly, and has a number.
final class OwnedGraph {
  private enum Owner {
    case thread
    case executor(UnsafeRawPointer)
    case task(Task)
  }

  private struct Task {
    let number: UInt64
    weak var object: AnyObject?
    /// Whether the task's end shows.
    let isWatched: Bool
  }

  /// Nil only while it is being released.
  var graph: Graph?
  private let owner: Owner

  /// Keeps the graph of a thread.
  init(_ graph: Graph) {
    self.graph = graph
    owner = .thread
  }

  /// Makes a graph for an actor or executor.
  init(ofExecutor executor: UnsafeRawPointer) throws(CapacityError) {
    let made = try Graph()
    made.belong(to: UInt32(TIDE_OWNER_EXECUTOR), executor, mark: 0)
    graph = made
    owner = .executor(executor)
    tide_executor_keep(executor)
  }

  /// Makes a graph for a task.
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
    // Its graph is gone already: whoever asks for the owner's finds none here.
    if case .executor(let executor) = owner { tide_executor_let_go(executor) }
  }

  /// Whether the task at an address is the owner, and none that was made there later.
  func isOwned(byTask task: UnsafeRawPointer) -> Bool {
    guard case .task(let owner) = owner else { return false }
    return owner.number == tide_task_number(task)
  }

  /// Whether the owner is gone, and with it all code that counts as its own.
  var hasLostOwner: Bool {
    switch owner {
    case .thread: false
    case .executor(let executor): tide_executor_is_gone(executor)
    case .task(let task): task.isWatched && task.object == nil
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
