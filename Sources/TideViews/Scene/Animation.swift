import TideBindings

/// The schedule of animated views, such as spinners.
///
/// Time advances in ticks, ten a second, while an animated view is visible and an event loop runs.
/// A view requests the next tick whenever it is drawn, so invisible views cost nothing.
struct Animation {
  /// The number of ticks so far.
  var tick = 0
  /// Views to be redrawn at the next tick.
  private(set) var views: [View] = []
  fileprivate var nextTick: (any ScheduledCall)?

  /// The interval between ticks, in seconds.
  fileprivate static let interval = 0.1

  /// Adds a view to redraw at the next tick.
  fileprivate mutating func add(_ view: View) {
    if !views.contains(where: { $0 === view }) { views.append(view) }
  }

  /// Advances to the next tick, and returns the views that requested it.
  fileprivate mutating func advance() -> [View] {
    nextTick = nil
    tick += 1
    let views = views
    self.views = []
    return views
  }

  /// Removes the views that have left the scene; the caller still holds them.
  mutating func removeViews(outside scene: Scene) { views.removeAll { $0.scene !== scene } }

  func cancel() { nextTick?.cancel() }
}

extension Scene {
  /// Redraws a view at the next tick.
  func redrawAtNextTick(_ view: View) {
    if isSilent { return }
    animation.add(view)
    if animation.nextTick != nil { return }
    animation.nextTick = BindingTable.of(graph).clock?.animate(after: Animation.interval) {
      [weak self] in self?.drawTick()
    }
  }

  private func drawTick() {
    for view in animation.advance() { view.setNeedsDraw() }
  }
}
