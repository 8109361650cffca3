/// What somebody who looks into a scene has done to it.
struct SceneInspection {
  /// The view that stands out.
  weak var marked: View?
  /// Is given the view that a person picks next, or nil where they do not want to.
  var picker: ((View?) -> Void)?
}

extension Scene {
  /// A view that stands out, for somebody who looks for it; nil for none.
  package var markedView: View? {
    get { inspection.marked }
    set {
      if newValue === inspection.marked { return }
      inspection.marked = newValue
      setNeedsFullRedraw()
    }
  }

  /// The views that are seen, outer ones first, and the part of the screen that each takes.
  package var visibleViews: [(view: View, rect: Rect)] {
    var found: [(view: View, rect: Rect)] = []
    var rest = [window]
    while let view = rest.popLast() {
      guard view.layout.isInFlow || view === window else { continue }
      let rect = view.layout.visible
      if !rect.isEmpty { found.append((view, rect)) }
      rest += view.children.reversed()
    }
    return found
  }

  /// Lets a person pick a view: the next click does nothing but that, and Esc gives nil. Nil for no
  /// longer.
  package var picker: ((View?) -> Void)? {
    get { inspection.picker }
    set {
      inspection.picker = newValue
      // Renderers that pick for themselves look when they draw.
      setNeedsFullRedraw()
    }
  }

  /// Picks a view, where that is wanted.
  package func pick(_ view: View?) {
    guard let picker = inspection.picker else { return }
    self.picker = nil
    picker(view)
  }

  /// Takes input where a view is to be picked; false where it is to go its usual way.
  func takesForPicking(_ event: InputEvent) -> Bool {
    guard inspection.picker != nil else { return false }
    switch event {
    case .mouse(let mouse):
      if case .press = mouse.kind {
        let layer = floats.layer(at: mouse.position, above: window) ?? window
        pick(view(at: mouse.position, in: layer))
      }
      return true
    case .key(Key(.escape)):
      pick(nil)
      return true
    default: return false
    }
  }
}
