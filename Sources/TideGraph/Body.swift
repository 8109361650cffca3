import CTideSlots

/// The code of a slot or an edge. A final subclass holds the function, and the graph calls it
/// through an unmanaged reference: no thunk, no reference counting while propagating.
///
/// A body may serve many edges; it belongs to one graph.
open class Body {
  /// Its index in the graph's body table; 0 while nothing uses it.
  final var index: UInt32 = 0
  final var uses: UInt32 = 0

  /// Makes one that nothing uses yet.
  public init() {}
}

/// Derives a computed slot's value.
open class ComputedBody: Body {
  /// How many effects and observers depend on the slot.
  final var liveDependents: UInt32 = 0
  /// The error that the last evaluation threw.
  package final var failure: (any Error)?

  /// Stores the new value in the slot; true when it differs from the one before.
  ///
  /// - Throws: what the function throws. The slot then keeps its value, and what reads it fails as
  ///   well.
  open func evaluate(_ slot: Slot) throws -> Bool { false }
  /// Called when something that the last evaluation read is gone.
  open func sourceEnded(_ slot: Slot) {}
}

/// Re-runs when anything that it read has changed.
open class EffectBody: Body {
  final var rounds: UInt32 = 0
  final var wave: UInt32 = 0

  /// Runs the effect; what it reads is recorded.
  ///
  /// - Throws: what the effect throws; the graph lists it and runs the effect again at the next
  ///   change.
  open func run(_ slot: Slot) throws {}
}

/// Notified of a slot's new value after everything has settled.
///
/// The observer's own slot holds the value of the last notification.
open class ObserverBody: Body {
  final var rounds: UInt32 = 0
  final var wave: UInt32 = 0
  /// The number under which the interpreter can call it without asking the graph; 0: none.
  package final var listener: UInt32 = 0
  /// Whether the host is told when the source fails, which nobody else may read.
  package final var reportsSource = false
  /// Called when the source is gone and nothing more will come.
  package final var onEnd: (() -> Void)?

  /// Called with the value of the last notification and the new one, which the slot holds already.
  ///
  /// - Throws: what the observer throws; the graph lists it.
  open func valueChanged(of source: Slot, from old: Value, to new: Value) throws {}
}

/// Carries a value along an edge.
open class TransformBody: Body {
  /// Whether it must be applied even when a later binding writes the same target.
  package final var sharesTarget = false

  /// Writes the target from the source; true when the target changed.
  open func apply(_ edge: EdgeIndex, from source: Slot, to target: Slot) -> Bool { false }
}

/// The number of an edge in its graph.
public typealias EdgeIndex = UInt32
