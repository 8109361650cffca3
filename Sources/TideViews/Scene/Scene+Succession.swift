public import TideBindings
import TideGraph

extension Scene {
  /// Shows a new version of the view shown so far: focus, caret, scroll position, selection and text
  /// that was typed into no model move to the views that stand for the old ones.
  ///
  /// A view stands for an old one of its class with the same `id`, or else with the same `key`, or
  /// place among its class, below views that stand for each other. A view that asked for the focus
  /// before it was shown gets it only where there was none to move.
  public func succeed(with view: View) throws(TideError) {
    guard let old = shown, old !== view else { return try show(view) }
    var pairs: [(old: View, new: View)] = []
    var matched = [(old: old, new: view)]
    while let pair = matched.popLast() {
      guard pair.old.viewClass.name == pair.new.viewClass.name else { continue }
      pairs.append(pair)
      matched.append(contentsOf: pair.new.successions(of: pair.old))
    }
    let paired = Set(pairs.map { ObjectIdentifier($0.new) })
    pairs += view.namesakes(of: old).filter { !paired.contains(ObjectIdentifier($0.new)) }
    let heir = focused.flatMap { focused in
      // Cells are made anew: for what was focused in one, its list gets the focus.
      let holder = focused.rowsAround ?? focused
      return pairs.first { $0.old === focused || $0.old === holder }?.new
    }
    try show(view)
    for pair in pairs { pair.new.takeState(of: pair.old) }
    guard let heir, focus(heir) else { return }
    // A script that gives the focus to its first view would take it away at every save.
    focusWhenShown?.wantsFocus = false
    focusWhenShown = nil
  }
}

extension View {
  /// The view of rows in a cell of which this view stands.
  fileprivate var rowsAround: RowsView? {
    var view = parent
    while let current = view {
      if let rows = current as? RowsView { return rows }
      view = current.parent
    }
    return nil
  }

  /// Which subviews stand for which of an older version's. Lists make their cells themselves.
  fileprivate func successions(of old: View) -> [(old: View, new: View)] {
    if viewClass.arrangement == nil { return [] }
    var match = SiblingMatch(old.children)
    return match.pairs(with: children)
  }

  /// Views with an id that moved to another superview.
  fileprivate func namesakes(of old: View) -> [(old: View, new: View)] {
    var known: [String: View] = [:]
    for view in TreeWalk(old) {
      if let id = view.peek(.id, as: String?.self), known[id] == nil { known[id] = view }
    }
    if known.isEmpty { return [] }
    return TreeWalk(self).compactMap { view in
      guard let id = view.peek(.id, as: String?.self), let old = known[id],
        old.viewClass.name == view.viewClass.name
      else { return nil }
      return (old, view)
    }
  }
}
