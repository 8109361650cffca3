import TideBindings
import TideGraph

/// Which view has the focus, and which is to get it.
struct Focus {
  /// The view with the focus.
  weak var view: View?
  /// The person who has this focus, where several people share the scene.
  weak var owner: ScenePerson?
  /// Gets the focus in the next frame: it asked for it before it was shown.
  weak var pending: View?
  /// A view with `autofocus` has come into the scene.
  var hasAutofocus = false
  /// Something is shown for the first time, of which such a view is to get the focus.
  var needsAutofocus = true
  /// The view has to be scrolled into sight.
  var needsReveal = false

  /// Takes the focus away without sending `blur`.
  mutating func detach() {
    view = nil
    needsReveal = false
  }
}

/// A place in the order of Tab: by `order` where there is one, and else by the tree.
struct TabPosition: Comparable {
  let order: Double
  let index: Int

  init(_ order: Double?, _ index: Int) {
    self.order = order ?? .infinity
    self.index = index
  }

  static func < (left: TabPosition, right: TabPosition) -> Bool {
    (left.order, left.index) < (right.order, right.index)
  }
}

extension Scene {
  /// The view with the focus; nil for none.
  public var focused: View? { focus.view }
  /// Whether the focus will move in the next frame.
  package var isFocusPending: Bool { focus.pending != nil }
  /// Whether a text input has the focus.
  package var isTyping: Bool { focused is TextInputView }

  /// Gives the focus to a view, or takes it away. False when the view cannot have it: it is not
  /// focusable, hidden or disabled, or a view above it is.
  @discardableResult
  public func focus(_ view: View?) -> Bool {
    if view === focused {
      focus.owner = person
      return true
    }
    if let view, !canFocus(view) { return false }
    let old = focused
    let owner = focus.owner
    focus.owner = person
    focus.view = view
    focus.needsReveal = view != nil
    if let old { leave(old, whoseFocusWas: owner) }
    input.endTyping(of: person ?? user, exceptIn: view)
    // A handler of `blur` may have moved it on.
    if let view, focused === view { sendFocusChange(to: view, isFocused: true) }
    if input.depth == 0 { settleRecordEdits() }
    return true
  }

  /// Takes the focus from a view. What was typed there is written now: that is part of the typing,
  /// and an act of the person who typed, whoever moves the focus.
  private func leave(_ view: View, whoseFocusWas owner: ScenePerson?) {
    let author = view.extras?.author ?? owner ?? user
    guard let field = view as? TextInputView, field.isBeingEdited,
      let gesture = input.gesture(ofTypingIn: field, by: author)
    else { return sendFocusChange(to: view, isFocused: false) }
    perform(PersonInput(gesture: gesture, isTyping: true, isApart: true)) {
      acting(as: author) { sendFocusChange(to: view, isFocused: false) }
    }
  }

  private func sendFocusChange(to view: View, isFocused: Bool) {
    view.put(.focused, .boolean(isFocused))
    view.setNeedsDraw()
    view.arrangeForFocus()
    view.focusChanged(isFocused)
    view.tellAncestorsOfFocus()
    view.send(isFocused ? .focus : .blur)
  }

  /// The top left corner of the focused view, where it is in sight: for a medium without another
  /// way to show where the focus is.
  package var focusCorner: Point? {
    guard let focused, !focused.layout.visible.isEmpty else { return nil }
    let corner = focused.layout.visible.origin
    return isCovered(corner, of: focused) ? nil : corner
  }

  /// The tooltip of the focused view, or of the nearest one above it that has one: what a renderer
  /// may show in a line of its own.
  public var hint: String? {
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
    guard focus.needsReveal else { return }
    focus.needsReveal = false
    guard let focused, focused.scene === self else { return }
    var ancestor = focused.parent
    while let view = ancestor {
      view.reveal(focused.layout.rect)
      if view.layout.isFloating { return }
      ancestor = view.parent
    }
  }

  func canFocus(_ view: View) -> Bool {
    guard view.scene === self, view.isFocusStop else { return false }
    return view.isUsable && !floats.isBlocked(view)
  }

  // MARK: The order of Tab

  /// The views that Tab goes through: those with an `order` by that, and then the others in the
  /// order of the tree; while something modal is shown, those in it.
  package var focusOrder: [View] { focusOrder(in: floats.modal ?? window) }

  /// Whether something modal shows, which alone takes keys and clicks.
  package var isAsking: Bool { floats.modal != nil }

  /// Where that shows; nil for nothing modal.
  package var askingRect: Rect? { floats.modal?.layout.visible }

  func focusOrder(in top: View) -> [View] {
    var order: [View] = []
    var hasOrder = false
    var walk = TreeWalk(top)
    while let view = walk.next() {
      if view.isOutOfUse {
        walk.skipSubviews(of: view)
      } else if view.isFocusStop {
        order.append(view)
        if view.tabOrder != nil { hasOrder = true }
      }
    }
    return hasOrder ? sortedByOrder(order) : order
  }

  /// Sorts views in the order of the tree.
  private func sortedByOrder(_ views: [View]) -> [View] {
    views.enumerated().map { TabPosition($1.tabOrder, $0) }.sorted().map { views[$0.index] }
  }

  /// The first view in a tree that is to have the focus when it is shown, in the order of Tab.
  func autofocus(in top: View) -> View? {
    focus.hasAutofocus ? focusOrder(in: top).first { $0.flag(.autofocus) } : nil
  }

  /// The view that is to have the focus where all this is shown for the first time.
  package var autofocused: View? { autofocus(in: floats.modal ?? window) }

  /// Gives the focus to what is to have it in what is shown for the first time.
  func settleAutofocus() {
    guard focus.needsAutofocus, !isSilent else { return }
    focus.needsAutofocus = false
    if focused == nil, let view = autofocus(in: floats.modal ?? window) { focus(view) }
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

  /// Its place among the views that come first in the order of Tab; nil for none.
  final var tabOrder: Double? {
    peek(.order, as: Double?.self).flatMap { $0.isNaN ? nil : $0 }
  }

  /// Whether this view has the focus.
  public final var isFocused: Bool { self[.focused] }

  /// Calls `focusWithinChanged` of the views above.
  final func tellAncestorsOfFocus() {
    var above = parent
    while let ancestor = above {
      // Found before, because the view may be taken out meanwhile.
      above = ancestor.parent
      ancestor.focusWithinChanged()
    }
  }
}
