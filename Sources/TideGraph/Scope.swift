/// A group of effects that end together, latest first.
///
/// ```swift
/// let scope = Scope(in: graph)
/// scope.effect { print(count.value) }
/// scope.add { log.close() }
/// scope.end()
/// ```
///
/// Scopes nest by adding one's `end` to another. A scope that is released ends.
public final class Scope {
  private let graph: Graph
  private var endings: [() -> Void] = []

  /// Makes an empty one.
  public init(in graph: Graph = .current) { self.graph = graph }

  deinit { end() }

  /// Runs a function now and whenever something that it read has changed, until the scope ends.
  public func effect(_ body: @escaping () -> Void) {
    let effect = Effect(in: graph, body)
    // Before it runs, because it may end the scope.
    add { effect.cancel() }
    effect.start()
  }

  /// Lets the scope call a function when it ends.
  public func add(_ ending: @escaping () -> Void) { endings.append(ending) }

  /// Makes a scope that ends with this one, or before.
  public func scope() -> Scope {
    let inner = Scope(in: graph)
    add { inner.end() }
    return inner
  }

  /// Ends all that it holds, latest first; it may be used again.
  public func end() {
    while let ending = endings.popLast() { ending() }
  }
}
