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

  func canFocus(_ view: View) -> Bool {
    guard view.scene === self, view.flag(.focusable) else { return false }
    return isUsable(view)
  }

  /// Whether neither the view nor one above it is hidden or disabled.
  func isUsable(_ view: View) -> Bool {
    var current: View? = view
    while let ancestor = current {
      if ancestor.flag(.hidden) || !ancestor.flag(.enabled) { return false }
      current = ancestor.parent
    }
    return true
  }

  /// The views that Tab goes through, in the order of the tree.
  public var focusOrder: [View] {
    var order: [View] = []
    var walk = TreeWalk(window)
    while let view = walk.next() {
      if view.flag(.hidden) || !view.flag(.enabled) {
        walk.skipSubviews(of: view)
      } else if view.flag(.focusable) {
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

  private func isInViewLosingFocus(_ view: View) -> Bool {
    guard let losing = viewLosingFocus else { return false }
    var current: View? = view
    while let ancestor = current, ancestor !== losing { current = ancestor.parent }
    return current != nil
  }

  /// Takes the focus from a view that cannot have it any more, and gives it to one that asked for it
  /// before it was shown.
  func settleFocus() {
    if let focused, !canFocus(focused) || isInViewLosingFocus(focused) { focus(nil) }
    viewLosingFocus = nil
    if let wanted = focusWhenShown {
      focusWhenShown = nil
      wanted.wantsFocus = false
      focus(wanted)
    }
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
