import TideBindings

/// Turns as long as something is on its way.
///
/// ```lua
/// view.spinner { bindTo = { isAnimating = "feed.isFetching" } }
/// ```
///
/// While `isAnimating` is false it shows nothing. It moves ten times a second where an event loop
/// runs, and only while it is in sight; it is no reason for a program to go on.
public final class SpinnerView: View {
  /// One cell.
  package override func naturalSize() -> Size { Size(width: 1, height: 1) }

  package override func draw(in canvas: Canvas) {
    guard flag(.isAnimating), let scene else { return }
    let symbols = canvas.symbols.spinner
    canvas.put(
      symbols[scene.animation.tick % symbols.count], x: canvas.content.x, y: canvas.content.y)
    scene.redrawAtNextTick(self)
  }
}
