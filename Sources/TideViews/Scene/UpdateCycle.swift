import TideBindings
import TideGraph

/// The update from changes to a frame, and its pending work.
///
/// An update runs in rounds, until nothing is stale or `roundLimit` is reached:
///
///     changes of properties → states → measure → arrange → floats → bounds → focus
///       → events of the layout
///
/// Then `Painter` draws. The update and the drawing are separate turns.
struct UpdateCycle {
  /// An update is running; a nested one would see inconsistent state.
  var isRunning = false
  /// Views whose derived state is stale because properties have changed.
  var staleViews: [View] = []
  /// Events sent after the layout, such as a list's `willDisplay`.
  var pendingEvents: [Event] = []
  /// Messages to show to the user before the next frame.
  var pendingNotices: [String] = []
  /// The number of consecutive frames that exceeded the time of a turn.
  var lateFrames = 0
  /// The reported error that the layout does not settle; nil if it settles.
  var layoutLoop: TideError?

  /// Set for the rest of a frame when observers of `bounds` kept changing the layout until the
  /// rounds were used up: `bounds` are not updated any more.
  var holdsBounds = false
  /// Views whose `bounds` were not updated for that reason.
  var unsettledBounds: [WeakView] = []
  /// The error reported for that reason.
  var boundsLoop: TideError?

  /// Whether the renderer shows properties and must receive each change.
  var notesProperties = false
  /// Views with changed properties that do not affect cells.
  private var silentlyChanged: [View] = []

  struct WeakView {
    weak var view: View?
  }

  mutating func noteProperty(of view: View) {
    if notesProperties { silentlyChanged.append(view) }
  }

  /// The views that have changed since the last frame, drawn or not.
  mutating func takeChangedViews(and drawn: [View], in scene: Scene) -> [View] {
    guard notesProperties else { return [] }
    let all = drawn + silentlyChanged
    silentlyChanged = []
    var known: Set<ObjectIdentifier> = []
    return all.filter { $0.scene === scene && known.insert(ObjectIdentifier($0)).inserted }
  }

  /// The maximum number of layout rounds in a frame; remaining work is left to the next frame.
  static let roundLimit = 20
}

extension Scene {

  private static let layoutIdentity = Profile.Identity()
  private static let drawingIdentity = Profile.Identity()

  /// Updates the frame; returns nil if nothing has changed.
  func update() -> Changes? {
    if cycle.isRunning { return nil }
    cycle.isRunning = true
    defer { cycle.isRunning = false }
    var changes: Changes?
    if input.pressed == nil, editsRecords { withinBudget { settleRecordEdits() } }
    layout.beginFrame()
    graph.measured(Self.layoutIdentity, Profile.Name(.frame, "layout")) {
      withinBudget { settleLayout() }
    }
    // A separate turn, because a partial drawing cannot be continued in the next frame.
    if !layout.isLate {
      graph.measured(Self.drawingIdentity, Profile.Name(.frame, "drawing")) {
        withinBudget { changes = paint() }
      }
    }
    reportLateness()
    return changes
  }

  /// Reports an error for the first of consecutive frames that exceeded the time of a turn.
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

  /// Runs a function as one turn: a frame or the handling of an input, including all script code in
  /// it.
  package func withinBudget(_ body: () -> Void) {
    if let run = host.runWithinBudget { run(body) } else { body() }
  }

  /// Lays out all views and makes the visible cells, without drawing.
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
      refreshStyles()
      sendAppearances()
      var isSettled = settleRounds()
      if _slowPath(!isSettled), !layout.isLate, !layout.boundsQueue.isEmpty {
        cycle.holdsBounds = true
        isSettled = settleRounds()
        cycle.holdsBounds = false
      }
      if _slowPath(!cycle.unsettledBounds.isEmpty || cycle.boundsLoop != nil) { reportBounds() }
      // Work left over because the turn ran out of time does not indicate a loop.
      if _slowPath(!isSettled || cycle.layoutLoop != nil), !layout.isLate {
        reportLoop(isSettled: isSettled)
      }
      Self.collectChanges(in: graph)
    }
  }

  /// Runs layout rounds; returns whether nothing is stale afterwards.
  private func settleRounds() -> Bool {
    var rounds = 0
    repeat {
      measureChanges()
      if layout.isLate { break }
      placeWindow()
      layout.arrangeAll(in: self)
      if layout.isLate { break }
      placeFloats()
      layout.arrangeAll(in: self)
      if layout.isLate { break }
      rounds += 1
      if rounds < UpdateCycle.roundLimit || cycle.holdsBounds { settleBounds() }
      settleFocus()
      if !keyBars.isEmpty { refreshKeyBars() }
      revealFocus()
      sendEventsOfLayout()
    } while (graph.hasTouched || !layout.isIdle || !cycle.staleViews.isEmpty || focus.needsReveal)
      && rounds < UpdateCycle.roundLimit
    return !graph.hasTouched && layout.isIdle && cycle.staleViews.isEmpty && !focus.needsReveal
  }

  /// Updates natural sizes after changes. Also called during arranging, for views whose layout
  /// depends on their content.
  func measureChanges() {
    Self.collectChanges(in: graph)
    refreshStaleViews()
    if layout.isLate { return }
    layout.measureAll(in: self)
  }

  /// Updates `bounds` from the layout.
  private func settleBounds() {
    let waiting = layout.takeBoundsQueue()
    if waiting.isEmpty { return }
    if cycle.holdsBounds {
      var known = Set(cycle.unsettledBounds.compactMap { $0.view.map(ObjectIdentifier.init) })
      for view in waiting where known.insert(ObjectIdentifier(view)).inserted {
        cycle.unsettledBounds.append(UpdateCycle.WeakView(view: view))
      }
      return
    }
    graph.batch {
      for view in waiting where view.scene === self {
        view.extras?.bounds?.rect = view.rectInSuperview
      }
    }
  }

  /// Queues the `bounds` that did not settle, because the screen was resized.
  func retryBounds() {
    for view in cycle.unsettledBounds.compactMap(\.view) where view.scene === self {
      layout.needsBounds(view)
    }
  }

  /// Lists an error while observers of `bounds` keep changing the layout.
  private func reportBounds() {
    cycle.unsettledBounds.removeAll { unsettled in
      guard let view = unsettled.view, view.scene === self else { return true }
      return view.extras?.bounds?.rect == view.rectInSuperview
    }
    if cycle.unsettledBounds.isEmpty {
      if let known = cycle.boundsLoop { BindingTable.of(graph).withdraw(known) }
      cycle.boundsLoop = nil
    } else if cycle.boundsLoop == nil {
      let names = Set(cycle.unsettledBounds.compactMap { $0.view?.callName }).sorted().prefix(3)
      cycle.boundsLoop = report(
        TideError(
          .cycle,
          "the layout does not settle: what follows the bounds of \(names.joined(separator: ", ")) "
            + "changes them again and again, and is left as it is; let it change nothing that these "
            + "bounds depend on"))
    }
  }

  /// Lists an error, with the last changes, while the layout does not settle.
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
    layout.needsBounds(window)
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

  /// Processes the properties that the graph has recorded as changed, and invalidates their views.
  static func collectChanges(in graph: Graph, _ visit: (Slot) -> Void = { _ in }) {
    if !graph.hasTouched { return }
    graph.drainTouched { slot in
      visit(slot)
      guard let header = slot.blockHeader, let view = header.block as? View else { return }
      view.withScene { $0.invalidate(view, view.viewClass.impacts[slot - header - 1]) }
    }
  }

  private func invalidate(_ view: View, _ impact: Impact) {
    if impact.contains(.look) { view.layout.flags.insert(.lookChanged) }
    if impact.contains(.box) { view.layout.flags.insert(.boxChanged) }
    if impact.contains(.measure) { layout.needsMeasure(view) }
    if impact.contains(.arrange) { layout.needsArrange(view) }
    if impact.contains(.draw) { layout.needsDraw(view) } else { cycle.noteProperty(of: view) }
    if impact.contains(.state) { needsState(view) }
    if impact.contains(.identity) { reportID(of: view) }
  }

  /// Schedules the view's `stateChanged` before the next frame.
  func needsState(_ view: View) {
    if view.layout.flags.contains(.stateChanged) { return }
    view.layout.flags.insert(.stateChanged)
    cycle.staleViews.append(view)
  }
}
