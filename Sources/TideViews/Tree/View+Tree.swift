public import TideBindings
import TideGraph

extension View {
  /// The view that holds this one.
  public final var superview: View? {
    Graph.trackRead(of: slot(ViewProperty.superview.rawValue))
    return parent
  }

  /// The views that this one holds, in order.
  public final var subviews: [View] {
    trackChildren()
    return children
  }

  /// The window that holds this view, when it is shown.
  public final var window: View? {
    let slot = slot(ViewProperty.window.rawValue)
    Graph.trackRead(of: slot)
    guard case .object(let window as View) = slot.load() else { return nil }
    return window
  }

  /// Puts a view at the end of the subviews, or at an index, from 0; it leaves where it was before.
  ///
  /// - Throws: `badTree` when the view would come to stand in itself, or this class takes no
  ///   subviews or makes them itself, and `outOfRange` for an index beyond the end.
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
    // A view without subviews contains no other.
    if view !== self && view.children.isEmpty { return }
    var ancestor: View? = self
    while let current = ancestor {
      if current === view {
        throw TideError(.badTree, "a view cannot be added to itself or to a view inside it")
      }
      ancestor = current.parent
    }
  }

  /// Takes the view out of its superview; harmless when it has none.
  public final func remove() {
    guard let parent else { return }
    graph.batch { parent.take(self) }
  }

  /// Takes all subviews out.
  package final func removeSubviews() {
    graph.batch {
      while let last = children.last { take(last) }
    }
  }

  /// Moves the view to another index among its siblings, from 0.
  ///
  /// - Throws: `badTree` when it has no superview.
  public final func move(to index: Int) throws(TideError) {
    guard let parent else { throw TideError(.badTree, "the view has no superview to move in") }
    try parent.add(self, at: index)
  }

  /// Puts another view in this one's place.
  ///
  /// - Throws: `badTree` when it has no superview, or the other view cannot stand there.
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

  // MARK: The steps

  private func insert(_ view: View, at index: Int) {
    children.insert(view, at: index)
    view.indexHint = index
    view.parent = self
    view.setSuperviewSlot(self, replacing: nil)
    if let scene { scene.enter(view) }
    childrenChanged()
  }

  func take(_ view: View) {
    // Kept until the end: the subviews may have been what kept it.
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

  /// The index of a subview; usually where it was put, or a little before.
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

  /// Puts these subviews first, in this order.
  final func reorder(_ views: [View]) {
    if children.elementsEqual(views, by: ===) { return }
    let wanted = Set(views.map { ObjectIdentifier($0) })
    let others = children.filter { !wanted.contains(ObjectIdentifier($0)) }
    children = views + others
    for (index, view) in children.enumerated() { view.indexHint = index }
    childrenChanged()
  }

  private func childrenChanged() {
    // Changing them does not record a read.
    if let childrenVersion { graph.untracked { childrenVersion.value &+= 1 } }
    scene?.needsLayout(ofSubviewsOf: self)
  }

  /// Records that the reader depends on which subviews there are.
  final func trackChildren() {
    let version = childrenVersion ?? graph.signal(0)
    childrenVersion = version
    _ = version.value
  }
}

/// Gives scripts a view's subviews as a list, made when it is first read.
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
