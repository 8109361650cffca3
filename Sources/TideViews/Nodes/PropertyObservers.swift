import TideBindings
import TideGraph

/// The observers of a view's properties, which are removed together with this object.
final class PropertyObservers {
  private var observers: [Slot] = []
  private let graph: Graph

  init(_ graph: Graph) { self.graph = graph }

  deinit {
    for observer in observers { graph.dispose(observer) }
  }

  /// Calls a function when a property has changed; does nothing if the class does not have the
  /// property.
  func observe(_ property: ViewProperty, of view: View, _ body: @escaping () -> Void) {
    guard let index = view.viewClass.index(of: property) else { return }
    let function = ObserverFunction { _, _ in body() }
    observers.append(graph.makeObserver(of: view.slot(index), function))
  }
}

/// A view with `items` and a selected one: `selectedIndex`, `selectedObject`, or `selectedValue`,
/// the key of the object.
protocol ItemChoice: View {
  var observers: PropertyObservers { get }
  /// The value of `items` that was adopted last.
  var shownItems: Value { get }
  /// Identifies items: items with equal keys count as the same item. Nil without a key function.
  var keyOfItem: ((_ item: Value) throws -> Value)? { get }
  /// The error of the key function, and the item for which it failed.
  var keyFailure: (failure: FunctionFailure, item: Value)? { get set }
  func followItems()
  func followSelectedIndex()
  func followSelectedObject()
  func followSelectedValue()
}

extension ItemChoice {
  /// Observes the properties of the selection.
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
