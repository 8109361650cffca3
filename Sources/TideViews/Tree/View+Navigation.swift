package import TideBindings
import TideGraph

extension View: ViewNavigable {
  /// The target of a view operator, or nil. Each step is tracked, so that a path is resolved again
  /// when one of these views is moved, added or removed.
  package func navigate(_ operation: ViewOperator) -> DataObject? {
    switch operation {
    case .superview: return superview
    case .rootView: return rootView
    case .cell: return ancestor { $0.viewClass.inherits(from: .cell) }
    case .superviewWithTag(let tag): return ancestor { $0.hasTag(tag) }
    case .superviewWithID(let id): return ancestor { $0.hasID(id) }
    case .superviewWithClass(let name):
      let name = ViewOperator.className(name)
      return ancestor { $0.viewClass.inherits(from: name) }
    case .subview(let index):
      let subviews = subviews
      return subviews.indices.contains(index) ? subviews[index] : nil
    case .subviewWithTag(let tag): return subviews.first { $0.hasTag(tag) }
    case .subviewWithID(let id): return subviews.first { $0.hasID(id) }
    case .subviewWithClass(let name):
      let name = ViewOperator.className(name)
      return subviews.first { $0.viewClass.inherits(from: name) }
    }
  }

  /// The topmost superview below the window; the view itself if it is topmost.
  private var rootView: View {
    var root = self
    while let next = root.superview, !next.viewClass.inherits(from: .window) { root = next }
    return root
  }

  private func ancestor(where matches: (View) -> Bool) -> View? {
    var view = superview
    while let current = view {
      if matches(current) { return current }
      view = current.superview
    }
    return nil
  }

  private func hasTag(_ tag: Int) -> Bool { self[.tag] == tag }
  private func hasID(_ id: String) -> Bool { self[.id] == id }
}

// Visibility and usability, including those of superviews. Reads are not tracked.
extension View {
  /// Whether the view is hidden, disabled, or hidden by its superview; descendants are then out of
  /// use, too.
  final var isOutOfUse: Bool {
    flag(.hidden) || !flag(.enabled) || parent?.hidesSubview(self) == true
  }

  /// Whether neither the view nor a superview is out of use.
  final var isUsable: Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor.isOutOfUse { return false }
      current = ancestor.parent
    }
    return true
  }

  /// Whether neither the view nor a superview is disabled.
  final var isEnabledWithAncestors: Bool {
    var current: View? = self
    while let ancestor = current {
      if !ancestor.flag(.enabled) { return false }
      current = ancestor.parent
    }
    return true
  }

  /// Whether neither the view nor a superview is hidden.
  package final var isShown: Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor.flag(.hidden) || ancestor.parent?.hidesSubview(ancestor) == true { return false }
      current = ancestor.parent
    }
    return true
  }

  /// Whether it is the other view or a descendant of it.
  final func isWithin(_ view: View) -> Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor === view { return true }
      current = ancestor.parent
    }
    return false
  }
}
