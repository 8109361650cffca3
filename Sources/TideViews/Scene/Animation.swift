import TideBindings

/// Views that move by themselves, such as spinners.
///
/// Time goes in ticks, ten a second, while a view that moves is in sight and an event loop runs: a
/// view asks for the next tick whenever it is drawn, so what is out of sight costs nothing.
struct Animation {
  /// How many ticks have passed.
  var tick = 0
  /// Views that are drawn again at the next tick.
  private(set) var views: [View] = []
  fileprivate var nextTick: (any ScheduledCall)?

  /// In seconds.
  fileprivate static let interval = 0.1

  /// Adds a view for the next tick.
  fileprivate mutating func add(_ view: View) {
    if !views.contains(where: { $0 === view }) { views.append(view) }
  }

  /// Goes on to the next tick, and gives the views that asked for it.
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
  /// Has a view drawn again at the next tick.
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
