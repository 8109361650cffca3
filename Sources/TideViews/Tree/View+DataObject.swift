import TideBindings
public import TideGraph

/// What a view has to find its data object.
struct DataObjectInheritance {
  /// What was given to the view itself; made when it is first needed.
  fileprivate(set) var own: Signal<Value>?
  /// How many views below wait for the view's data object, while it is being found.
  fileprivate var depth = 0
}

extension View {
  /// What this view and, where they have none of their own, the views below show.
  ///
  /// Reading gives the nearest one set at this view or above; setting nil uncovers what is above.
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

/// Finds a view's data object: its own, else its superview's.
final class InheritedObjectBody: ComputedBody {
  unowned(unsafe) private let view: View?
  /// How many of these may be under evaluation, one because of the other.
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

  /// In a deep tree, brings the ancestors up to date from the top down, one at a time, so that no
  /// evaluation waits for more than the next.
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
