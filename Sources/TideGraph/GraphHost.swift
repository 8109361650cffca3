/// Receives the events of a graph; the layer above, which knows names and locations, conforms.
package protocol GraphHost: AnyObject {
  /// A body threw; the slot keeps the value from before.
  func graph(_ graph: Graph, body slot: Slot, failed error: any Error)
  /// An effect or observer that had failed has succeeded.
  func graph(_ graph: Graph, recovered slot: Slot)
  /// A loop of slots did not settle.
  func graph(_ graph: Graph, foundCycle loop: [Slot])
  /// A wave in which loops were found has ended.
  func graphHasSettledAfterCycle(_ graph: Graph)
  /// A binding's edge was removed because one of its ends is gone.
  func graph(_ graph: Graph, edgeEnded owner: UInt32)
  /// The edge of the other direction of a two-way binding; 0 for any other edge.
  func graph(_ graph: Graph, counterpartOf edge: EdgeIndex) -> EdgeIndex
  /// What an observer observes has failed.
  func graph(_ graph: Graph, observer slot: Slot, of source: Slot, failed error: any Error)
  /// Something was released on another thread and is to be reclaimed.
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

/// A loop of slots that feed each other.
///
/// ```swift
/// do { _ = try person.value(of: "title") } catch is CycleError { print("needs itself") }
/// ```
///
/// Reading a computed property throws it; in lists of errors it is a `TideError` of code `cycle`,
/// which names what the loop is made of.
public struct CycleError: Error, PassingFailure {
  /// The slots of the loop, by number; the first is also the last.
  package let loop: [UInt32]
  package var isPassing: Bool { false }
  package var isCycle: Bool { true }
}

/// Evaluations nested deeper than the stack allows; in lists of errors a `TideError` of code
/// `depth`.
public struct DepthError: Error, PassingFailure {
  package init() {}
  package var isPassing: Bool { true }
}

/// An error that may be gone at the next try, although nothing has changed.
package protocol PassingFailure: Error {
  var isPassing: Bool { get }
  /// Whether the function was stopped from outside, perhaps before it had read everything: it then
  /// keeps the dependencies of its previous run.
  var keepsReads: Bool { get }
  /// Whether it says that values depend on each other. Each of a loop fails with such an error, and
  /// another one is no news to the next.
  var isCycle: Bool { get }
}

extension PassingFailure {
  package var keepsReads: Bool { isPassing }
  package var isCycle: Bool { false }
}

/// An error that keeps what may be large, such as a value that a script has raised.
package protocol WeighedFailure: Error {
  /// The bytes of its texts.
  var weight: Int { get }
}

/// An evaluation came ahead of what it needs: it is given up, and made up for later.
package struct BlockedError: Error, PassingFailure {
  package var isPassing: Bool { true }
}

/// A graph has no room left, or the system refuses memory; in lists of errors a `TideError` of code
/// `scriptMemory`.
public struct CapacityError: Error {}
