import CTideSlots

/// A graph and its owner: an actor or its executor, or a task; nil for that of a thread.
///
/// The owner is referred to weakly, which tells when it is gone, and which keeps its mark from
/// being that of a later one at the same address.
final class OwnedGraph {
  /// Nil only while it is being released.
  var graph: Graph?
  private let mark: UInt64
  private weak var owner: AnyObject?
  /// Whether the owner's end shows.
  private let isWatched: Bool
  /// Whether the owner was found gone before. It may then still have been about to run its
  /// `deinit`, whose code counts as its own.
  private var wasGone = false

  /// Keeps the graph of a thread.
  init(_ graph: Graph) {
    self.graph = graph
    mark = 0
    isWatched = false
  }

  /// Makes a graph for an actor or executor.
  init(ofExecutor executor: UnsafeRawPointer) throws(CapacityError) {
    let made = try Graph()
    let object = Unmanaged<AnyObject>.fromOpaque(executor).takeUnretainedValue()
    owner = object
    mark = tide_executor_weak_mark(executor)
    isWatched = mark != 0
    made.belong(to: UInt32(TIDE_OWNER_EXECUTOR), executor, mark: mark)
    graph = made
  }

  /// Makes a graph for a task.
  init(ofTask task: UnsafeRawPointer) throws(CapacityError) {
    let made = try Graph()
    isWatched = tide_task_is_counted(task)
    if isWatched { owner = Unmanaged<AnyObject>.fromOpaque(task).takeUnretainedValue() }
    mark = tide_task_number(task)
    made.belong(to: UInt32(TIDE_OWNER_TASK), task, mark: mark)
    graph = made
  }

  /// Whether the actor or executor at an address is the owner, and none that was made there later.
  func isOwned(byExecutor executor: UnsafeRawPointer) -> Bool {
    isWatched
      ? tide_executor_has_mark(executor, mark)
      : tide_executor_weak_mark(executor) == 0
  }

  func isOwned(byTask task: UnsafeRawPointer) -> Bool { mark == tide_task_number(task) }

  /// Whether the owner is gone, and was so when this was asked before.
  func hasLostOwner() -> Bool {
    let isGone = isWatched && owner == nil
    defer { wasGone = isGone }
    return isGone && wasGone
  }
}

extension Graph {
  fileprivate func belong(to kind: UInt32, _ identity: UnsafeRawPointer, mark: UInt64) {
    arena.pointee.owning = kind
    arena.pointee.owningID = identity
    arena.pointee.owningMark = mark
  }
}
