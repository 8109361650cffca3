/// Receives a graph's events. The layer above, which knows names and locations, conforms to it.
package protocol GraphHost: AnyObject {
  /// A body threw an error; the slot keeps its previous value.
  func graph(_ graph: Graph, body slot: Slot, failed error: any Error)
  /// An effect or observer that had failed has succeeded.
  func graph(_ graph: Graph, recovered slot: Slot)
  /// A loop of slots did not settle.
  func graph(_ graph: Graph, foundCycle loop: [Slot])
  /// A wave in which loops were found has ended.
  func graphHasSettledAfterCycle(_ graph: Graph)
  /// A binding's edge was removed because one of its ends was freed.
  func graph(_ graph: Graph, edgeEnded owner: UInt32)
  /// The edge of the other direction of a two-way binding; 0 for any other edge.
  func graph(_ graph: Graph, counterpartOf edge: EdgeIndex) -> EdgeIndex
  /// An observer's source has failed.
  func graph(_ graph: Graph, observer slot: Slot, of source: Slot, failed error: any Error)
  /// An object was released on another thread and must be reclaimed.
  func reclaim(_ graph: Graph)
}

extension GraphHost {
  package func graphHasSettledAfterCycle(_ graph: Graph) {}
  package func reclaim(_ graph: Graph) {}
  package func graph(_ graph: Graph, counterpartOf edge: EdgeIndex) -> EdgeIndex { 0 }
  package func graph(
    _ graph: Graph, observer slot: Slot, of source: Slot, failed error: any Error
  ) {}
}

/// A loop of slots that depend on each other.
///
/// ```swift
/// do { _ = try person.value(of: "title") } catch is CycleError { print("needs itself") }
/// ```
///
/// Thrown when a computed property is read. In lists of errors it is a `TideError` with the code
/// `cycle`, which names the properties of the loop.
public struct CycleError: Error, PassingFailure {
  /// The indexes of the loop's slots; the first is also the last.
  package let loop: [UInt32]
  package var isPassing: Bool { false }
  package var isCycle: Bool { true }
}

/// Evaluations nested more deeply than the stack allows. In lists of errors it is a `TideError`
/// with the code `depth`.
public struct DepthError: Error, PassingFailure {
  package init() {}
  package var isPassing: Bool { true }
}

/// An error that may disappear on the next attempt although no value has changed.
package protocol PassingFailure: Error {
  var isPassing: Bool { get }
  /// Whether the function was stopped from outside, possibly before it had read everything. It then
  /// keeps the dependencies of its previous run.
  var keepsReads: Bool { get }
  /// Whether the error reports that values depend on each other. Each slot of a loop fails with
  /// such an error, and replacing one by another does not count as a change.
  var isCycle: Bool { get }
}

extension PassingFailure {
  package var keepsReads: Bool { isPassing }
  package var isCycle: Bool { false }
}

/// An error that may hold much memory, such as a value that a script has raised.
package protocol WeighedFailure: Error {
  /// The size of its strings, in bytes.
  var weight: Int { get }
}

/// An evaluation ran before a slot that it needs. It is abandoned and repeated later.
package struct BlockedError: Error, PassingFailure {
  package var isPassing: Bool { true }
}

/// A graph is full, or the system refuses memory. In lists of errors it is a `TideError` with the
/// code `scriptMemory`.
public struct CapacityError: Error {}
