import TideGraph

extension View {
  /// Releases the subviews iteratively, so that a deep tree does not cause deep recursion.
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

  /// Called when the superview is deallocated; a view that is still referenced then has no
  /// superview.
  private func lose(_ superview: View) {
    parent = nil
    setSuperviewSlot(nil, replacing: superview)
  }

  /// Stores the superview without owning it: the slot's own retain is balanced by a release.
  final func setSuperviewSlot(_ new: View?, replacing old: View?) {
    setUnowned(.superview, new, replacing: old)
  }

  final func setWindowSlot(_ new: View?, replacing old: View?) {
    setUnowned(.window, new, replacing: old)
  }

  private func setUnowned(_ property: ViewProperty, _ new: View?, replacing old: View?) {
    if new === old { return }
    // The slot will release its former value, whose retain was already released.
    if let old { _ = Unmanaged.passUnretained(old).retain() }
    put(property, new.map { .object($0) } ?? .null)
    if let new { Unmanaged.passUnretained(new).release() }
  }
}
