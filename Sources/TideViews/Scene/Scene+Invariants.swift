import TideBindings

extension Scene {
  /// The violated invariants, as texts; empty if there are none.
  ///
  /// Called by tests after every random operation, outside updates and batches. These invariants
  /// always hold:
  ///
  /// - each view of the tree has the right scene, superview and depth;
  /// - the lists of floats and menus match the tree without duplicates, and animated or queued
  ///   views are in the tree;
  /// - the number of `hover` handlers is right;
  /// - a view with a queue flag is in the corresponding queue.
  ///
  /// These also hold when no frame is needed: nothing is queued, a recorded context menu is open,
  /// the focused view can have the focus, the visible floats are those that are not hidden, each
  /// view lies within its superview and after its preceding siblings, and `bounds` match the
  /// rectangles.
  package func brokenInvariants() -> [String] {
    var check = SceneCheck(self)
    check.checkViews()
    check.checkFloats()
    check.checkInput()
    check.checkFocus()
    if frame.size != size { check.fail("a frame of \(frame.size) in a screen of \(size)") }
    if !needsFrame && !layout.isLate { check.checkSettled() }
    return check.broken
  }
}

/// One check of a scene.
private struct SceneCheck {
  let scene: Scene
  private(set) var broken: [String] = []
  /// The window and the pop-ups.
  private let tops: [View]
  /// All views of the scene.
  private let views: [View]
  private let identities: Set<ObjectIdentifier>

  init(_ scene: Scene) {
    self.scene = scene
    tops = [scene.window] + scene.floats.all.filter { $0.parent == nil && $0 !== scene.window }
    views = tops.flatMap { Array(TreeWalk($0)) }
    identities = Set(views.map { ObjectIdentifier($0) })
  }

  mutating func fail(_ text: String) { broken.append(text) }

  private func contains(_ view: View) -> Bool { identities.contains(ObjectIdentifier(view)) }

  // MARK: At any time

  mutating func checkViews() {
    if identities.count != views.count { fail("a view is in the tree twice") }
    let marks: [(flag: LayoutState.Flags, name: String, queue: [View])] = [
      (.inMeasure, "measured", scene.layout.measureQueue),
      (.inArrange, "arranged", scene.layout.arrangeQueue),
      (.inDraw, "drawn", scene.layout.drawQueue),
      (.stateChanged, "told of changes", scene.cycle.staleViews),
    ]
    let queued = marks.map { Set($0.queue.map { ObjectIdentifier($0) }) }
    for view in views {
      if view.scene !== scene { fail("\(view.callName) does not know its scene") }
      if view.depth != (view.parent.map { $0.depth + 1 } ?? 0) {
        fail("\(view.callName) has the depth \(view.depth)")
      }
      for child in view.children where child.parent !== view {
        fail("\(child.callName) does not know its superview")
      }
      for (mark, queue) in zip(marks, queued)
      where view.layout.flags.contains(mark.flag) && !queue.contains(ObjectIdentifier(view)) {
        fail("\(view.callName) is to be \(mark.name) and is in no queue")
      }
    }
    for case let rows as RowsView in views { checkSelection(of: rows) }
    for view in scene.animation.views where !contains(view) {
      fail("\(view.callName) moves and has left")
    }
    if Set(scene.animation.views.map { ObjectIdentifier($0) }).count
      != scene.animation.views.count
    {
      fail("a view moves twice")
    }
  }

  /// The selected rows exist, and the properties match them.
  private mutating func checkSelection(of rows: RowsView) {
    let selected = rows.selectedRows
    if let broken = selected.brokenInvariant { fail("\(rows.callName): \(broken)") }
    let last = max(selected.last ?? -1, rows.selection ?? -1, rows.marks.anchor ?? -1)
    if last >= rows.count { fail("\(rows.callName) has no row \(last) to be selected") }
    if rows.mode == .none, !selected.isEmpty {
      fail("\(rows.callName) selects in spite of its mode")
    }
    guard case .object(let list as RowList) = rows.peek(.selectedIndexes, as: Value.self) else {
      return
    }
    if list.numbered != selected {
      fail("\(rows.callName) tells of \(list.count) selected rows, not of \(selected.count)")
    }
  }

  mutating func checkFloats() {
    let floating = views.filter { $0.isFloat && $0 !== scene.window }
    checkSame(scene.floats.all, floating, "floats")
    for view in views where view.layout.isFloating != (view.isFloat && view !== scene.window) {
      fail("\(view.callName) does not know whether it floats")
    }
    let all = Set(scene.floats.all.map { ObjectIdentifier($0) })
    let shown = scene.floats.shown.map { ObjectIdentifier($0) }
    if Set(shown).count != shown.count { fail("a float shows twice") }
    if !all.isSuperset(of: shown) { fail("a float shows that has left") }
  }

  mutating func checkInput() {
    let handlers = views.reduce(0) { $0 + $1.hoverHandlers }
    if scene.input.hover.handlers != handlers {
      fail("\(scene.input.hover.handlers) handlers of hover are counted of \(handlers)")
    }
    checkSame(scene.input.menus, scene.isSilent ? [] : views.filter { $0 is MenuView }, "menus")
  }

  mutating func checkFocus() {
    for view in views where view.flag(.focused) && view !== scene.focused {
      fail("\(view.callName) takes itself for focused")
    }
    if let focused = scene.focused, contains(focused), !focused.flag(.focused) {
      fail("\(focused.callName) does not know that it has the focus")
    }
  }

  private mutating func checkSame(_ noted: [View], _ found: [View], _ name: String) {
    let (noted, found) = (noted.map { ObjectIdentifier($0) }, found.map { ObjectIdentifier($0) })
    if Set(noted).count != noted.count { fail("one of the \(name) is noted twice") }
    if Set(noted) != Set(found) { fail("\(noted.count) \(name) are noted of \(found.count)") }
  }

  // MARK: When no frame is needed

  mutating func checkSettled() {
    checkSettledFocus()
    checkShownFloats()
    if let menu = scene.input.contextMenu, !menu.menu.isOpen || menu.owner?.scene !== scene {
      fail("a context menu is noted that does not show")
    }
    if scene.window.layout.rect != Rect(scene.size) {
      fail("the window is at \(scene.window.layout.rect) in \(scene.size)")
    }
    if let caret = scene.frame.caret, !Rect(scene.size).contains(caret) {
      fail("the caret is at \(caret)")
    }
    if !scene.isSilent {
      for view in views where !view.hasAppeared { fail("\(view.callName) has not appeared") }
    }
    checkRectangles()
  }

  private mutating func checkSettledFocus() {
    if scene.focus.pending != nil || scene.focus.needsReveal { fail("the focus waits") }
    if scene.focusRecovery.gap != nil || scene.focusRecovery.hiddenView != nil {
      fail("a lost focus waits")
    }
    if let focused = scene.focused, !scene.canFocus(focused) {
      fail("the focus is on \(focused.callName), which cannot have it")
    }
    // A closed float may remain below others, which still hold back the focus.
    let modals = scene.focusRecovery.modals
    let noted = modals.compactMap { $0.float.map { ObjectIdentifier($0) } }
    let shown = scene.floats.shown.filter(\.isModal).map { ObjectIdentifier($0) }
    if Set(noted).count != noted.count { fail("a modal float has taken the focus twice") }
    if !Set(noted).isSuperset(of: shown) { fail("a modal float has not taken the focus") }
    if let last = modals.last {
      let isShown = last.float.map { shown.contains(ObjectIdentifier($0)) } ?? false
      if !isShown { fail("a modal float has gone and not given the focus back") }
    }
  }

  private mutating func checkShownFloats() {
    checkSame(scene.floats.shown, scene.floats.all.filter(\.isShown), "shown floats")
    for float in scene.floats.shown where !Rect(scene.size).contains(float.layout.visible) {
      fail("\(float.callName) floats at \(float.layout.visible)")
    }
  }

  /// Checks visible views only; other rectangles are meaningless.
  private mutating func checkRectangles() {
    let shown = Set(scene.floats.shown.map { ObjectIdentifier($0) })
    for top in tops {
      var walk = TreeWalk(top)
      while let view = walk.next() {
        let isOut = view.layout.isFloating && !shown.contains(ObjectIdentifier(view))
        if view.layout.box.isHidden || isOut {
          walk.skipSubviews(of: view)
        } else {
          checkBounds(of: view)
          checkSubviews(of: view)
        }
      }
    }
  }

  /// `bounds` equal the layout's rectangles, unless they did not settle.
  private mutating func checkBounds(of view: View) {
    guard let bounds = view.extras?.bounds, bounds.rect != view.rectInSuperview,
      !scene.cycle.unsettledBounds.contains(where: { $0.view === view })
    else { return }
    fail("\(view.callName) is at \(view.rectInSuperview), and its bounds are \(bounds.rect)")
  }

  /// Subviews lie within their superview and are clipped to its visible part; those of a row or a
  /// column do not overlap.
  private mutating func checkSubviews(of view: View) {
    if let rows = view as? RowsView {
      for cell in rows.cells where cell.flag(.selected) != rows.isSelected(cell.row) {
        fail("\(cell.callName) of row \(cell.row) does not know whether it is selected")
      }
    }
    let scrolls = view is ScrollView || view is RowsView || view.parent is RowsView
    let axis =
      (view.viewClass.arrangement as? Column)?.axis
      ?? (view.viewClass.arrangement as? Row)?.axis
    var end = Int.min
    for child in view.children where child.layout.isInFlow {
      let (rect, visible) = (child.layout.rect, child.layout.visible)
      if let axis {
        let start = axis == .vertical ? rect.y : rect.x
        if start < end { fail("\(child.callName) is at \(rect), before a sibling's end at \(end)") }
        end = axis == .vertical ? rect.maxY : rect.maxX
      }
      if visible.isEmpty { continue }
      if !rect.contains(visible) || !view.layout.visible.contains(visible) {
        fail("\(child.callName) shows \(visible) of \(rect), in \(view.layout.visible)")
      }
      if !scrolls && !view.layout.rect.contains(rect) {
        fail("\(child.callName) is at \(rect), outside \(view.layout.rect)")
      }
    }
  }
}
