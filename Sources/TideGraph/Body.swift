import CTideSlots

/// The code of a slot or an edge. A final subclass holds the function. The graph calls it through
/// an unmanaged reference, so propagation needs no thunks and no reference counting.
///
/// A body may serve many edges; it belongs to one graph.
open class Body {
  /// Its index in the graph's body table; 0 while nothing uses it.
  final var index: UInt32 = 0
  final var uses: UInt32 = 0

  /// Creates a body that no slot or edge uses yet.
  public init() {}
}

/// Computes a computed slot's value.
open class ComputedBody: Body {
  /// How many effects and observers depend on the slot.
  final var liveDependents: UInt32 = 0
  /// The error that the last evaluation threw.
  package final var failure: (any Error)?

  /// Stores the new value in the slot. Returns true if the value changed.
  ///
  /// - Throws: The function's error. The slot then keeps its value, and its readers fail as well.
  open func evaluate(_ slot: Slot) throws -> Bool { false }
  /// Called when one of the slots that the last evaluation read is freed.
  open func sourceEnded(_ slot: Slot) {}
}

/// Runs again when any value that it read has changed.
open class EffectBody: Body {
  final var rounds: UInt32 = 0
  final var wave: UInt32 = 0

  /// Runs the effect. The graph records its reads.
  ///
  /// - Throws: The effect's error. The graph lists the error and runs the effect again at the next
  ///   change.
  open func run(_ slot: Slot) throws {}
}

/// Notified of a slot's new value after everything has settled.
///
/// The observer's own slot holds the value of the last notification.
open class ObserverBody: Body {
  final var rounds: UInt32 = 0
  final var wave: UInt32 = 0
  /// The number under which the interpreter can call the observer without calling the graph; 0 if
  /// none.
  package final var listener: UInt32 = 0
  /// Whether the host is notified when the source fails. Nothing else may read the source.
  package final var reportsSource = false
  /// Called when the source is freed, so no more notifications follow.
  package final var onEnd: (() -> Void)?

  /// Called with the value of the last notification and the new value, which the slot already
  /// holds.
  ///
  /// - Throws: The observer's error; the graph lists it.
  open func valueChanged(of source: Slot, from old: Value, to new: Value) throws {}
}

/// Carries a value along an edge.
open class TransformBody: Body {
  /// Whether it must be applied even if a later binding writes the same target.
  package final var sharesTarget = false

  /// Writes the target from the source. Returns true if the target changed.
  open func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool { false }
}

/// The index of an edge in its graph.
public typealias EdgeIndex = UInt32
