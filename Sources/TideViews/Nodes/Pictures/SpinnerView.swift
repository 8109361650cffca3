import TideBindings

/// An animated activity indicator.
///
/// ```lua
/// view.spinner { bindTo = { isAnimating = "feed.isFetching" } }
/// ```
///
/// While `isAnimating` is false it shows nothing. It moves ten times a second if an event loop runs
/// and the view is visible; it does not keep a program running.
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
