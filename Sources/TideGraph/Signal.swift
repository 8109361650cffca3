import CTideSlots

/// A value of the graph that is not a property of an object.
///
/// ```swift
/// let count = graph.signal(0)
/// count.value += 1
/// ```
///
/// Reading it inside a computed value or an effect creates a dependency. The slot lives as long as
/// this object.
public final class Signal<Content: TideConvertible> {
  @usableFromInline package let slot: Slot
  @usableFromInline let graph: Graph

  fileprivate init(_ content: consuming Content, in graph: Graph) {
    self.graph = graph
    slot = graph.allocate(slots: 1)
    Content.store(content, in: slot)
  }

  deinit { graph.dispose(slot) }

  /// The value. A read is recorded; a write settles the graph.
  @inlinable
  public var value: Content {
    get {
      graph.track(slot)
      return Content.load(slot)
    }
    set {
      if Content.store(newValue, in: slot), Graph.isObserved(slot) { slot.settleChange() }
    }
  }
}

/// A value derived from others. It is evaluated when read, and cached until one of its dependencies
/// changes.
///
/// ```swift
/// let price = graph.signal(2.0)
/// let total = graph.computed { price.value * 3 }
/// total.value   // 6.0
/// ```
///
/// Retains its function. Use it only on the thread of its graph.
public final class ComputedSignal<Content: TideConvertible> {
  @usableFromInline package let slot: Slot
  @usableFromInline let graph: Graph

  @usableFromInline
  init(in graph: Graph, _ body: ComputedBody) {
    self.graph = graph
    slot = graph.makeComputed(body)
  }

  deinit { graph.dispose(slot) }

  /// The value. If evaluating it closes a loop, the previous value is returned.
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

/// A function that runs again when any of its dependencies has changed, until it is cancelled.
///
/// ```swift
/// let effect = graph.effect { print(count.value) }
/// effect.cancel()
/// ```
///
/// Retains its function and ends with the last reference to it. Use it only on the thread of its
/// graph.
public final class Effect {
  private var slot: Slot?
  private let graph: Graph

  /// Creates an effect without running it.
  init(in graph: Graph, _ body: @escaping () -> Void) {
    self.graph = graph
    slot = graph.prepareEffect(EffectFunction(body))
  }

  func start() {
    if let slot { graph.start(slot) }
  }

  deinit { cancel() }

  /// Ends the effect. Does nothing if it has ended.
  public func cancel() {
    if let slot { graph.dispose(slot) }
    slot = nil
  }
}

extension Graph {
  /// Creates a value that others can depend on.
  public func signal<Content: TideConvertible>(_ value: Content) -> Signal<Content> {
    Signal(value, in: self)
  }

  /// Creates a value that a function derives from others.
  @inlinable
  public func computed<Content: TideConvertible>(
    _ body: @escaping () -> Content
  ) -> ComputedSignal<Content> {
    ComputedSignal(in: self, ComputedFunction.storing(body))
  }

  /// Creates an integer value that a function derives from others. The function is called without
  /// generic thunks.
  public func computed(_ body: @escaping () -> Int) -> ComputedSignal<Int> {
    ComputedSignal(in: self, IntegerFunction(body))
  }

  /// Creates a floating-point value that a function derives from others, without generic thunks.
  public func computed(_ body: @escaping () -> Double) -> ComputedSignal<Double> {
    ComputedSignal(in: self, NumberFunction(body))
  }

  /// Creates a string value that a function derives from others, without generic thunks.
  public func computed(_ body: @escaping () -> String) -> ComputedSignal<String> {
    ComputedSignal(in: self, TextFunction(body))
  }

  /// Runs a function now and whenever one of its dependencies has changed, as long as the returned
  /// object is retained.
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

  /// Stores the result of a function, unless the function has read a failed slot.
  ///
  /// The type is erased here, where it is still known statically.
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

// A generic function is called through thunks, which cost a third of such an evaluation. The most
// common types have bodies of their own.

private final class IntegerFunction: ComputedBody {
  private let body: () -> Int

  init(_ body: @escaping () -> Int) { self.body = body }

  override func evaluate(_ slot: Slot) -> Bool {
    let value = body()
    return slot.hasReadFailure ? false : Int.store(value, in: slot)
  }
}

private final class NumberFunction: ComputedBody {
  private let body: () -> Double

  init(_ body: @escaping () -> Double) { self.body = body }

  override func evaluate(_ slot: Slot) -> Bool {
    let value = body()
    return slot.hasReadFailure ? false : Double.store(value, in: slot)
  }
}

private final class TextFunction: ComputedBody {
  private let body: () -> String

  init(_ body: @escaping () -> String) { self.body = body }

  override func evaluate(_ slot: Slot) -> Bool {
    let value = body()
    return slot.hasReadFailure ? false : String.store(value, in: slot)
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
