package import TideBindings
import TideGraph

extension View: ViewNavigable {
  /// Where a view operator leads from here, or nil; each step is recorded, so that the path is
  /// followed again when one of these views moves, comes or goes.
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

  /// The topmost view above this one, below the window; the view itself when it is that.
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

// What can be seen and used, as far as it depends on the views above. Nothing of this is recorded.
extension View {
  /// Whether it is hidden, disabled or put out of sight, and all below it with it.
  final var isOutOfUse: Bool {
    flag(.hidden) || !flag(.enabled) || parent?.hidesSubview(self) == true
  }

  /// Whether neither the view nor one above it is hidden, disabled or put out of sight.
  final var isUsable: Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor.isOutOfUse { return false }
      current = ancestor.parent
    }
    return true
  }

  /// Whether neither the view nor one above it is hidden or put out of sight.
  final var isShown: Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor.flag(.hidden) || ancestor.parent?.hidesSubview(ancestor) == true { return false }
      current = ancestor.parent
    }
    return true
  }

  /// Whether it is a view or somewhere below it.
  final func isWithin(_ view: View) -> Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor === view { return true }
      current = ancestor.parent
    }
    return false
  }
}
