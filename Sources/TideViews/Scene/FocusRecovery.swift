import TideBindings
import TideGraph

/// Where the focus goes when it cannot stay where it is.
///
/// A modal float that appears takes the focus into it, and gives it back when it goes. A view that
/// is hidden, disabled or taken out loses the focus to the next view in the order of Tab, else to
/// the one before. All of that happens before a frame, in `Scene.settleFocus`: until then changes
/// are only noted here.
struct FocusRecovery {
  /// A view that went out of sight with the focus in it.
  weak var hiddenView: View?
  /// Where the focused view was that was taken out.
  var gap: FocusGap?
  /// The modal floats that took the focus, outermost first.
  var modals: [ModalFocus] = []
}

/// A modal float, and the view that had the focus before it appeared.
struct ModalFocus {
  weak var float: View?
  weak var previous: View?
  /// Where that view was, once it is taken out.
  var gap: FocusGap?
}

/// Where the focus was that is lost: at a view that is still there, or between subviews.
struct FocusGap {
  private(set) weak var superview: View?
  /// The subview that came after it when it opened; nil for the gap at `superview` itself.
  private let index: Int?
  /// The `order` of the view that had the focus.
  let order: Double?

  init(at view: View) {
    superview = view
    index = nil
    order = view.tabOrder
  }

  init(in superview: View, at index: Int, order: Double?) {
    self.superview = superview
    self.index = index
    self.order = order
  }

  /// The first view that comes after the gap in the order of the tree.
  var next: View? {
    guard var superview, var index else { return superview }
    while true {
      if superview.children.indices.contains(index) { return superview.children[index] }
      guard let above = superview.parent else { return nil }
      index = above.index(of: superview) + 1
      superview = above
    }
  }
}

extension Scene {
  /// Before a frame: moves the focus to where it can be.
  func settleFocus() {
    settleModals()
    if let focused, let hidden = focusRecovery.hiddenView, focused.isWithin(hidden) {
      focus(nil)
      focusRecovery.gap = nil
    }
    focusRecovery.hiddenView = nil
    if focused.map({ !canFocus($0) }) ?? (focusRecovery.gap != nil) {
      if let gap = focusRecovery.gap ?? focused.map({ FocusGap(at: $0) }) { moveFocus(from: gap) }
    }
    focusRecovery.gap = nil
    if let pending = focus.pending {
      focus.pending = nil
      pending.wantsFocus = false
      focus(pending)
    }
    settleAutofocus()
  }

  private func settleModals() {
    if focusRecovery.modals.isEmpty && floats.shown.isEmpty { return }
    while let last = focusRecovery.modals.last {
      if let float = last.float, floats.shown.contains(where: { $0 === float }), float.isModal {
        break
      }
      focusRecovery.modals.removeLast()
      giveFocusBack(after: last)
    }
    for float in floats.shown where float.isModal {
      if focusRecovery.modals.contains(where: { $0.float === float }) { continue }
      focusRecovery.modals.append(ModalFocus(float: float, previous: focused))
      if let focused, canFocus(focused) { continue }
      focus(autofocus(in: float) ?? focusOrder(in: float).first)
    }
  }

  /// The focus returns to the view that had it, or to the next one that can have it.
  private func giveFocusBack(after modal: ModalFocus) {
    if let focused, canFocus(focused) { return }
    let previous = modal.previous
    if let previous, canFocus(previous) {
      focus(previous)
    } else if let gap = modal.gap
      ?? previous.flatMap({ $0.scene === self ? FocusGap(at: $0) : nil })
    {
      moveFocus(from: gap)
    } else if previous != nil || focused != nil {
      focus(focusOrder.first)
    } else {
      focus(nil)
    }
    focusRecovery.gap = nil
  }

  /// A view is being taken out; if the focus is in it, notes from where.
  func noteFocusGap(of view: View, in superview: View, at index: Int) {
    if isSilent || superview === window { return }
    for (place, modal) in focusRecovery.modals.enumerated() {
      guard let previous = modal.previous, previous.isWithin(view) else { continue }
      focusRecovery.modals[place].gap = FocusGap(
        in: superview, at: index, order: previous.tabOrder)
    }
    guard let focused, focused.isWithin(view) else { return }
    focusRecovery.gap = FocusGap(in: superview, at: index, order: focused.tabOrder)
  }

  /// A view of rows puts a cell out of sight that has the focus in it: the focus goes to the rows.
  func noteHidden(_ cell: View, of rows: View) {
    focusRecovery.hiddenView = cell
    if rows.flag(.focusable), focus.pending == nil { focus.pending = rows }
  }

  private func moveFocus(from gap: FocusGap) {
    guard let order = order(around: gap, in: floats.modal ?? window) else {
      focus(nil)
      return
    }
    focus(order.after.first ?? order.before.last)
  }

  /// What can have the focus before a gap in the tree and behind it; nil when the view around the
  /// gap has left, too.
  private func order(around gap: FocusGap, in top: View) -> (before: [View], after: [View])? {
    guard let superview = gap.superview, superview.scene === self else { return nil }
    let mark = gap.next
    var stops: [View] = []
    var gapIndex: Int?
    var walk = TreeWalk(top)
    while let view = walk.next() {
      if view === mark { gapIndex = gapIndex ?? stops.count }
      if view.isOutOfUse {
        walk.skipSubviews(of: view)
        // The mark may be in what is left out.
        if let mark, mark !== view, mark.isWithin(view) {
          gapIndex = gapIndex ?? stops.count
        }
      } else if view.isFocusStop {
        stops.append(view)
      }
    }
    // The lost view was before what is there now at its place in the tree.
    let lost = TabPosition(gap.order, gapIndex ?? stops.count)
    let positions = stops.enumerated().map { TabPosition($1.tabOrder, $0) }.sorted()
    return (
      positions.filter { $0 < lost }.map { stops[$0.index] },
      positions.filter { !($0 < lost) }.map { stops[$0.index] }
    )
  }
}
