public import TideBindings
import TideGraph

extension View {
  /// The view that contains this one.
  public final var superview: View? {
    Graph.trackRead(of: slot(ViewProperty.superview.rawValue))
    return parent
  }

  /// The views that this one contains, in order.
  public final var subviews: [View] {
    trackChildren()
    return children
  }

  /// The window that contains this view; nil while the view is not shown.
  public final var window: View? {
    let slot = slot(ViewProperty.window.rawValue)
    Graph.trackRead(of: slot)
    guard case .object(let window as View) = slot.load() else { return nil }
    return window
  }

  /// Adds a view at the end of the subviews, or at an index, from 0; it is removed from its
  /// previous superview.
  ///
  /// - Throws: `badTree` if the view would contain itself, or if this class accepts no subviews or
  ///   makes them itself, and `outOfRange` for an index beyond the end.
  public final func add(_ view: View, at index: Int? = nil) throws(TideError) {
    guard takesSubviews else {
      throw TideError(.badTree, "\(viewClass.name.withArticle) takes no subviews")
    }
    try checkAccepts(view)
    try checkNotWithin(view)
    let end = children.count - (view.parent === self ? 1 : 0)
    let index = index ?? end
    guard index >= 0, index <= end else {
      throw TideError(.outOfRange, "index \(index) is out of range of \(end) subviews")
    }
    graph.batch {
      if view.parent === self {
        move(view, to: index)
      } else {
        view.parent?.take(view)
        insert(view, at: index)
      }
    }
  }

  private func checkAccepts(_ view: View) throws(TideError) {
    if !makesSubviews || view.parent === self { return }
    throw TideError(
      .badTree,
      "\(viewClass.name.withArticle) makes its subviews itself; give it items, and cell to say what a row shows"
    )
  }

  private func checkNotWithin(_ view: View) throws(TideError) {
    // A view without subviews cannot contain this one.
    if view !== self && view.children.isEmpty { return }
    var ancestor: View? = self
    while let current = ancestor {
      if current === view {
        throw TideError(.badTree, "a view cannot be added to itself or to a view inside it")
      }
      ancestor = current.parent
    }
  }

  /// Removes the view from its superview; does nothing if it has none.
  public final func remove() {
    guard let parent else { return }
    graph.batch { parent.take(self) }
  }

  /// Removes all subviews.
  package final func removeSubviews() {
    graph.batch {
      while let last = children.last { take(last) }
    }
  }

  /// Moves the view to another index among its siblings, from 0.
  ///
  /// - Throws: `badTree` if it has no superview.
  public final func move(to index: Int) throws(TideError) {
    guard let parent else { throw TideError(.badTree, "the view has no superview to move in") }
    try parent.add(self, at: index)
  }

  /// Replaces this view by another one at the same position.
  ///
  /// - Throws: `badTree` if it has no superview, or if the other view cannot be added there.
  public final func replace(with view: View) throws(TideError) {
    if view === self { return }
    guard let parent else {
      throw TideError(.badTree, "the view has no superview in which to replace it")
    }
    try parent.checkAccepts(view)
    try parent.checkNotWithin(view)
    graph.batch {
      view.parent?.take(view)
      let index = parent.index(of: self)
      parent.take(self)
      parent.insert(view, at: index)
    }
  }

  // MARK: Primitive operations

  private func insert(_ view: View, at index: Int) {
    children.insert(view, at: index)
    view.indexHint = index
    view.parent = self
    view.setSuperviewSlot(self, replacing: nil)
    if let scene { scene.enter(view) }
    childrenChanged()
  }

  func take(_ view: View) {
    // Retained until the end, because the list of subviews may have held the last reference.
    withExtendedLifetime(view) {
      let index = index(of: view)
      scene?.noteFocusGap(of: view, in: self, at: index)
      children.remove(at: index)
      view.parent = nil
      if let scene { scene.leave(view) }
      view.setSuperviewSlot(nil, replacing: self)
      childrenChanged()
    }
  }

  private func move(_ view: View, to index: Int) {
    let old = self.index(of: view)
    if old == index { return }
    children.remove(at: old)
    children.insert(view, at: index)
    view.indexHint = index
    childrenChanged()
  }

  /// The index of a subview, which is usually its last known index or a little below.
  func index(of view: View) -> Int {
    var index = min(view.indexHint, children.count - 1)
    while index >= 0 {
      if children[index] === view {
        view.indexHint = index
        return index
      }
      index -= 1
    }
    let found = children.firstIndex { $0 === view } ?? 0
    view.indexHint = found
    return found
  }

  /// Moves these subviews to the front, in this order.
  final func reorder(_ views: [View]) {
    if children.elementsEqual(views, by: ===) { return }
    let wanted = Set(views.map { ObjectIdentifier($0) })
    let others = children.filter { !wanted.contains(ObjectIdentifier($0)) }
    children = views + others
    for (index, view) in children.enumerated() { view.indexHint = index }
    childrenChanged()
  }

  private func childrenChanged() {
    // The update is untracked, so that it does not record a dependency.
    if let childrenVersion { graph.untracked { childrenVersion.value &+= 1 } }
    scene?.needsLayout(ofSubviewsOf: self)
  }

  /// Tracks a dependency on the list of subviews.
  final func trackChildren() {
    let version = childrenVersion ?? graph.signal(0)
    childrenVersion = version
    _ = version.value
  }
}

/// Computes `subviews`, the list of subviews for scripts, on first read.
final class SubviewsBody: ComputedBody {
  unowned(unsafe) private let view: View?

  init(_ view: DataObject) { self.view = view as? View }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let view else { return false }
    let list = FrozenList(
      view.subviews.map { .object($0) },
      reason: "subviews are added, moved and taken out by the view's add, move and remove")
    return slot.store(.object(list))
  }
}
