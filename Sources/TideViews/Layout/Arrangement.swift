/// How a class arranges its subviews: a row, a column, a grid, panes.
///
/// Wrapping text has no natural height, so heights are found in three passes over lists: widths
/// from the top down, heights from the bottom up, then rectangles. In each pass an arrangement
/// handles its own subviews only and does not recurse:
///
///     naturalSize(of:)         when a subview's natural size has changed
///     eachWidth(of:in:by:_:)   for a width, if a descendant wraps text
///     height(of:in:by:)        for that width, when the heights of wrapping subviews are known
///     arrange(_:in:by:)        when its own area or a subview's size has changed
///
/// Hidden and floating subviews are skipped. Sizes exclude the view's own padding and border, which
/// the layout adds.
protocol Arrangement: Sendable {
  /// The direction in which subviews are arranged.
  var axis: Axis { get }

  /// The natural size of the view, from those of its subviews.
  func naturalSize(of view: View) -> Size

  /// Visits the subviews in order, with the part of the total width that each receives.
  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void)

  /// The height for a width, from the `knownHeight` of wrapping subviews and the natural height of
  /// the others.
  func height(of view: View, in width: Int, by layout: Layout) -> Int

  /// Sets the rectangle of each subview by `layout.set`.
  func arrange(_ view: View, in content: Rect, by layout: Layout)
}

extension Arrangement {
  /// The natural size of subviews arranged in one line along the axis.
  func lineSize(of view: View) -> Size {
    var size = Size.zero
    var count = 0
    for child in view.children where child.layout.isInFlow {
      let outer = child.outerSize
      if axis == .horizontal {
        size.width += outer.width
        size.height = max(size.height, outer.height)
      } else {
        size.width = max(size.width, outer.width)
        size.height += outer.height
      }
      count += 1
    }
    let gaps = view.spacing * max(0, count - 1)
    if axis == .horizontal { size.width += gaps } else { size.height += gaps }
    return size
  }
}

extension View {
  /// The subviews that take part in layout.
  var arranged: some Sequence<View> { children.lazy.filter { $0.layout.isInFlow } }

  /// The height for the current width, once the heights of wrapping descendants are known.
  var foundHeight: Int { layout.hasWrap ? layout.knownHeight : layout.natural.height }

  /// The natural size with margins.
  var outerSize: Size {
    let margin = layout.box.margin
    return Size(
      width: layout.natural.width + margin.horizontal,
      height: layout.natural.height + margin.vertical)
  }
}

/// A column whose only subview fills the view, unless it has a size of its own: a window.
struct Filling: ColumnArrangement {
  func arrange(_ view: View, in content: Rect, by layout: Layout) {
    var shown = view.arranged.makeIterator()
    guard let child = shown.next() else { return }
    if shown.next() != nil { return column.arrange(view, in: content, by: layout) }
    let box = child.layout.box
    let room = content.inset(by: box.margin)
    let fixed = box.height(in: content.height)
    let width = min(
      room.width,
      box.clamped(
        width: box.width(in: content.width) ?? box.width(forHeight: fixed) ?? room.width,
        in: content.width))
    let height = fixed ?? box.ratioOfHeight.map { BoxStyle.height(forWidth: width, $0) }
    layout.set(
      child,
      Rect(
        x: room.x, y: room.y, width: width, height: min(room.height, height ?? room.height)),
      in: content, of: view)
  }
}
