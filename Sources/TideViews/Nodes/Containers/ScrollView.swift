import TideBindings
import TideGraph

/// A column shown through a scrollable viewport.
///
/// ```swift
/// let scroll = try ViewClass.scroll.make([LabelView(manyLines)])
/// scroll[.scrollY] = 10
/// ```
///
/// `scrollX` and `scrollY` are the offset of the viewport in cells. They can be read, written and
/// bound, and the layout clamps them: a huge `scrollY` shows the end. In pages each viewer has an
/// offset of its own, and the properties hold that of the viewer who acted last. Wrapping content
/// is as wide as the viewport, other content has its natural width.
///
/// It handles keys that its descendants leave unhandled: the arrows, PageUp, PageDown (and Space),
/// Home and End. A key that cannot scroll any further goes to the superview, so nested scroll views
/// work as expected. The mouse wheel scrolls, sideways with Shift, and the bars can be dragged and
/// clicked. Tab stops here only if no descendant can have the focus; a descendant that gets the
/// focus is scrolled into view.
public final class ScrollView: View {
  /// The content size and the viewport of the last layout.
  private var extent = Size.zero
  private var port = Rect.zero
  private var drag: (axis: Axis, grip: Int)?
  /// The offset of the cell renderer. It equals `scrollX` and `scrollY` unless another viewer acted
  /// last.
  private var sight = Point(x: 0, y: 0)

  /// The number of rows scrolled out at the top.
  public var scrollY: Int {
    get { offset(.scrollY) }
    set { put(.scrollY, .integer(newValue)) }
  }

  /// The number of columns scrolled out at the left.
  public var scrollX: Int {
    get { offset(.scrollX) }
    set { put(.scrollX, .integer(newValue)) }
  }

  private func offset(_ property: ViewProperty) -> Int {
    BoxStyle.cells(peek(property, as: Double.self)) ?? 0
  }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    guard let old = old as? ScrollView else { return }
    (scrollX, scrollY) = (old.scrollX, old.scrollY)
    sight = old.sight
    drag = old.drag
    reconciliation.atEnd { [unowned self] in
      // The first layout may have happened before all content was restored.
      if scrollX != old.scrollX { scrollX = old.scrollX }
      if scrollY != old.scrollY { scrollY = old.scrollY }
    }
  }

  override var isFocusStop: Bool {
    if flag(.focusable) { return true }
    guard overflows else { return false }
    var walk = TreeWalk(self)
    _ = walk.next()
    while let view = walk.next() {
      if view.flag(.hidden) || !view.flag(.enabled) {
        walk.skipSubviews(of: view)
      } else if view.flag(.focusable) {
        return false
      }
    }
    return true
  }

  private var overflows: Bool { extent.width > port.width || extent.height > port.height }

  // MARK: Layout

  /// Stores the size of the content and returns its top left corner.
  func originOfContent(_ extent: Size, in port: Rect) -> Point {
    self.extent = extent
    self.port = port
    let isElsewhere = isScrolledElsewhere
    let wanted = isElsewhere ? sight : Point(x: scrollX, y: scrollY)
    let x = min(wanted.x, max(0, extent.width - port.width))
    let y = min(wanted.y, max(0, extent.height - port.height))
    // Without any space yet, the view keeps its position until it has some.
    if !port.isEmpty { sight = Point(x: x, y: y) }
    if !port.isEmpty, !isElsewhere {
      if Double(x) != peek(.scrollX, as: Double.self) { scrollX = x }
      if Double(y) != peek(.scrollY, as: Double.self) { scrollY = y }
    }
    return Point(x: port.x - x, y: port.y - y)
  }

  override var scrolls: Bool { true }

  override func reveal(_ area: Rect) {
    let top = area.y - port.y + sight.y
    let left = area.x - port.x + sight.x
    let x = Self.offset(sight.x, showing: left, area.width, in: port.width)
    let y = Self.offset(sight.y, showing: top, area.height, in: port.height)
    if !isScrolledElsewhere {
      scroll(toX: x, y: y)
    } else if sight != Point(x: x, y: y) {
      sight = Point(x: x, y: y)
      scene?.layout.needsArrange(self)
    }
  }

  private var isScrolledElsewhere: Bool { scene?.scrollsElsewhere ?? false }

  /// Sets the offset to that of the viewer who scrolled or acted last; nil means the offset of the
  /// cell renderer.
  package func follow(_ offset: Point?) {
    let offset = offset ?? sight
    graph.batch {
      scrollX = offset.x
      scrollY = offset.y
    }
  }

  /// The offset nearest to the current one that makes a range visible, or its beginning if it is
  /// longer than the viewport.
  private static func offset(_ offset: Int, showing start: Int, _ length: Int, in room: Int) -> Int
  {
    if start < offset || length >= room { return start }
    return max(offset, start + length - room)
  }

  // MARK: Moving

  /// Scrolls to a position, clamped to the content; returns whether the offset changed.
  @discardableResult
  public func scroll(toX x: Int, y: Int) -> Bool {
    // A page clamps the offset itself, because its content has other bounds.
    let isElsewhere = isScrolledElsewhere
    let newX = max(0, isElsewhere ? x : min(x, extent.width - port.width))
    let newY = max(0, isElsewhere ? y : min(y, extent.height - port.height))
    if newX == scrollX && newY == scrollY { return false }
    graph.batch {
      scrollX = newX
      scrollY = newY
    }
    return true
  }

  package override func handle(_ key: Key) -> Bool {
    let page = max(1, port.height - 1)
    return switch key {
    case Key(.up): scroll(toX: scrollX, y: scrollY - 1)
    case Key(.down): scroll(toX: scrollX, y: scrollY + 1)
    case Key(.left): scroll(toX: scrollX - 2, y: scrollY)
    case Key(.right): scroll(toX: scrollX + 2, y: scrollY)
    case Key(.pageUp): scroll(toX: scrollX, y: scrollY - page)
    case Key(.pageDown), Key(.space): scroll(toX: scrollX, y: scrollY + page)
    case Key(.home): scroll(toX: scrollX, y: 0)
    case Key(.end): scroll(toX: scrollX, y: extent.height)
    default: false
    }
  }

  package override func handle(_ mouse: MouseEvent) -> Bool {
    switch mouse.kind {
    case .scroll(let rows):
      let rows = max(-1000, min(rows, 1000))
      if mouse.modifiers.contains(.shift) || extent.height <= port.height {
        return scroll(toX: scrollX + 2 * rows, y: scrollY)
      }
      return scroll(toX: scrollX, y: scrollY + rows)
    case .scrollSideways(let columns):
      return scroll(toX: scrollX + 2 * max(-1000, min(columns, 1000)), y: scrollY)
    case .press(.left):
      for bar in [bar(.vertical), bar(.horizontal)] where bar.contains(mouse.position) {
        if let grip = bar.grip(at: mouse.position) { drag = (bar.axis, grip) }
        scroll(bar.axis, to: bar.offset(pressedAt: mouse.position))
        return true
      }
      return false
    case .drag(.left):
      guard let drag else { return true }
      let bar = bar(drag.axis)
      scroll(drag.axis, to: bar.offset(draggedTo: mouse.position, grip: drag.grip))
      return true
    case .release(.left):
      drag = nil
      return true
    default: return false
    }
  }

  private func scroll(_ axis: Axis, to offset: Int) {
    scroll(
      toX: axis == .horizontal ? offset : scrollX, y: axis == .vertical ? offset : scrollY)
  }

  // MARK: The bars

  private func bar(_ axis: Axis) -> ScrollBar {
    let x = port.x - layout.rect.x
    let y = port.y - layout.rect.y
    if axis == .vertical {
      return ScrollBar(
        axis: axis, origin: Point(x: x + port.width, y: y), length: port.height,
        total: extent.height, shown: port.height, offset: sight.y)
    }
    return ScrollBar(
      axis: axis, origin: Point(x: x, y: y + port.height), length: port.width,
      total: extent.width, shown: port.width, offset: sight.x)
  }

  package override func draw(in canvas: Canvas) {
    for axis in [Axis.vertical, .horizontal] {
      bar(axis).draw(on: flag(.focused) ? canvas.emphasized : canvas)
    }
  }
}

extension Canvas {
  /// The canvas of a focused view, which shows the focus only by its scroll bars.
  var emphasized: Canvas {
    Canvas(
      frame: frame, origin: origin, clip: clip, size: size, content: content,
      style: style.with(.bold))
  }
}
