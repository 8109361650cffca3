/// A column whose only subview is as large as the view itself, but for a size of its own: a window.
struct Filling: ColumnArrangement {
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
