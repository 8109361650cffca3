import TideBindings
import TideGraph

/// The focused view, and pending changes of the focus.
struct Focus {
  /// The view with the focus.
  weak var view: View?
  /// The person who has this focus, if several share the scene.
  weak var owner: ScenePerson?
  /// The view that gets the focus in the next frame, because it requested the focus before it was
  /// shown.
  weak var pending: View?
  /// Whether a view with `autofocus` has been added to the scene.
  var hasAutofocus = false
  /// Whether the root is shown for the first time, so that `autofocus` applies.
  var needsAutofocus = true
  /// Whether the focused view must be scrolled into view.
  var needsReveal = false

  /// Removes the focus without sending `blur`.
  mutating func detach() {
    view = nil
    needsReveal = false
  }
}

/// A position in the tab order: by `order` if it is set, and then by the position in the tree.
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

  /// Moves the focus to a view, or removes it. Returns false if the view cannot have it: it or a
  /// superview is hidden or disabled, or it is not focusable.
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
    // A handler of `blur` may have moved the focus again.
    if let view, focused === view { sendFocusChange(to: view, isFocused: true) }
    if input.depth == 0 { settleRecordEdits() }
    return true
  }

  /// Removes the focus from a view. The typed text is committed now, unless another person is still
  /// typing there.
  private func leave(_ view: View, whoseFocusWas owner: ScenePerson?) {
    guard let field = view as? TextInputView, field.isBeingEdited else {
      return sendFocusChange(to: view, isFocused: false)
    }
    let endsEditing = !input.isTyped(in: field, byOthersThan: person)
    asTyping(in: field, of: owner) {
      sendFocusChange(to: view, isFocused: false, endsEditing: endsEditing)
    }
  }

  /// Commits the text that a person has typed in a field while the scene's focus is elsewhere:
  /// other people have acted since, or have hidden the field. Has no effect while another person is
  /// still typing there. If the person has left the field, their typing ends as well.
  package func endTyping(of person: ScenePerson, in view: View) {
    guard view !== focused, let field = view as? TextInputView,
      !input.isTyped(in: field, byOthersThan: person)
    else { return }
    commitTyping(in: field, of: person) {
      if person.focus !== view { input.endTyping(of: person, exceptIn: nil) }
    }
  }

  /// Whether a person is typing in a field. They may be away, with their focus there.
  package func isTyped(in view: View, by person: ScenePerson) -> Bool {
    guard let field = view as? TextInputView, field.scene === self, field.isBeingEdited else {
      return false
    }
    return input.gesture(ofTypingIn: field, by: person) != nil
  }

  /// Makes the text that a person is typing in a field that of another person, who continues it.
  package func passTyping(in view: View, from former: ScenePerson, to heir: ScenePerson) {
    guard isTyped(in: view, by: former), let field = view as? TextInputView else { return }
    input.passTyping(in: field, from: former, to: heir)
    if field.extras?.author === former { field.ownExtras.author = heir }
  }

  /// Commits the text that people have typed in a field. They may continue typing.
  ///
  /// - Parameters:
  ///   - person: the person who typed, if the field does not know.
  ///   - committed: called after the commit, before the edits of records are checked.
  package func commitTyping(
    in field: TextInputView, of person: ScenePerson, _ committed: () -> Void = {}
  ) {
    guard field.scene === self, field.isBeingEdited else { return }
    withinBudget {
      asTyping(in: field, of: person) { field.focusChanged(false) }
    }
    committed()
    if input.depth == 0 { settleRecordEdits() }
  }

  /// Commits the text typed in a field. The commit is part of the typing: it is attributed to the
  /// person who typed, even if another person causes it.
  private func asTyping(
    in field: TextInputView, of owner: ScenePerson?, _ commit: () -> Void
  ) {
    let author = field.extras?.author ?? owner ?? user
    guard let gesture = input.gesture(ofTypingIn: field, by: author) else { return commit() }
    perform(PersonInput(gesture: gesture, isTyping: true, isApart: true)) {
      acting(as: author, commit)
    }
  }

  private func sendFocusChange(to view: View, isFocused: Bool, endsEditing: Bool = true) {
    view.put(.focused, .boolean(isFocused))
    view.setNeedsDraw()
    view.arrangeForFocus()
    if isFocused || endsEditing { view.focusChanged(isFocused) }
    view.tellAncestorsOfFocus()
    view.send(isFocused ? .focus : .blur)
  }

  /// The top left corner of the focused view if it is visible, for media that have no other way to
  /// indicate the focus.
  package var focusCorner: Point? {
    guard let focused, !focused.layout.visible.isEmpty else { return nil }
    let corner = focused.layout.visible.origin
    return isCovered(corner, of: focused) ? nil : corner
  }

  /// The tooltip of the focused view, or of its nearest superview that has one, which a renderer
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

  /// Scrolls the view that has just received the focus into view.
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

  // MARK: The tab order

  /// The views in the tab order: those with an `order` first, then the others in the order of the
  /// tree; while a modal float is visible, only the views in it.
  package var focusOrder: [View] { focusOrder(in: floats.modal ?? window) }

  /// Whether a modal float is visible, which receives all keys and clicks.
  package var isAsking: Bool { floats.modal != nil }

  /// The visible area of the modal float; nil if there is none.
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

  /// Sorts views, given in the order of the tree, by `order`.
  private func sortedByOrder(_ views: [View]) -> [View] {
    views.enumerated().map { TabPosition($1.tabOrder, $0) }.sorted().map { views[$0.index] }
  }

  /// The first `autofocus` view in a tree, in the tab order.
  func autofocus(in top: View) -> View? {
    focus.hasAutofocus ? focusOrder(in: top).first { $0.flag(.autofocus) } : nil
  }

  /// The view that gets the focus when the scene is shown for the first time.
  package var autofocused: View? { autofocus(in: floats.modal ?? window) }

  /// Applies `autofocus` when the scene is shown for the first time.
  func settleAutofocus() {
    guard focus.needsAutofocus, !isSilent else { return }
    focus.needsAutofocus = false
    if focused == nil, let view = autofocus(in: floats.modal ?? window) { focus(view) }
  }

  /// Moves the focus to the next or previous view; false if there is none.
  @discardableResult
  public func moveFocus(forward: Bool = true) -> Bool {
    // Includes views that were added in this turn, such as the cells of a list.
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
  /// Requests the focus; a view that is not in a scene gets it when it is shown. Returns false for a
  /// view that was removed.
  @discardableResult
  public func focus() -> Bool {
    guard let scene else {
      wantsFocus = true
      return flag(.focusable) && !wasShown
    }
    return scene.focus(self)
  }

  /// The view's `order` in the tab order; nil for none.
  final var tabOrder: Double? {
    peek(.order, as: Double?.self).flatMap { $0.isNaN ? nil : $0 }
  }

  /// Whether this view has the focus.
  public final var isFocused: Bool { self[.focused] }

  /// Calls `focusWithinChanged` of the views above.
  final func tellAncestorsOfFocus(keepsSelection: Bool = false) {
    var above = parent
    while let ancestor = above {
      // Read first, because the view may be removed by the call.
      above = ancestor.parent
      ancestor.focusWithinChanged(keepsSelection: keepsSelection)
    }
  }
}
