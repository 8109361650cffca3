import TideScript
import TideSystem
import TideViews

/// Who acted last. Scripts read and write the leader's focus, size and scroll offsets.
enum Leader {
  /// Nobody has acted yet: scripts' changes apply to all viewers.
  case nobody
  case viewer(PageViewer)
  /// The user of a terminal that shows the app beside the pages.
  case terminal
}

extension WebRenderer {
  /// The viewers who receive scripts' changes of focus and scroll offset. The others stay where
  /// they are.
  var recipients: [PageViewer] {
    switch leader {
    case .nobody: Array(viewers.values)
    case .viewer(let viewer): viewer.connection == nil ? [] : [viewer]
    case .terminal: []
    }
  }

  /// Whether a viewer is the one who acted last.
  func leads(_ viewer: PageViewer) -> Bool {
    if case .viewer(let other) = leader { other === viewer } else { false }
  }

  /// Whether the app's size is that of a viewer's window.
  func follows(_ viewer: PageViewer) -> Bool {
    switch leader {
    case .nobody: true
    case .viewer(let other): other === viewer || other.connection == nil
    case .terminal: false
    }
  }

  /// Resizes the app to a viewer's window. Beside a terminal, the terminal's size applies.
  func resize(_ scene: Scene, to viewer: PageViewer) {
    if let size = viewer.size, scene.isShown(by: self) { scene.resize(size) }
  }

  /// Makes a viewer the leader: from now on scripts read its focus, size and scroll offsets.
  func lead(_ viewer: PageViewer, in scene: Scene) {
    if leads(viewer) { return }
    switch leader {
    case .viewer: break
    case .nobody, .terminal: focusElsewhere = scene.focused
    }
    leader = .viewer(viewer)
    resize(scene, to: viewer)
    // If the viewer has no focus, the focus stays in the view that another viewer is editing.
    if let id = viewer.focus, let view = tree.view(id), scene.focus(view) { knownFocus = id }
    scene.scrollsElsewhere = true
    for (id, view) in tree.views {
      guard let view = view as? ScrollView else { continue }
      view.follow(viewer.offsets[id] ?? Point(x: 0, y: 0))
    }
  }

  /// Makes the terminal the leader, because it was used.
  package func leaveLead() {
    guard case .viewer = leader, let scene else { return }
    leader = .terminal
    scene.person = nil
    person = .unknown
    scene.scrollsElsewhere = false
    scene.focus(focusElsewhere)
    for case (_, let view as ScrollView) in tree.views { view.follow(nil) }
  }

  /// Sends pages the scroll positions that scripts have set.
  func sendOffsets(of changed: [View]) {
    let used = rowsInUse
    rowsInUse = []
    for view in changed {
      guard let id = tree.id(of: view) else { continue }
      if let sought = (view as? RowsView)?.takeSoughtRow() {
        if sought.isSelection, used.contains(id) { continue }
        for viewer in recipients where tree.has(id, viewer.person) {
          send(Self.scroll(id, [sought.row]), to: viewer)
        }
      }
      guard let scroll = view as? ScrollView else { continue }
      for viewer in recipients { sendOffset(of: scroll, id, to: viewer) }
    }
  }

  private func sendOffset(of scroll: ScrollView, _ id: Int, to viewer: PageViewer) {
    let offset = Point(x: scroll.scrollX, y: scroll.scrollY)
    if viewer.isBehind || !tree.has(id, viewer.person) { return }
    if viewer.offsets[id] ?? Point(x: 0, y: 0) == offset { return }
    viewer.offsets[id] = offset
    send(Self.scroll(id, [offset.x, offset.y]), to: viewer)
  }

  /// Records which view has the focus in a page.
  func note(focus id: Int?, of viewer: PageViewer) {
    let former = viewer.person.focus
    viewer.focus = id
    viewer.person.focus = id.flatMap { tree.view($0) }
    if let former, former !== viewer.person.focus {
      scene?.endTyping(of: viewer.person, in: former)
    }
  }

  func sendFocus(_ id: Int?, to viewer: PageViewer) {
    if viewer.isBehind { return }
    var wire = WireText()
    writeFocus(id, of: viewer, &wire)
    send(wire, to: viewer)
  }

  /// Writes the focus of a page: none if the view is in another person's dialog.
  func writeFocus(_ id: Int?, of viewer: PageViewer, _ wire: inout WireText) {
    let id = id.flatMap { tree.has($0, viewer.person) ? $0 : nil }
    note(focus: id, of: viewer)
    wire.raw("[\"focus\",\(id ?? 0)]")
  }

  /// Sends focus and offsets that scripts have set while a page was disconnected or behind.
  func resendFocusAndOffsets(to viewer: PageViewer) {
    guard let scene, recipients.contains(where: { $0 === viewer }) else { return }
    sendFocus(scene.focused.flatMap { tree.id(of: $0) }, to: viewer)
    for (id, view) in tree.views {
      if let scroll = view as? ScrollView { sendOffset(of: scroll, id, to: viewer) }
    }
  }

  /// Sends a new page the focus and the scroll offsets that the app begins with. A page that
  /// continues the typing of a former one gets the focus of that one.
  func sendBeginning(to viewer: PageViewer) {
    guard let scene else { return }
    if let id = viewer.focus { return sendFocus(id, to: viewer) }
    var isFirst = false
    if case .nobody = leader { isFirst = true }
    let focused = isFirst ? scene.focused : scene.autofocused
    if let id = focused.flatMap({ tree.id(of: $0) }), tree.has(id, viewer.person) {
      sendFocus(id, to: viewer)
    }
    if !isFirst { return }
    for (id, view) in tree.views {
      if let scroll = view as? ScrollView { sendOffset(of: scroll, id, to: viewer) }
      if let rows = view as? RowsView, rows.firstRow > 0, tree.has(id, viewer.person) {
        send(Self.scroll(id, [rows.lastRow]), to: viewer)
      }
    }
  }

  private static func scroll(_ id: Int, _ place: [Int]) -> WireText {
    var wire = WireText()
    wire.array { wire in
      wire.string("scroll")
      for number in [id] + place { wire.number(number) }
    }
    return wire
  }
}
