/// How a class arranges its subviews: a row, a column, a grid, panes.
///
/// What wraps has no natural height, so its height is found in three steps, each of them over
/// lists: widths from the top down, heights from the bottom up, and then rectangles. An arrangement
/// answers for its own subviews in each step and never asks theirs:
///
///     naturalSize(of:)         when a subview's natural size has changed
///     eachWidth(of:in:by:_:)   for a width that something wraps in
///     height(of:in:by:)        for that width, when the heights of what wraps are known
///     arrange(_:in:by:)        when its own area or a subview's size has changed
///
/// Hidden and floating subviews take no part. Sizes are without the padding and border of the view
/// itself, which the layout adds.
protocol Arrangement: Sendable {
  /// The direction in which subviews follow each other.
  var axis: Axis { get }

  /// From the natural sizes of the subviews.
  func naturalSize(of view: View) -> Size

  /// Visits the subviews in order, with the width that each gets of a total width.
  func eachWidth(
    of view: View, in width: Int, by layout: Layout, _ tell: (View, Int) -> Void)

  /// The height for a width, from the `knownHeight` of subviews that wrap and the natural one of
  /// others.
  func height(of view: View, in width: Int, by layout: Layout) -> Int

  /// Calls `layout.set` for each subview.
  func arrange(_ view: View, in content: Rect, by layout: Layout)
}

extension Arrangement {
  /// The natural size of subviews in one line along the axis.
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
  /// The subviews that take part in its layout.
  var arranged: some Sequence<View> { children.lazy.filter { $0.layout.isInFlow } }

  /// Its height where its width is known and everything in it has been asked.
  var foundHeight: Int { layout.hasWrap ? layout.knownHeight : layout.natural.height }

  /// What it takes with its margin when it has all the room it wants.
  var outerSize: Size {
    let margin = layout.box.margin
    return Size(
      width: layout.natural.width + margin.horizontal,
      height: layout.natural.height + margin.vertical)
  }
}

/// A column whose only subview is as large as the view itself, but for a size of its own: a window.
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
