import TideBindings

extension ChartView {
  /// The indexes of the numbers shown across the width of a line chart.
  func lastPoints(of content: ChartContent) -> Range<Int> {
    let count = content.count
    guard let points = peek(.points, as: Int?.self), points > 0 else { return 0..<count }
    return max(0, count - points)..<count
  }

  func drawLines(
    _ content: ChartContent, _ area: Rect, _ scale: ChartScale, _ looks: [Look], _ canvas: Canvas
  ) {
    if area.isEmpty { return }
    var dots = DotGrid(area, shown: canvas.shown(area), isBraille: canvas.symbols.isUnicode)
    let shown = lastPoints(of: content)
    let points = max(2, peek(.points, as: Int?.self) ?? shown.count)
    for (index, series) in content.series.enumerated() {
      var before: Point?
      // If many numbers share one column of dots, drawing their minimum and maximum is enough.
      var column: Column?
      for position in shown {
        let fraction = position < series.count ? scale.fraction(series[position]) : nil
        guard let fraction else {
          column?.draw(on: &dots, of: index)
          (column, before) = (nil, nil)
          continue
        }
        let share = Double(points - (shown.upperBound - position)) / Double(points - 1)
        let point = Point(
          x: Int((share * Double(dots.width - 1)).rounded()),
          y: Int(((1 - fraction) * Double(dots.height - 1)).rounded()))
        if let known = column, known.x == point.x {
          column?.add(point)
        } else {
          column?.draw(on: &dots, of: index)
          if let before { dots.line(from: before, to: point, of: index) }
          column = Column(point)
        }
        before = point
      }
      column?.draw(on: &dots, of: index)
    }
    dots.draw(on: canvas) { (looks[$0].mark, looks[$0].style) }
  }

  private struct Column {
    let x: Int
    private var top: Int
    private var bottom: Int

    init(_ point: Point) {
      x = point.x
      top = point.y
      bottom = point.y
    }

    mutating func add(_ point: Point) {
      top = min(top, point.y)
      bottom = max(bottom, point.y)
    }

    func draw(on dots: inout DotGrid, of series: Int) {
      dots.line(from: Point(x: x, y: top), to: Point(x: x, y: bottom), of: series)
    }
  }
}
