import TideBindings
import TideGraph

/// Who listens to the mouse where no button is held.
struct HoverState {
  /// How many handlers of `hover` the views of the scene have. While there are none, a renderer
  /// need not report such movements.
  var handlers = 0
  /// Those that have been told that the mouse is over them, and not yet that it has left.
  var views: [Reference] = []
  /// Asked for reports, or told that none are needed any more.
  var onInterest: ((Bool) -> Void)? {
    didSet { isReported = false }
  }
  /// What `onInterest` was told last.
  private(set) var isReported = false

  struct Reference {
    weak var view: View?
  }

  /// The renderer has to be told.
  var hasNews: Bool { onInterest != nil && (handlers > 0) != isReported }

  /// Gives what the renderer has to be told, and notes that it has been.
  mutating func takeNews() -> (() -> Void)? {
    guard hasNews, let onInterest else { return nil }
    let isWanted = handlers > 0
    isReported = isWanted
    return { onInterest(isWanted) }
  }
}

extension Scene {
  /// Called before the end of a frame when the first view begins to listen to `hover`, and when the
  /// last one has ended: whether movements of the mouse without a button are to be reported.
  package var onHoverInterest: ((Bool) -> Void)? {
    get { input.hover.onInterest }
    set { input.hover.onInterest = newValue }
  }

  /// Sends `hover` to the view at the mouse and upwards, as far as it is not taken; and once, to
  /// themselves alone, to the views that the mouse has left.
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

  /// Whether a view listens, or is to be told that the mouse has left it.
  var isHoverHeard: Bool { input.hover.handlers > 0 || !input.hover.views.isEmpty }

  /// The same for the innermost view, and for the event that it is sent.
  func hover(over innermost: View?, _ event: Event?) {
    var over: [View] = []
    var current = innermost
    while let view = current {
      over.append(view)
      // The mouse is not at the view that a float stands in.
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
