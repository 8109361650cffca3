extension Layout {
  /// Shares a view's area among its subviews.
  func arrange(_ view: View) {
    let content = view.layout.place.inset(by: view.insets)
    if let arrangement = view.viewClass.arrangement {
      arrangement.arrange(view, in: content, by: self)
    } else {
      view.arrangeSubviews(in: content, by: self)
    }
  }

  /// Gives a subview its place, within its superview's content.
  ///
  /// With `clip` the content may be larger than the view, and only what is within `clip` shows.
  func set(_ child: View, _ place: Rect, in content: Rect, of view: View, clip: Rect? = nil) {
    if isLate(stepping: view) { return }
    let x = max(content.x, min(place.x, content.maxX))
    let y = max(content.y, min(place.y, content.maxY))
    let place = Rect(
      x: x, y: y, width: min(place.maxX, content.maxX) - x,
      height: min(place.maxY, content.maxY) - y)
    var visible = place.intersection(view.layout.visible)
    if let clip { visible = visible.intersection(clip) }
    if place != child.layout.place || visible != child.layout.visible {
      child.layout.place = place
      child.layout.visible = visible
      needsDraw(view)
      moved.append(child)
    } else if child.layout.flags.contains(.arrange) {
      moved.append(child)
    }
  }

  /// Puts a subview out of sight, with all that is in it.
  func conceal(_ child: View, in view: View) {
    let corner = Rect(x: view.layout.place.x, y: view.layout.place.y, width: 0, height: 0)
    set(child, corner, in: corner, of: view)
  }
}
