import TideBindings
public import TideGraph

/// The state for finding a view's data object.
struct DataObjectInheritance {
  /// The view's own data object; created on first use.
  fileprivate(set) var own: Signal<Value>?
  /// The number of nested evaluations of descendants, while the data object is being computed.
  fileprivate var depth = 0
}

extension View {
  /// The data object of this view, and of all views below that have none of their own.
  ///
  /// Its value is the nearest one set at this view or a superview; setting nil reveals that of a
  /// superview.
  public final var dataObject: Value {
    get { self[.dataObject] }
    set { setOwnDataObject(newValue) }
  }

  final func setOwnDataObject(_ value: Value) {
    if inheritance.own == nil && value == .null { return }
    ownDataObject.value = value
    if let scene, !scene.input.busyButtons.isEmpty, self is CellView { scene.followWaits(in: self) }
  }

  fileprivate var ownDataObject: Signal<Value> {
    if let own = inheritance.own { return own }
    let made = graph.signal(Value.null)
    inheritance.own = made
    return made
  }
}

/// Computes a view's data object: its own, or else its superview's.
final class InheritedObjectBody: ComputedBody {
  unowned(unsafe) private let view: View?
  /// The maximum number of nested evaluations.
  private static let nestingLimit = 24

  init(_ view: DataObject) { self.view = view as? View }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let view else { return false }
    let own = view.ownDataObject.value
    if own != .null { return slot.store(own) }
    guard let superview = view.superview else { return slot.store(.null) }
    let graph = view.graph
    let inherited = superview.slot(ViewProperty.dataObject.rawValue)
    if view.inheritance.depth >= Self.nestingLimit {
      try refreshFromAbove(superview)
    } else {
      superview.inheritance.depth = view.inheritance.depth + 1
    }
    defer { superview.inheritance.depth = 0 }
    try graph.refreshTracking(inherited)
    return slot.copy(from: inherited)
  }

  /// In a deep tree, refreshes the ancestors from the top down, one at a time, so that evaluations
  /// do not nest.
  private func refreshFromAbove(_ view: View) throws {
    var chain: [View] = []
    var ancestor: View? = view
    while let current = ancestor {
      chain.append(current)
      ancestor = current.parent
    }
    let graph = view.graph
    try graph.untracked {
      for view in chain.reversed() {
        try graph.refresh(view.slot(ViewProperty.dataObject.rawValue))
      }
    }
  }
}
