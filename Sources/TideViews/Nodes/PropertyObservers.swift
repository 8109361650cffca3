import TideBindings
import TideGraph

/// What a class does when properties of its view change, until the view goes.
final class PropertyObservers {
  private var observers: [Slot] = []
  private let graph: Graph

  init(_ graph: Graph) { self.graph = graph }

  deinit {
    for observer in observers { graph.dispose(observer) }
  }

  /// Calls a function when a property has changed; harmless where the class has no such property.
  func observe(_ property: ViewProperty, of view: View, _ body: @escaping () -> Void) {
    guard let index = view.viewClass.index(of: property) else { return }
    let function = ObserverFunction { _, _ in body() }
    observers.append(graph.makeObserver(of: view.slot(index), function))
  }
}
