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

/// A view that shows `items` of which one is chosen, by `selectedIndex`, `selectedObject` or
/// `selectedValue`, the key of the object.
protocol ItemChoice: View {
  var observers: PropertyObservers { get }
  /// What `items` held when the view looked last.
  var shownItems: Value { get }
  /// What makes two items the same, where a function says it.
  var keyOfItem: ((_ item: Value) throws -> Value)? { get }
  func followItems()
  func followSelectedIndex()
  func followSelectedObject()
  func followSelectedValue()
}

extension ItemChoice {
  /// Has the view act on the properties of the choice when they have changed.
  func observeChoice() {
    observe(.items) { $0.followItems() }
    observe(.selectedIndex) { $0.followSelectedIndex() }
    observe(.selectedObject) { $0.followSelectedObject() }
    observe(.selectedValue) { $0.followSelectedValue() }
  }

  /// Calls a function when a property has changed.
  func observe(_ property: ViewProperty, _ body: @escaping (Self) -> Void) {
    observers.observe(property, of: self) { [unowned self] in body(self) }
  }
}
