/// A column whose only subview is as large as the view itself, but for a size of its own: a window.
struct Filling: Arrangement {
  private let column = Column()

  var axis: Axis { .vertical }

  func naturalSize(of view: View) -> Size { column.naturalSize(of: view) }

  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void
  ) {
    column.eachWidth(of: view, in: width, by: layout, tell)
  }

  func height(of view: View, in width: Int, by layout: Layout) -> Int {
    column.height(of: view, in: width, by: layout)
  }

  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    var shown = view.arranged.makeIterator()
    guard let child = shown.next() else { return }
    if shown.next() != nil { return column.arrange(view, in: content, by: layout) }
    let box = child.layout.box
    let room = content.inset(by: box.margin)
    layout.set(
      child,
      Rect(
        x: room.x, y: room.y, width: min(room.width, box.clamped(width: box.width ?? room.width)),
        height: min(room.height, box.height ?? room.height)), in: content, of: view)
  }
}
