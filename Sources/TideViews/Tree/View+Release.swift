import TideGraph

extension View {
  /// Lets go of the subviews one by one, so that a deep tree does not end in a deep recursion.
  final func releaseSubviews() {
    if children.isEmpty { return }
    var doomed: [View] = []
    swap(&doomed, &children)
    for child in doomed { child.lose(self) }
    while var view = doomed.popLast() {
      guard isKnownUniquelyReferenced(&view) else { continue }
      for child in view.children { child.lose(view) }
      doomed.append(contentsOf: view.children)
      view.children.removeAll()
    }
  }

  /// The superview ends; a view that is still held elsewhere has none from now on.
  private func lose(_ superview: View) {
    parent = nil
    setSuperviewSlot(nil, replacing: superview)
  }

  /// Stores the superview without owning it: the slot's own retain is given back.
  final func setSuperviewSlot(_ new: View?, replacing old: View?) {
    setUnowned(.superview, new, replacing: old)
  }

  final func setWindowSlot(_ new: View?, replacing old: View?) {
    setUnowned(.window, new, replacing: old)
  }

  private func setUnowned(_ property: ViewProperty, _ new: View?, replacing old: View?) {
    if new === old { return }
    // The slot will release what it holds, which it has not paid for.
    if let old { _ = Unmanaged.passUnretained(old).retain() }
    put(property, new.map { .object($0) } ?? .null)
    if let new { Unmanaged.passUnretained(new).release() }
  }
}
