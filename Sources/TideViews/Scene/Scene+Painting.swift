import TideBindings
import TideGraph

extension Scene {
  /// Draws the views that asked for it; nil when there is nothing to show.
  func paint() -> Changes? {
    frameNumber += 1
    frame.symbols = symbols
    var painted: [View] = []
    var areas: [Rect] = []
    let waiting = layout.drawQueue.filter { $0.scene === self && !isCovered($0) }
    paint(waiting, &painted, &areas)
    layout.clearDrawQueue()
    frame.caret = caretPlace()
    let whole = isWhole
    isWhole = false
    if layout.isLate {
      // Again from the beginning; and where that never suffices, as much as there is.
      latePictures += 1
      if latePictures < Self.mostLatePictures { showsWhole() }
    }
    // Also where the view that has the focus is out of sight.
    let hint = hint
    if areas.isEmpty && frame.caret == shownCaret && hint == shownHint && !whole { return nil }
    shownCaret = frame.caret
    shownHint = hint
    return Changes(views: painted, frame: frame, areas: areas, isWhole: whole)
  }

  private static let mostLatePictures = 4

  private func paint(_ waiting: [View], _ painted: inout [View], _ areas: inout [Rect]) {
    var layers: [ObjectIdentifier: [View]] = [:]
    for view in waiting {
      if layout.isLate { return }
      if let float = float(of: view) {
        layers[ObjectIdentifier(float), default: []].append(view)
      } else if let area = paint(from: view) {
        painted.append(view)
        areas.append(area)
      }
    }
    for float in shownFloats {
      if layout.isLate(at: float) { return }
      // Whatever was drawn below it has drawn over it.
      let isHit = areas.contains { !$0.intersection(float.layout.visible).isEmpty }
      for view in isHit ? [float] : layers[ObjectIdentifier(float)] ?? [] {
        guard let area = paint(from: view) else { continue }
        painted.append(view)
        areas.append(area)
      }
    }
  }

  /// Whether a view need not be drawn by itself: it does not show, or a view above it is drawn.
  private func isCovered(_ view: View) -> Bool {
    if view.layout.box.isHidden { return true }
    if view.layout.isFloating { return !shownFloats.contains { $0 === view } }
    var answer = false
    var current = view.parent
    while let ancestor = current {
      if ancestor.layout.coverFrame == frameNumber {
        answer = ancestor.layout.isCovered
        break
      }
      if ancestor.layout.flags.contains(.inDraw) || ancestor.layout.box.isHidden {
        answer = true
        break
      }
      if ancestor.layout.isFloating {
        answer = !shownFloats.contains { $0 === ancestor }
        break
      }
      current = ancestor.parent
    }
    // Each ancestor is asked once a frame, however many views below it are drawn.
    let end = current
    current = view.parent
    while let ancestor = current, ancestor !== end {
      ancestor.layout.coverFrame = frameNumber
      ancestor.layout.isCovered = answer
      current = ancestor.parent
    }
    return answer
  }

  /// Draws a view and all below it, and gives the area.
  private func paint(from top: View) -> Rect? {
    let area = top.layout.visible
    if area.isEmpty { return nil }
    let inherited = top.layout.isFloating ? floatStyle(top) : top.parent?.shownStyle ?? .plain
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

  /// A float has the colours of what is around it in the tree, and not its attributes: a dialog in a
  /// chosen row is no chosen dialog.
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

  /// Draws a view without its subviews, and gives the style that these inherit.
  private func paint(_ view: View, _ inherited: CellStyle) -> CellStyle {
    refreshLook(of: view)
    view.layout.inherited = inherited
    let style = view.shownStyle
    let background = style.background(alone: true)
    if background != inherited.background(alone: true) {
      frame.fill(view.layout.visible, style: background)
    }
    view.draw(in: canvas(for: view, style))
    return style
  }

  private func canvas(for view: View, _ style: CellStyle) -> Canvas {
    let place = view.layout.place
    return Canvas(
      frame: frame, origin: place.origin, clip: view.layout.visible, size: place.size,
      content: Rect(place.size).inset(by: view.insets), style: style)
  }

  private func refreshLook(of view: View) {
    guard view.layout.flags.contains(.lookChanged) else { return }
    view.layout.flags.remove(.lookChanged)
    do {
      view.layout.look = try Look(view)
    } catch {
      view.layout.look = Look()
      view.report(error)
    }
  }

  private func caretPlace() -> Point? {
    guard let focused, let caret = focused.caret else { return nil }
    let place = focused.layout.place
    let point = Point(x: place.x + caret.x, y: place.y + caret.y)
    return focused.layout.visible.contains(point) && !isCovered(point, of: focused) ? point : nil
  }
}

extension View {
  /// How its text looks, by what it inherited when it was drawn last.
  fileprivate var shownStyle: CellStyle { adorned(layout.look.over(layout.inherited)) }
}

extension CellStyle {
  /// What of a style shows where there is no character.
  func background(alone: Bool) -> CellStyle {
    // Dim shows in a reversed space, and nowhere else.
    let shown: Attributes = attributes.contains(.reverse) ? [.reverse, .dim] : []
    return CellStyle(background: background, attributes: attributes.intersection(shown))
  }
}
