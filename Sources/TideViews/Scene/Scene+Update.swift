import TideBindings
import TideGraph

extension Scene {
  /// How often layout may ask for more of itself in one frame; beyond it the rest waits.
  private static let roundLimit = 20

  /// Brings the picture up to date; nil when nothing has changed.
  func update() -> Changes? {
    if isUpdating { return nil }
    isUpdating = true
    defer { isUpdating = false }
    var changes: Changes?
    layout.beginFrame()
    withinBudget { settleLayout() }
    // A turn of its own, because what was drawn is not kept for another frame.
    if !layout.isLate { withinBudget { changes = paint() } }
    tellOfLateness()
    return changes
  }

  /// Says once that the turn did not suffice, until a frame comes to its end.
  private func tellOfLateness() {
    guard layout.isLate else {
      (lateFrames, latePictures) = (0, 0)
      return
    }
    lateFrames += 1
    guard lateFrames == 1, let view = layout.lateView else { return }
    view.report(
      TideError(
        .scriptTime,
        "the turn took too long: what is shown could not be laid out and drawn in the time of one"
          + " turn, which was over at \(view.callName); the rest is left to the next frame. Show fewer"
          + " views or less text at a time, or give turns more time",
        cause: WorkError.time))
  }

  /// A frame is one turn, whatever scripts make and draw in it, and so is what input brings about.
  func withinBudget(_ body: () -> Void) {
    if let runWithinBudget { runWithinBudget(body) } else { body() }
  }

  /// Gives all views their places, and makes the cells that are seen, without drawing anything.
  package func layOut() {
    if isUpdating { return }
    isUpdating = true
    defer { isUpdating = false }
    layout.beginFrame()
    withinBudget { settleLayout() }
    tellOfLateness()
    layout.forgetViews(outside: self)
  }

  private func settleLayout() {
    graph.untracked {
      tellAppearances()
      var rounds = 0
      repeat {
        Self.collectChanges(in: graph)
        refreshStates()
        if layout.isLate { break }
        layout.measureAll(in: self)
        if layout.isLate { break }
        placeWindow()
        layout.arrangeAll(in: self)
        if layout.isLate { break }
        placeFloats()
        layout.arrangeAll(in: self)
        if layout.isLate { break }
        settleFocus()
        revealFocus()
        sendEventsOfLayout()
        rounds += 1
      } while (graph.hasTouched || !layout.isIdle || !stateful.isEmpty || revealsFocus)
        && rounds < Self.roundLimit
      let isSettled =
        !graph.hasTouched && layout.isIdle && stateful.isEmpty && !revealsFocus
      // What the turn left undone says nothing of a loop.
      if _slowPath(!isSettled || layoutLoop != nil), !layout.isLate {
        noteLoop(isSettled: isSettled)
      }
      Self.collectChanges(in: graph)
    }
  }

  /// Lists that the layout did not settle, with what changed last, until it does.
  private func noteLoop(isSettled: Bool) {
    if isSettled {
      if let known = layoutLoop { BindingTable.of(graph).withdraw(known) }
      layoutLoop = nil
    } else if layoutLoop == nil {
      var names: Set<String> = []
      Self.collectChanges(in: graph) { names.insert(graph.name(of: $0)) }
      let changing =
        names.isEmpty ? "" : names.sorted().prefix(3).joined(separator: ", ") + " changes again; "
      layoutLoop = tell(
        TideError(
          .cycle,
          "the layout does not settle in \(Self.roundLimit) rounds; \(changing)look for a handler or "
            + "a binding that follows the layout and changes it"))
    }
  }

  private func tell(_ error: TideError) -> TideError {
    guard let onError else { return BindingTable.of(graph).list(error) }
    onError(error)
    return error
  }

  private func placeWindow() {
    let area = Rect(size)
    if window.layout.place == area && window.layout.visible == area { return }
    window.layout.place = area
    window.layout.visible = area
    layout.needsArrange(window)
    layout.needsDraw(window)
  }

  private func sendEventsOfLayout() {
    if afterLayout.isEmpty { return }
    var events: [Event] = []
    swap(&events, &afterLayout)
    for event in events { event.sender.send(event) }
  }

  private func refreshStates() {
    if stateful.isEmpty { return }
    var views: [View] = []
    swap(&views, &stateful)
    for (index, view) in views.enumerated() where view.layout.flags.contains(.stateChanged) {
      view.layout.flags.remove(.stateChanged)
      view.stateChanged()
      if layout.isLate(at: view) {
        stateful += views[(index + 1)...]
        return
      }
    }
  }

  /// Asks the graph which properties have changed, and notes what that makes out of date in
  /// whichever scene shows their views.
  static func collectChanges(in graph: Graph, _ visit: (Slot) -> Void = { _ in }) {
    if !graph.hasTouched { return }
    graph.drainTouched { slot in
      visit(slot)
      guard let header = slot.blockHeader, let view = header.block as? View,
        let scene = view.scene
      else { return }
      scene.note(view, view.viewClass.impacts[slot - header - 1])
    }
  }

  private func note(_ view: View, _ impact: Impact) {
    if impact.contains(.look) { view.layout.flags.insert(.lookChanged) }
    if impact.contains(.box) { view.layout.flags.insert(.boxChanged) }
    if impact.contains(.measure) { layout.needsMeasure(view) }
    if impact.contains(.arrange) { layout.needsArrange(view) }
    if impact.contains(.draw) { layout.needsDraw(view) }
    if impact.contains(.state), !view.layout.flags.contains(.stateChanged) {
      view.layout.flags.insert(.stateChanged)
      stateful.append(view)
    }
  }
}

extension Scene {
  /// Between two pictures of what moves by itself, in seconds.
  private static let beat = 0.1

  /// Has a view drawn again a moment later: asked for while it is drawn, so that what is out of
  /// sight costs nothing.
  func redrawsAtNextBeat(_ view: View) {
    if isSilent { return }
    if !moving.contains(where: { $0 === view }) { moving.append(view) }
    if nextBeat != nil { return }
    nextBeat = BindingTable.of(graph).clock?.animate(after: Self.beat) { [weak self] in
      self?.moveOn()
    }
  }

  private func moveOn() {
    nextBeat = nil
    beatCount += 1
    let views = moving
    moving = []
    for view in views where view.scene === self { view.setNeedsDraw() }
  }
}
