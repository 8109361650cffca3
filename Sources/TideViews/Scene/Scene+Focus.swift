import TideBindings
import TideGraph

extension Scene {
  /// Gives the focus to a view, or takes it away. False when the view cannot have it: it is not
  /// focusable, hidden or disabled, or a view above it is.
  @discardableResult
  public func focus(_ view: View?) -> Bool {
    if view === focused { return true }
    if let view, !canFocus(view) { return false }
    let old = focused
    focused = view
    revealsFocus = view != nil
    if let old { tell(old, isFocused: false) }
    // A handler of `blur` may have moved it on.
    if let view, focused === view { tell(view, isFocused: true) }
    return true
  }

  private func tell(_ view: View, isFocused: Bool) {
    view.put(.focused, .boolean(isFocused))
    view.setNeedsDraw()
    view.focusChanged(isFocused)
    var above = view.parent
    while let ancestor = above {
      above = ancestor.parent
      ancestor.focusWithinChanged()
    }
    view.send(isFocused ? .focus : .blur)
  }

  /// The corner of the focused view, where it is in sight: for a medium without another way to show
  /// where the focus is.
  package var placeOfFocus: Point? {
    guard let focused, !focused.layout.visible.isEmpty else { return nil }
    let corner = focused.layout.visible.origin
    return isCovered(corner, of: focused) ? nil : corner
  }

  func currentHint() -> String? {
    graph.untracked {
      var current = focused
      while let view = current {
        if let tooltip = view.peek(.tooltip, as: String?.self), !tooltip.isEmpty { return tooltip }
        current = view.parent
      }
      return nil
    }
  }

  /// Scrolls the focused view into sight when it has just got the focus.
  func revealFocus() {
    guard revealsFocus else { return }
    revealsFocus = false
    guard let focused, focused.scene === self else { return }
    var ancestor = focused.parent
    while let view = ancestor {
      view.reveal(focused.layout.place)
      if view.layout.isFloating { return }
      ancestor = view.parent
    }
  }

  func canFocus(_ view: View) -> Bool {
    guard view.scene === self, view.isFocusStop else { return false }
    return isUsable(view) && !isBlocked(view)
  }

  /// Whether neither the view nor one above it is hidden, disabled or out of sight.
  func isUsable(_ view: View) -> Bool {
    var current: View? = view
    while let ancestor = current {
      if ancestor.flag(.hidden) || !ancestor.flag(.enabled) { return false }
      if ancestor.parent?.conceals(ancestor) == true { return false }
      current = ancestor.parent
    }
    return true
  }

  /// The views that Tab goes through, in the order of the tree; while something modal is shown, those
  /// in it.
  public var focusOrder: [View] { focusOrder(in: modal ?? window) }

  func focusOrder(in top: View) -> [View] {
    var order: [View] = []
    var walk = TreeWalk(top)
    while let view = walk.next() {
      if view.flag(.hidden) || !view.flag(.enabled) || view.parent?.conceals(view) == true {
        walk.skipSubviews(of: view)
      } else if view.isFocusStop {
        order.append(view)
      }
    }
    return order
  }

  /// Moves the focus to the next view, or the one before; false when there is none to go to.
  @discardableResult
  public func moveFocus(forward: Bool = true) -> Bool {
    // Views that came with changes of this turn, such as a list's cells, count already.
    let order = focusOrder
    guard let first = order.first, let last = order.last else { return false }
    guard let focused, let index = order.firstIndex(where: { $0 === focused }) else {
      return focus(forward ? first : last)
    }
    let next = index + (forward ? 1 : -1)
    return focus(order.indices.contains(next) ? order[next] : (forward ? first : last))
  }
}

extension View {
  /// Asks for the focus; a view that is not shown yet gets it when it is.
  @discardableResult
  public func focus() -> Bool {
    guard let scene else {
      wantsFocus = true
      return flag(.focusable)
    }
    return scene.focus(self)
  }

  /// Whether this view has the focus.
  public final var isFocused: Bool { self[.focused] }

  /// Has the view drawn again in the next frame.
  public final func setNeedsDraw() { scene?.layout.needsDraw(self) }

  /// Has the view asked for its natural size again before the next frame.
  public final func setNeedsLayout() {
    guard let scene else { return }
    scene.layout.needsMeasure(self)
    scene.layout.needsArrange(self)
    scene.layout.needsDraw(self)
  }
}
