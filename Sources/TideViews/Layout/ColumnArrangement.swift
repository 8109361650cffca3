/// An arrangement that measures as a column does and only places its subviews in a way of its own.
protocol ColumnArrangement: Arrangement {}

extension ColumnArrangement {
  var column: Column { Column() }

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
}
