import TideBindings
import TideGraph

/// The drawing state of a scene: the last frame, and what the renderer has received of it.
struct Painter {
  /// The size of the screen in columns and rows.
  private(set) var size: Size
  /// The last frame.
  private(set) var frame: Frame
  /// The symbols that views draw with.
  var symbols: Symbols = .unicode
  /// Whether the renderer must show the whole frame.
  var needsFullRedraw = true
  /// The number of the current frame.
  fileprivate(set) var frameNumber = 0
  /// The number of consecutive frames whose drawing was interrupted.
  var unfinishedFrames = 0
  /// The version of the style sheet at the last drawing.
  fileprivate var stylesVersion = 0
  /// The caret and hint that the renderer received last.
  private(set) var shownCaret: Point?
  private(set) var shownHint: String?

  /// After this many interrupted frames, a partial frame is shown.
  fileprivate static let unfinishedLimit = 4

  init(size: Size) {
    self.size = size.bounded
    frame = Frame(size: size)
  }

  /// Replaces the frame by an empty one of another size.
  mutating func resize(_ size: Size) {
    self.size = size
    frame = Frame(size: size, glyphs: frame.glyphs)
  }

  /// Whether the caret has moved since the renderer last received a frame.
  var hasMovedCaret: Bool { frame.caret != shownCaret }

  /// Records the caret and hint for the renderer; false if it has them already.
  fileprivate mutating func show(_ hint: String?) -> Bool {
    if frame.caret == shownCaret && hint == shownHint { return false }
    shownCaret = frame.caret
    shownHint = hint
    return true
  }
}

extension Scene {
  /// The size of the screen in columns and rows.
  public var size: Size { painter.size }

  /// The last frame.
  public var frame: Frame { painter.frame }

  /// The symbols that views draw with. With ASCII symbols, other characters of texts are replaced
  /// too.
  public var symbols: Symbols {
    get { painter.symbols }
    set {
      painter.symbols = newValue
      setNeedsFullRedraw()
    }
  }

  /// Resizes the screen, to at most `Size.cellLimit` cells.
  public func resize(_ size: Size) {
    let size = size.bounded
    if size == self.size { return }
    painter.resize(size)
    retryBounds()
    setNeedsFullRedraw()
  }

  /// Sets the title of the app, which a renderer may show; if it is empty, the window's title is
  /// used.
  package func setTitle(_ title: String) {
    if title == host.title { return }
    host.title = title
    // Renderers read the title when they render.
    setNeedsFullRedraw()
  }

  /// Redraws everything in the next frame.
  package func setNeedsFullRedraw() {
    painter.needsFullRedraw = true
    layout.needsDraw(window)
  }

  /// Whether the style sheet has changed since the last drawing.
  var hasStaleStyles: Bool { painter.stylesVersion != styles.version }

  /// Recomputes the look of all views if the style sheet has changed.
  func refreshStyles() {
    if !hasStaleStyles { return }
    painter.stylesVersion = styles.version
    for top in [window] + floats.all {
      var walk = TreeWalk(top)
      while let view = walk.next() { view.layout.flags.insert(.lookChanged) }
    }
    setNeedsFullRedraw()
  }

  /// Draws the queued views; returns nil if there is nothing to show.
  func paint() -> Changes? {
    painter.frameNumber += 1
    frame.symbols = symbols
    var painted: [View] = []
    var areas: [Rect] = []
    let changed = cycle.takeChangedViews(and: layout.drawQueue, in: self)
    let waiting = layout.drawQueue.filter { $0.isShown(in: self) && !isDrawnElsewhere($0) }
    areas.reserveCapacity(waiting.count)
    paint(waiting, &painted, &areas)
    layout.clearDrawQueue()
    if let marked = inspection.marked, marked.isShown(in: self) {
      for area in areas { frame.reverse(area.intersection(marked.layout.visible)) }
    }
    frame.caret = caretPoint()
    let isWhole = painter.needsFullRedraw
    painter.needsFullRedraw = false
    if layout.isLate {
      // The next frame starts over; if no frame ever completes, a partial one is shown.
      painter.unfinishedFrames += 1
      if painter.unfinishedFrames < Painter.unfinishedLimit { setNeedsFullRedraw() }
    }
    // The caret and the hint may change even if the focused view is not visible.
    let hint = hint
    let isNew = painter.show(hint)
    if areas.isEmpty && !isNew && !isWhole && changed.isEmpty { return nil }
    return Changes(
      views: painted, frame: frame, areas: areas, isWhole: isWhole, changedViews: changed)
  }

  private func paint(_ waiting: [View], _ painted: inout [View], _ areas: inout [Rect]) {
    if floats.all.isEmpty { return paintWindow(waiting, &painted, &areas) }
    var layers: [ObjectIdentifier: [View]] = [:]
    for view in waiting {
      if layout.isLate { return }
      if let float = floats.float(of: view) {
        layers[ObjectIdentifier(float), default: []].append(view)
      } else if let area = paint(from: view) {
        painted.append(view)
        areas.append(area)
      }
    }
    for float in floats.shown {
      if layout.isLate(at: float) { return }
      // A view drawn below the float has overwritten it.
      let isHit = areas.contains { !$0.intersection(float.layout.visible).isEmpty }
      for view in isHit ? [float] : layers[ObjectIdentifier(float)] ?? [] {
        guard let area = paint(from: view) else { continue }
        painted.append(view)
        areas.append(area)
      }
    }
  }

  /// Like `paint(_:_:_:)` without floats, where usually all queued views are drawn.
  private func paintWindow(_ waiting: [View], _ painted: inout [View], _ areas: inout [Rect]) {
    var isDrawn = [Bool](repeating: false, count: waiting.count)
    for index in waiting.indices {
      if layout.isLate { break }
      // The list owns the views; reference counting would take as long as drawing a label.
      let area = Unmanaged.passUnretained(waiting[index])._withUnsafeGuaranteedRef {
        paint(from: $0)
      }
      guard let area else { continue }
      areas.append(area)
      isDrawn[index] = true
    }
    painted =
      areas.count == waiting.count
      ? waiting : waiting.indices.filter { isDrawn[$0] }.map { waiting[$0] }
  }

  /// Whether a view needs no drawing of its own: it is not visible, or an ancestor is drawn.
  private func isDrawnElsewhere(_ view: View) -> Bool {
    if view.layout.box.isHidden { return true }
    if view.layout.isFloating { return !floats.shown.contains { $0 === view } }
    // Superviews of the top view are not drawn by this scene.
    if view === window { return false }
    let known = view.withParent { parent in
      parent.layout.coverFrame == painter.frameNumber ? parent.layout.isCovered : nil
    }
    if let known, let known { return known }
    var answer = false
    var current = view.parent
    while let ancestor = current {
      if ancestor.layout.coverFrame == painter.frameNumber {
        answer = ancestor.layout.isCovered
        break
      }
      if ancestor.layout.flags.contains(.inDraw) || ancestor.layout.box.isHidden {
        answer = true
        break
      }
      if ancestor.layout.isFloating {
        answer = !floats.shown.contains { $0 === ancestor }
        break
      }
      if ancestor === window { break }
      current = ancestor.parent
    }
    // The result is cached for the frame, since many views may share an ancestor.
    let end = current
    current = view.parent
    while let ancestor = current, ancestor !== end {
      ancestor.layout.coverFrame = painter.frameNumber
      ancestor.layout.isCovered = answer
      current = ancestor.parent
    }
    return answer
  }

  /// Draws a view and its subtree, and returns the area.
  private func paint(from top: View) -> Rect? {
    let area = top.layout.visible
    if area.isEmpty { return nil }
    let inherited =
      top.layout.isFloating ? floatStyle(top) : top.withParent { $0.shownStyle } ?? .plain
    let frame = frame
    frame.fill(area, style: inherited.background(alone: true))
    let style = paint(top, inherited)
    if top.children.isEmpty { return area }
    var stack: [(view: View, inherited: CellStyle)] = []
    push(top, style, on: &stack)
    while let (view, inherited) = stack.popLast() {
      if view.layout.visible.isEmpty {
        view.layout.inherited = inherited
        if layout.isLate(stepping: view) { break }
        continue
      }
      push(view, paint(view, inherited), on: &stack)
      if layout.isLate(stepping: view) { break }
    }
    return area
  }

  /// A float inherits the colours of its superview, but not its attributes: a dialog in a selected
  /// row is not selected.
  private func floatStyle(_ float: View) -> CellStyle {
    guard let above = float.parent ?? float.presenter else { return .plain }
    let style = above.shownStyle
    return CellStyle(foreground: style.foreground, background: style.background)
  }

  private func push(
    _ view: View, _ style: CellStyle, on stack: inout [(view: View, inherited: CellStyle)]
  ) {
    for child in view.children.reversed() where child.layout.isInFlow {
      stack.append((child, style))
    }
  }

  /// Draws a view without its subviews, and returns the style that they inherit.
  private func paint(_ view: View, _ inherited: CellStyle) -> CellStyle {
    refreshLook(of: view)
    view.layout.inherited = inherited
    let style = view.shownStyle
    let background = style.background(alone: true)
    if background != inherited.background(alone: true) {
      frame.fill(view.layout.visible, style: background)
    }
    Graph.measured(at: view.header) { view.draw(in: canvas(for: view, style)) }
    return style
  }

  private func canvas(for view: View, _ style: CellStyle) -> Canvas {
    let rect = view.layout.rect
    return Canvas(
      frame: frame, origin: rect.origin, clip: view.layout.visible, size: rect.size,
      content: Rect(rect.size).inset(by: view.insets), style: style)
  }

  private func refreshLook(of view: View) {
    // The enabled state depends on superviews, which are drawn together with the view.
    let follows = view.layout.look.states.contains(.disabled)
    guard view.layout.flags.contains(.lookChanged) || follows else { return }
    view.layout.flags.remove(.lookChanged)
    do {
      view.layout.look = try Look(view, styles)
    } catch {
      view.layout.look = Look()
      view.report(error)
    }
  }

  private func caretPoint() -> Point? {
    guard let focused, let caret = focused.caret else { return nil }
    let rect = focused.layout.rect
    let point = Point(x: rect.x + caret.x, y: rect.y + caret.y)
    return focused.layout.visible.contains(point) && !isCovered(point, of: focused) ? point : nil
  }
}

extension View {
  /// The style of its text, based on the style inherited at the last drawing.
  fileprivate var shownStyle: CellStyle { decorated(layout.look.over(layout.inherited)) }
}

extension CellStyle {
  /// The part of the style that is visible in a blank cell.
  func background(alone: Bool) -> CellStyle {
    // The dim attribute is visible only in a reversed blank.
    let shown: Attributes = attributes.contains(.reverse) ? [.reverse, .dim] : []
    return CellStyle(background: background, attributes: attributes.intersection(shown))
  }
}
