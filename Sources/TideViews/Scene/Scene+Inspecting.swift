/// The state of an inspector that is attached to a scene.
struct SceneInspection {
  /// The highlighted view.
  weak var marked: View?
  /// Receives the view that the user picks next, or nil if the user cancels.
  var picker: ((View?) -> Void)?
}

extension Scene {
  /// The view that an inspector highlights; nil for none.
  package var markedView: View? {
    get { inspection.marked }
    set {
      if newValue === inspection.marked { return }
      inspection.marked = newValue
      setNeedsFullRedraw()
    }
  }

  /// The visible views, outermost first, with the visible part of each.
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

  /// Lets the user pick a view: the next click only picks, and Escape picks nil. Set to nil to end
  /// picking.
  package var picker: ((View?) -> Void)? {
    get { inspection.picker }
    set {
      inspection.picker = newValue
      // Renderers that implement picking themselves check this when they render.
      setNeedsFullRedraw()
    }
  }

  /// Passes a view to the picker, if one is set.
  package func pick(_ view: View?) {
    guard let picker = inspection.picker else { return }
    self.picker = nil
    picker(view)
  }

  /// Handles input while a view is to be picked; returns false if the input must be processed as
  /// usual.
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
