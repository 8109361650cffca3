import TideBindings
import TideGraph

/// The way from changes to a picture, and what waits for it.
///
/// An update goes in rounds, until nothing is out of date any more or `roundLimit` is reached:
///
///     changes of properties → states → measure → arrange → floats → focus → events of the layout
///
/// Then `Painter` draws. Each half is a turn of its own.
struct UpdateCycle {
  /// An update is under way; another one would find half of it.
  var isRunning = false
  /// Views whose class keeps state for properties that have changed.
  var staleViews: [View] = []
  /// Events of the layout, such as a list's `willDisplay`, to be sent when it is done.
  var pendingEvents: [Event] = []
  /// How many frames in a row had more to do than a turn has time for.
  var lateFrames = 0
  /// The error that was reported because the layout did not settle last time.
  var layoutLoop: TideError?

  /// How often layout may ask for more of itself in one frame; beyond it the rest waits.
  static let roundLimit = 20
}

extension Scene {

  /// Brings the picture up to date; nil when nothing has changed.
  func update() -> Changes? {
    if cycle.isRunning { return nil }
    cycle.isRunning = true
    defer { cycle.isRunning = false }
    var changes: Changes?
    layout.beginFrame()
    withinBudget { settleLayout() }
    // A turn of its own, because what was drawn is not kept for another frame.
    if !layout.isLate { withinBudget { changes = paint() } }
    reportLateness()
    return changes
  }

  /// Says once that the turn did not suffice, until a frame comes to its end.
  private func reportLateness() {
    guard layout.isLate else {
      (cycle.lateFrames, painter.unfinishedFrames) = (0, 0)
      return
    }
    cycle.lateFrames += 1
    guard cycle.lateFrames == 1, let view = layout.lateView else { return }
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
    if let run = host.runWithinBudget { run(body) } else { body() }
  }

  /// Gives all views their rectangles, and makes the cells that are seen, without drawing anything.
  package func layOut() {
    if cycle.isRunning { return }
    cycle.isRunning = true
    defer { cycle.isRunning = false }
    layout.beginFrame()
    withinBudget { settleLayout() }
    reportLateness()
    layout.forgetViews(outside: self)
  }

  private func settleLayout() {
    graph.untracked {
      sendAppearances()
      var rounds = 0
      repeat {
        Self.collectChanges(in: graph)
        refreshStaleViews()
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
      } while (graph.hasTouched || !layout.isIdle || !cycle.staleViews.isEmpty || focus.needsReveal)
        && rounds < UpdateCycle.roundLimit
      let isSettled =
        !graph.hasTouched && layout.isIdle && cycle.staleViews.isEmpty && !focus.needsReveal
      // What the turn left undone says nothing of a loop.
      if _slowPath(!isSettled || cycle.layoutLoop != nil), !layout.isLate {
        reportLoop(isSettled: isSettled)
      }
      Self.collectChanges(in: graph)
    }
  }

  /// Lists that the layout did not settle, with what changed last, until it does.
  private func reportLoop(isSettled: Bool) {
    if isSettled {
      if let known = cycle.layoutLoop { BindingTable.of(graph).withdraw(known) }
      cycle.layoutLoop = nil
    } else if cycle.layoutLoop == nil {
      var names: Set<String> = []
      Self.collectChanges(in: graph) { names.insert(graph.name(of: $0)) }
      let changing =
        names.isEmpty ? "" : names.sorted().prefix(3).joined(separator: ", ") + " changes again; "
      cycle.layoutLoop = report(
        TideError(
          .cycle,
          "the layout does not settle in \(UpdateCycle.roundLimit) rounds; \(changing)look for a "
            + "handler or a binding that follows the layout and changes it"))
    }
  }

  private func report(_ error: TideError) -> TideError {
    guard let onError = host.onError else { return BindingTable.of(graph).list(error) }
    onError(error)
    return error
  }

  private func placeWindow() {
    let area = Rect(size)
    if window.layout.rect == area && window.layout.visible == area { return }
    window.layout.rect = area
    window.layout.visible = area
    layout.needsArrange(window)
    layout.needsDraw(window)
  }

  private func sendEventsOfLayout() {
    if cycle.pendingEvents.isEmpty { return }
    var events: [Event] = []
    swap(&events, &cycle.pendingEvents)
    for event in events { event.sender.send(event) }
  }

  private func refreshStaleViews() {
    if cycle.staleViews.isEmpty { return }
    var views: [View] = []
    swap(&views, &cycle.staleViews)
    for (index, view) in views.enumerated() where view.layout.flags.contains(.stateChanged) {
      view.layout.flags.remove(.stateChanged)
      view.stateChanged()
      if layout.isLate(at: view) {
        cycle.staleViews += views[(index + 1)...]
        return
      }
    }
  }

  /// Asks the graph which properties have changed, and invalidates what depends on them in
  /// whichever scene shows their views.
  static func collectChanges(in graph: Graph, _ visit: (Slot) -> Void = { _ in }) {
    if !graph.hasTouched { return }
    graph.drainTouched { slot in
      visit(slot)
      guard let header = slot.blockHeader, let view = header.block as? View,
        let scene = view.scene
      else { return }
      scene.invalidate(view, view.viewClass.impacts[slot - header - 1])
    }
  }

  private func invalidate(_ view: View, _ impact: Impact) {
    if impact.contains(.look) { view.layout.flags.insert(.lookChanged) }
    if impact.contains(.box) { view.layout.flags.insert(.boxChanged) }
    if impact.contains(.measure) { layout.needsMeasure(view) }
    if impact.contains(.arrange) { layout.needsArrange(view) }
    if impact.contains(.draw) { layout.needsDraw(view) }
    if impact.contains(.state), !view.layout.flags.contains(.stateChanged) {
      view.layout.flags.insert(.stateChanged)
      cycle.staleViews.append(view)
    }
  }
}
