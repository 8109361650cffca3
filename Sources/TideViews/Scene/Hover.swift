import TideBindings
import TideGraph

/// The state of `hover` events, which report the mouse while no button is held.
struct HoverState {
  /// The number of `hover` handlers in the scene. While there are none, a renderer need not report
  /// such movements.
  var handlers = 0
  /// The views that have received that the mouse is over them, but not yet that it has left.
  var views: [Reference] = []
  /// Called with whether movements of the mouse are to be reported.
  var onInterest: ((Bool) -> Void)? {
    didSet { isReported = false }
  }
  /// The last value passed to `onInterest`.
  private(set) var isReported = false

  struct Reference {
    weak var view: View?
  }

  /// Whether the renderer must be notified.
  var hasNews: Bool { onInterest != nil && (handlers > 0) != isReported }

  /// Returns the notification for the renderer, if any, and marks it as delivered.
  mutating func takeNews() -> (() -> Void)? {
    guard hasNews, let onInterest else { return nil }
    let isWanted = handlers > 0
    isReported = isWanted
    return { onInterest(isWanted) }
  }
}

extension Scene {
  /// Called at the end of a frame, when the first handler of `hover` was added or the last one
  /// removed, with whether movements of the mouse without a button are to be reported.
  package var onHoverInterest: ((Bool) -> Void)? {
    get { input.hover.onInterest }
    set { input.hover.onInterest = newValue }
  }

  /// Sends `hover` to the view under the mouse, from which it bubbles up until it is handled. The
  /// views that the mouse has left receive one last `hover`, which does not bubble.
  func hover(_ mouse: MouseEvent) {
    if !isHoverHeard { return }
    var innermost: View?
    if Rect(size).contains(mouse.position),
      let layer = floats.layer(at: mouse.position, above: window)
    {
      innermost = nearestUsable(from: view(at: mouse.position, in: layer))
    }
    hover(over: innermost, innermost.map { event(.hover, at: mouse, of: $0) })
  }

  /// Whether a view handles `hover` or must be notified that the mouse has left.
  var isHoverHeard: Bool { input.hover.handlers > 0 || !input.hover.views.isEmpty }

  /// Sends `hover` for the innermost view under the mouse, with the given event.
  func hover(over innermost: View?, _ event: Event?) {
    var over: [View] = []
    var current = innermost
    while let view = current {
      over.append(view)
      // For the mouse, a float is not inside its superview.
      current = view.layout.isFloating ? nil : view.parent
    }
    let known = input.hover.views.compactMap(\.view)
    let left = known.filter { view in !over.contains { $0 === view } }
    input.hover.views = known.filter { view in over.contains { $0 === view } }.map {
      HoverState.Reference(view: $0)
    }
    for view in left where view.scene === self {
      var event = Event(.hover, sender: view)
      event.isInside = false
      _ = view.deliver(event)
    }
    guard var event else { return }
    event.isInside = true
    for view in over where view.scene === self && view.hasHandler(.hover) {
      if !input.hover.views.contains(where: { $0.view === view }) {
        input.hover.views.append(HoverState.Reference(view: view))
      }
      if view.deliver(event) { return }
    }
  }
}
