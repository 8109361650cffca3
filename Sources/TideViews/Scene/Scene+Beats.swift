import TideBindings
import TideGraph

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
