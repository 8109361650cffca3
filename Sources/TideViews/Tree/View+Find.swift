import TideBindings
public import TideGraph

extension View {
  /// The first descendant with an id, in the order of the tree; nil if there is none.
  public func find(_ id: String) -> View? {
    firstBelow { $0.peek(.id, as: String?.self) == id }
  }

  /// The first descendant that matches all given criteria.
  public func find(tag: Int? = nil, class className: String? = nil, key: Value = .null) -> View? {
    let wanted = className.map(ViewOperator.className)
    return firstBelow { view in
      if let tag, view.peek(.tag, as: Int?.self) != tag { return false }
      if let wanted, !view.viewClass.inherits(from: wanted) { return false }
      return key == .null || view.peek(.key, as: Value.self) == key
    }
  }

  /// The view's key among its siblings.
  public final var key: Value { self[.key] }

  private func firstBelow(_ matches: (View) -> Bool) -> View? {
    var walk = TreeWalk(self)
    _ = walk.next()
    var clock = WorkClock()
    // The search stops when the turn runs out of time, which also ends the calling script.
    while clock.hasTime(), let view = walk.next() {
      if matches(view) { return view }
    }
    return nil
  }
}

/// Visits a view and its descendants, parents first, without recursion.
struct TreeWalk: IteratorProtocol, Sequence {
  private var stack: [View]

  init(_ root: View) { stack = [root] }

  mutating func next() -> View? {
    guard let view = stack.popLast() else { return nil }
    stack.append(contentsOf: view.children.reversed())
    return view
  }

  /// Skips the descendants of the view that was returned last.
  mutating func skipSubviews(of view: View) { stack.removeLast(view.children.count) }
}
