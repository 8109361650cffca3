import TideGraph

/// Finds the rectangles of views, and only of those that a change has moved.
///
/// Three steps a frame, each over a queue of views that asked for it:
///
///     measure   deepest first: natural sizes; a changed one passes the question to its superview
///     arrange   outermost first: a view shares its area among its subviews; one whose area changed
///               arranges its own, and its superview is drawn again
///     draw      see `Painter`
///
/// A natural size needs no width from above, so it is computed once; only what wraps is asked for
/// its height when its width is known. Every step walks by lists: trees may be 100,000 deep.
///
/// A frame is one turn. When its time is over, what is left stays in the queues for the next frame:
/// all but a view that took the whole of a frame for itself, which is left as it stands.
final class Layout {
  // Unchecked for speed: nothing is called while one of them is changed.
  @exclusivity(unchecked) private(set) var measureQueue: [View] = []
  @exclusivity(unchecked) private(set) var arrangeQueue: [View] = []
  @exclusivity(unchecked) private(set) var drawQueue: [View] = []
  /// Views whose `bounds` somebody has read, and which have been given another rectangle.
  private(set) var boundsQueue: [View] = []
  var items: [Distribution.Item] = []
  /// What is to be arranged because its superview was.
  var moved: [View] = []

  /// Where the turn was over; nothing more is laid out in this frame.
  private(set) weak var lateView: View?
  /// The turn was over in this frame.
  private(set) var isLate = false
  /// Views that were laid out in this frame.
  private var progress = 0
  private var clock = WorkClock()

  func beginFrame() {
    lateView = nil
    isLate = false
    progress = 0
  }

  /// Whether the turn is over; if so, notes at which view.
  func isLate(at view: View) -> Bool {
    if isLate { return true }
    guard WorkBudget.isOver else { return false }
    noteLate(at: view)
    return true
  }

  private func noteLate(at view: View) {
    isLate = true
    lateView = view
  }

  /// The same, for steps that take next to nothing.
  @inline(__always)
  func isLate(stepping view: View) -> Bool {
    if isLate { return true }
    if clock.hasTime() { return false }
    noteLate(at: view)
    return true
  }

  var isIdle: Bool { measureQueue.isEmpty && arrangeQueue.isEmpty && boundsQueue.isEmpty }
  var needsDrawing: Bool { !drawQueue.isEmpty }

  func needsMeasure(_ view: View) {
    if view.layout.flags.contains(.inMeasure) { return }
    view.layout.flags.insert(.inMeasure)
    measureQueue.append(view)
  }

  func needsArrange(_ view: View) {
    view.layout.flags.insert(.arrange)
    if view.layout.flags.contains(.inArrange) { return }
    view.layout.flags.insert(.inArrange)
    arrangeQueue.append(view)
  }

  func needsDraw(_ view: View) {
    if view.layout.flags.contains(.inDraw) { return }
    view.layout.flags.insert(.inDraw)
    drawQueue.append(view)
  }

  /// Has a view's `bounds` brought up to date, where somebody has read them.
  func needsBounds(_ view: View) {
    if view.extras?.bounds == nil || view.layout.flags.contains(.inBounds) { return }
    view.layout.flags.insert(.inBounds)
    boundsQueue.append(view)
  }

  /// Takes out the views whose `bounds` are to be brought up to date.
  func takeBoundsQueue() -> [View] {
    if boundsQueue.isEmpty { return [] }
    var taken: [View] = []
    swap(&taken, &boundsQueue)
    for view in taken { view.layout.flags.remove(.inBounds) }
    return taken
  }

  /// Lets go of views that have left before they were drawn.
  func forgetViews(outside scene: Scene) {
    drawQueue.removeAll { !$0.isShown(in: scene) }
  }

  func clearDrawQueue() {
    for view in drawQueue { view.layout.flags.remove(.inDraw) }
    drawQueue.removeAll(keepingCapacity: true)
  }

  /// Measures what asked for it, deepest first, and then the superviews of those whose size has
  /// changed.
  func measureAll(in scene: Scene) {
    while !measureQueue.isEmpty {
      var waiting: [View] = []
      swap(&waiting, &measureQueue)
      sortByDepth(&waiting)
      // The superviews of what changed: all of them one level above the views just measured.
      var next: [View] = []
      var level: [View] = []
      while !waiting.isEmpty || !next.isEmpty {
        let depth = max(waiting.last?.depth ?? -1, next.last?.depth ?? -1)
        level.removeAll(keepingCapacity: true)
        if next.last?.depth == depth { swap(&level, &next) }
        var first = waiting.count
        while first > 0, waiting[first - 1].depth == depth { first -= 1 }
        if level.isEmpty, first == 0 {
          // Mostly all stand at one depth.
          swap(&level, &waiting)
        } else {
          level += waiting[first...]
          waiting.removeLast(waiting.count - first)
        }
        for index in level.indices {
          // The list keeps it; counting its references would take as long as measuring it.
          let isDone = Unmanaged.passUnretained(level[index])._withUnsafeGuaranteedRef { view in
            measure(view, in: scene, superviews: &next)
            if isLate(at: view) { return false }
            progress += 1
            return true
          }
          if isDone { continue }
          measureQueue += waiting + next + level[(index + 1)...]
          return
        }
      }
    }
  }

  /// Measures a view that waits for it, and notes its superview where that is to be measured, too.
  @inline(__always)
  private func measure(_ view: View, in scene: Scene, superviews: inout [View]) {
    view.layout.flags.remove(.inMeasure)
    guard view.isShown(in: scene), measure(view), let parent = view.parent else { return }
    needsArrange(parent)
    if !parent.layout.flags.contains(.inMeasure) {
      parent.layout.flags.insert(.inMeasure)
      superviews.append(parent)
    }
  }

  /// Outermost first; what changes together often stands at one depth, and needs no sorting.
  private func sortByDepth(_ views: inout [View]) {
    var last = -1
    var isSorted = true
    for view in views {
      if view.depth < last {
        isSorted = false
        break
      }
      last = view.depth
    }
    if isSorted { return }
    var keys = views.enumerated().map { UInt64($1.depth) << 32 | UInt64($0) }
    keys.sort()
    views = keys.map { views[Int($0 & 0xFFFF_FFFF)] }
  }

  /// Arranges what asked for it, outermost first.
  func arrangeAll(in scene: Scene) {
    if arrangeQueue.isEmpty { return }
    var waiting: [View] = []
    swap(&waiting, &arrangeQueue)
    sortByDepth(&waiting)
    for (index, view) in waiting.enumerated() {
      view.layout.flags.remove(.inArrange)
      if view.layout.flags.contains(.arrange) && view.isShown(in: scene) { arrange(from: view) }
      if isLate {
        arrangeQueue += waiting[(index + 1)...]
        return
      }
    }
  }

  /// Arranges a view and whatever below it gets another area by that.
  private func arrange(from view: View) {
    moved.append(view)
    while let view = moved.popLast() {
      view.layout.flags.remove(.arrange)
      arrange(view)
      if isLate(at: view) {
        // It would take the whole of the next frame again.
        if progress > 0 { needsArrange(view) }
        for view in moved { needsArrange(view) }
        moved.removeAll()
        return
      }
      progress += 1
    }
  }
}

extension Layout {
  /// Shares a view's area among its subviews.
  func arrange(_ view: View) {
    let content = view.layout.rect.inset(by: view.insets)
    if let arrangement = view.viewClass.arrangement {
      arrangement.arrange(view, in: content, by: self)
    } else {
      view.arrangeSubviews(in: content, by: self)
    }
  }

  /// Gives a subview its rectangle, within its superview's content.
  ///
  /// With `clip` the content may be larger than the view, and only what is within `clip` shows.
  func set(_ child: View, _ wanted: Rect, in content: Rect, of view: View, clip: Rect? = nil) {
    if isLate(stepping: view) { return }
    let x = max(content.x, min(wanted.x, content.maxX))
    let y = max(content.y, min(wanted.y, content.maxY))
    let rect = Rect(
      x: x, y: y, width: min(wanted.maxX, content.maxX) - x,
      height: min(wanted.maxY, content.maxY) - y)
    var visible = rect.intersection(view.layout.visible)
    if let clip { visible = visible.intersection(clip) }
    place(child, rect, visible, in: view)
  }

  /// Takes over a subview's rectangle. What is in it is arranged again where that is needed.
  func place(_ child: View, _ rect: Rect, _ visible: Rect, in view: View) {
    if rect != child.layout.rect || visible != child.layout.visible {
      child.layout.rect = rect
      child.layout.visible = visible
      if child.extras != nil { needsBounds(child) }
      needsDraw(view)
      moved.append(child)
    } else if child.layout.flags.contains(.arrange) {
      moved.append(child)
    }
  }

  /// Puts a subview out of sight, with all that is in it.
  func conceal(_ child: View, in view: View) {
    let corner = Rect(x: view.layout.rect.x, y: view.layout.rect.y, width: 0, height: 0)
    set(child, corner, in: corner, of: view)
  }
}

extension View {
  /// Has the view drawn again in the next frame.
  package final func setNeedsDraw() { scene?.layout.needsDraw(self) }

  /// Has the view asked for its natural size again before the next frame.
  package final func setNeedsLayout() {
    guard let scene else { return }
    scene.layout.needsMeasure(self)
    scene.layout.needsArrange(self)
    scene.layout.needsDraw(self)
  }
}
