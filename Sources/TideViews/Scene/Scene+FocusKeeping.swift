import TideBindings
import TideGraph

/// A modal float, and who had the focus before it appeared.
struct ModalTurn {
  weak var float: View?
  weak var before: View?
}

extension Scene {
  /// Before a frame: sees to it that the focus is where it can be.
  ///
  /// A modal float that appears takes the focus into it, and gives it back when it goes. A view that
  /// is hidden, disabled or taken out loses it to the next one in the order, else to the one before.
  func settleFocus() {
    settleModals()
    if let focused, let losing = viewLosingFocus, focused.isWithin(losing) {
      focus(nil)
      focusGap = nil
    }
    viewLosingFocus = nil
    if focused.map({ !canFocus($0) }) ?? (focusGap != nil) {
      if let gap = focusGap ?? focused.map({ .view($0) }) { passFocusOn(from: gap) }
    }
    focusGap = nil
    if let wanted = focusWhenShown {
      focusWhenShown = nil
      wanted.wantsFocus = false
      focus(wanted)
    }
  }

  private func settleModals() {
    if modalStack.isEmpty && shownFloats.isEmpty { return }
    while let turn = modalStack.last {
      if let float = turn.float, shownFloats.contains(where: { $0 === float }), float.isModal {
        break
      }
      modalStack.removeLast()
      giveBack(to: turn.before)
    }
    for float in shownFloats where float.isModal {
      if modalStack.contains(where: { $0.float === float }) { continue }
      modalStack.append(ModalTurn(float: float, before: focused))
      if let focused, canFocus(focused) { continue }
      focus(focusOrder(in: float).first)
    }
  }

  private func giveBack(to before: View?) {
    if let focused, canFocus(focused) { return }
    if let before, canFocus(before) {
      focus(before)
    } else if before != nil || focused != nil {
      focus(focusOrder.first)
    } else {
      focus(nil)
    }
    focusGap = nil
  }

  /// A view is being taken out; if the focus is in it, remembers from where.
  func noteGap(of view: View, in superview: View, at index: Int) {
    guard let focused, !isSilent, superview !== window, focused.isWithin(view) else { return }
    focusGap = .place(superview, index)
  }

  private func passFocusOn(from gap: FocusGap) {
    guard let order = order(around: gap, in: modal ?? window) else {
      focus(nil)
      return
    }
    focus(order.after.first ?? order.before.last)
  }

  /// What can have the focus before a place in the tree and behind it; nil when the place is gone too.
  private func order(around gap: FocusGap, in top: View) -> (before: [View], after: [View])? {
    guard let superview = gap.superview, superview.scene === self else { return nil }
    let mark = gap.next
    var before: [View] = []
    var after: [View] = []
    var isBehind = false
    var walk = TreeWalk(top)
    while let view = walk.next() {
      if view === mark { isBehind = true }
      if view.flag(.hidden) || !view.flag(.enabled) || view.parent?.conceals(view) == true {
        walk.skipSubviews(of: view)
        // The mark may be in what is left out.
        if let mark, mark !== view, mark.isWithin(view) { isBehind = true }
      } else if view.isFocusStop {
        if isBehind { after.append(view) } else { before.append(view) }
      }
    }
    return (before, after)
  }
}

/// Where the focus was that is lost: at a view that is still there, or between subviews.
enum FocusGap {
  case view(View)
  case place(View, Int)

  var superview: View? {
    switch self {
    case .view(let view): view
    case .place(let superview, _): superview
    }
  }

  /// The first view that comes after the gap in the order of the tree.
  var next: View? {
    guard case .place(var superview, var index) = self else { return superview }
    while true {
      if superview.children.indices.contains(index) { return superview.children[index] }
      guard let above = superview.parent else { return nil }
      index = above.place(of: superview) + 1
      superview = above
    }
  }
}

extension View {
  /// Whether it is a view or somewhere below it.
  func isWithin(_ view: View) -> Bool {
    var current: View? = self
    while let ancestor = current {
      if ancestor === view { return true }
      current = ancestor.parent
    }
    return false
  }
}
