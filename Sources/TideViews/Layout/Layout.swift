import TideGraph

/// Computes the rectangles of views, and only of those affected by a change.
///
/// Each frame has three passes, each over a queue of invalidated views:
///
///     measure   deepest first: natural sizes; a changed size queues the superview
///     arrange   outermost first: a view distributes its area among its subviews; a subview whose
///               area changed arranges its own subviews, and its superview is redrawn
///     draw      see `Painter`
///
/// A natural size does not depend on a width, so it is computed once; only wrapping content is
/// asked for its height once its width is known. Every pass is iterative, because trees may be
/// 100,000 levels deep.
///
/// A frame is one turn. When the turn's time budget is used up, the remaining views stay queued for
/// the next frame. The exception is a view that used a whole frame by itself: it is dropped and
/// keeps its current layout.
final class Layout {
  // Unchecked for speed: nothing is called during a mutation.
  @exclusivity(unchecked) private(set) var measureQueue: [View] = []
  @exclusivity(unchecked) private(set) var arrangeQueue: [View] = []
  @exclusivity(unchecked) private(set) var drawQueue: [View] = []
  /// Views whose `bounds` are observed and whose rectangle has changed.
  private(set) var boundsQueue: [View] = []
  var items: [Distribution.Item] = []
  /// Subviews to be arranged because their rectangle has changed.
  var moved: [View] = []

  /// The view at which the turn's time ran out; no layout happens after it in this frame.
  private(set) weak var lateView: View?
  /// Whether the turn's time ran out in this frame.
  private(set) var isLate = false
  /// The number of views laid out in this frame.
  private var progress = 0
  private var clock = WorkClock()

  func beginFrame() {
    lateView = nil
    isLate = false
    progress = 0
  }

  /// Whether the turn's time has run out; if so, records the view.
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

  /// Like `isLate(at:)`, but cheap enough for tiny steps.
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

  /// Queues an update of a view's `bounds`, if they have been read.
  func needsBounds(_ view: View) {
    if view.extras?.bounds == nil || view.layout.flags.contains(.inBounds) { return }
    view.layout.flags.insert(.inBounds)
    boundsQueue.append(view)
  }

  /// Removes and returns the views whose `bounds` need an update.
  func takeBoundsQueue() -> [View] {
    if boundsQueue.isEmpty { return [] }
    var taken: [View] = []
    swap(&taken, &boundsQueue)
    for view in taken { view.layout.flags.remove(.inBounds) }
    return taken
  }

  /// Drops queued views that have left the scene.
  func forgetViews(outside scene: Scene) {
    drawQueue.removeAll { !$0.isShown(in: scene) }
  }

  func clearDrawQueue() {
    for view in drawQueue { view.layout.flags.remove(.inDraw) }
    drawQueue.removeAll(keepingCapacity: true)
  }

  /// Measures the queued views, deepest first, and then the superviews of those whose size has
  /// changed.
  func measureAll(in scene: Scene) {
    while !measureQueue.isEmpty {
      var waiting: [View] = []
      swap(&waiting, &measureQueue)
      sortByDepth(&waiting)
      // The superviews of changed views, all one level above the views just measured.
      var next: [View] = []
      var level: [View] = []
      while !waiting.isEmpty || !next.isEmpty {
        let depth = max(waiting.last?.depth ?? -1, next.last?.depth ?? -1)
        level.removeAll(keepingCapacity: true)
        if next.last?.depth == depth { swap(&level, &next) }
        var first = waiting.count
        while first > 0, waiting[first - 1].depth == depth { first -= 1 }
        if level.isEmpty, first == 0 {
          // Usually all views are at the same depth.
          swap(&level, &waiting)
        } else {
          level += waiting[first...]
          waiting.removeLast(waiting.count - first)
        }
        for index in level.indices {
          // The list owns the views; reference counting would take as long as the measuring.
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

  /// Measures a queued view, and queues its superview if needed.
  @inline(__always)
  private func measure(_ view: View, in scene: Scene, superviews: inout [View]) {
    view.layout.flags.remove(.inMeasure)
    // The superview of a scene's top view belongs to no scene, or to another one.
    guard view.isShown(in: scene), measure(view), let parent = view.parent,
      view !== scene.window
    else { return }
    needsArrange(parent)
    if !parent.layout.flags.contains(.inMeasure) {
      parent.layout.flags.insert(.inMeasure)
      superviews.append(parent)
    }
  }

  /// Sorts the outermost first. Views that change together are often at one depth, which needs no
  /// sorting.
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

  /// Arranges the queued views, outermost first.
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

  /// Arranges a view and all descendants whose rectangle changes as a result.
  private func arrange(from view: View) {
    moved.append(view)
    while let view = moved.popLast() {
      view.layout.flags.remove(.arrange)
      arrange(view)
      if isLate(at: view) {
        // A view that used the whole frame would do so again, so it is not queued.
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
  /// Distributes a view's area among its subviews.
  func arrange(_ view: View) {
    let content = view.layout.rect.inset(by: view.insets)
    if let arrangement = view.viewClass.arrangement {
      arrangement.arrange(view, in: content, by: self)
    } else {
      view.arrangeSubviews(in: content, by: self)
    }
  }

  /// Sets a subview's rectangle, limited to its superview's content.
  ///
  /// With `clip` the content may be larger than the view; only the part inside `clip` is visible.
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

  /// Stores a subview's rectangle, and arranges the subview again if needed.
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

  /// Hides a subview and its descendants by an empty rectangle.
  func conceal(_ child: View, in view: View) {
    let corner = Rect(x: view.layout.rect.x, y: view.layout.rect.y, width: 0, height: 0)
    set(child, corner, in: corner, of: view)
  }
}

extension View {
  /// Redraws the view in the next frame.
  package final func setNeedsDraw() { scene?.layout.needsDraw(self) }

  /// Measures and arranges the view again before the next frame.
  package final func setNeedsLayout() {
    guard let scene else { return }
    scene.layout.needsMeasure(self)
    scene.layout.needsArrange(self)
    scene.layout.needsDraw(self)
  }
}
