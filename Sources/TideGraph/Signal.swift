import CTideSlots

/// A value of the graph that stands for itself, without an object around it.
///
/// ```swift
/// let count = graph.signal(0)
/// count.value += 1
/// ```
///
/// Reading inside a computed value or an effect depends on it. The slot lives as long as this
/// object.
public final class Signal<Content: TideConvertible> {
  package let slot: Slot
  private let graph: Graph

  fileprivate init(_ content: consuming Content, in graph: Graph) {
    self.graph = graph
    slot = graph.allocate(slots: 1)
    Content.store(content, in: slot)
  }

  deinit { graph.dispose(slot) }

  /// The value; reading is recorded, writing settles.
  public var value: Content {
    get {
      graph.track(slot)
      return Content.load(slot)
    }
    set {
      if Content.store(newValue, in: slot), slot.pointee.access != 0 { graph.changed(slot) }
    }
  }
}

/// A value derived from others: evaluated when read, kept until something that it read changes.
///
/// ```swift
/// let price = graph.signal(2.0)
/// let total = graph.computed { price.value * 3 }
/// total.value   // 6.0
/// ```
///
/// It keeps its function alive, and is used on the thread of its graph alone.
public final class ComputedSignal<Content: TideConvertible> {
  @usableFromInline package let slot: Slot
  @usableFromInline let graph: Graph

  @inlinable
  init(in graph: Graph, _ body: @escaping () -> Content) {
    self.graph = graph
    slot = graph.makeComputed(ComputedFunction.storing(body))
  }

  deinit { graph.dispose(slot) }

  /// The value, which stays the one before where evaluating it goes round in a loop.
  @inlinable
  public var value: Content {
    do {
      try graph.refreshTracking(slot)
    } catch {
      graph.passOn(error, of: slot)
    }
    return Content.load(slot)
  }
}

/// A function that runs again when anything that it read has changed, until it is cancelled.
///
/// ```swift
/// let effect = graph.effect { print(count.value) }
/// effect.cancel()
/// ```
///
/// It keeps its function alive and ends with its last reference. It is used on the thread of its
/// graph alone.
public final class Effect {
  private var slot: Slot?
  private let graph: Graph

  /// Does not run yet.
  init(in graph: Graph, _ body: @escaping () -> Void) {
    self.graph = graph
    slot = graph.prepareEffect(EffectFunction(body))
  }

  func start() {
    if let slot { graph.start(slot) }
  }

  deinit { cancel() }

  /// Ends it; harmless when it has ended.
  public func cancel() {
    if let slot { graph.dispose(slot) }
    slot = nil
  }
}

extension Graph {
  /// Makes a value that others may depend on.
  public func signal<Content: TideConvertible>(_ value: Content) -> Signal<Content> {
    Signal(value, in: self)
  }

  /// Makes a value that a function derives from others.
  @inlinable
  public func computed<Content: TideConvertible>(
    _ body: @escaping () -> Content
  ) -> ComputedSignal<Content> {
    ComputedSignal(in: self, body)
  }

  /// Runs a function now and whenever something that it read has changed, as long as the result
  /// is kept.
  public func effect(_ body: @escaping () -> Void) -> Effect {
    let effect = Effect(in: self, body)
    effect.start()
    return effect
  }
}

/// A body that calls a function which stores its result.
@usableFromInline
package final class ComputedFunction: ComputedBody {
  private let body: (Slot) -> Bool

  @usableFromInline
  package init(_ body: @escaping (Slot) -> Bool) { self.body = body }

  @usableFromInline
  package override func evaluate(_ slot: Slot) throws -> Bool { body(slot) }

  /// Stores what a function gives, unless it has read something that failed.
  ///
  /// The type is known where the function is made, and nowhere behind.
  @inlinable
  package static func storing<Content: TideConvertible>(
    _ body: @escaping () -> Content
  ) -> ComputedFunction {
    ComputedFunction { slot in
      let value = body()
      return slot.hasReadFailure ? false : Content.store(value, in: slot)
    }
  }
}

package final class EffectFunction: EffectBody {
  private let body: () throws -> Void

  package init(_ body: @escaping () throws -> Void) { self.body = body }

  package override func run(_ slot: Slot) throws { try body() }
}

package final class ObserverFunction: ObserverBody {
  private let body: (_ old: Value, _ new: Value) throws -> Void
  package init(_ body: @escaping (Value, Value) throws -> Void) { self.body = body }

  package override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
    try body(old, new)
  }
}
