import TideBindings

extension ChartView {
  // MARK: Sparks

  /// Draws one or more rows of blocks for each series, with the latest value at the right.
  func drawSparks(_ content: ChartContent, _ area: Rect, _ looks: [Look], _ canvas: Canvas) {
    let bands = min(content.series.count, area.height)
    var y = area.y
    let titles = content.series.prefix(bands).map(\.title)
    let widest = titles.map { CharacterWidth.of($0) }.max() ?? 0
    let indent = widest > 0 && area.width >= widest + 9 ? widest + 1 : 0
    for index in 0..<bands {
      // The remaining rows go to the first series.
      let height = area.height / bands + (index < area.height % bands ? 1 : 0)
      let band = Rect(x: area.x + indent, y: y, width: area.width - indent, height: height)
      if indent > 0 { canvas.write(titles[index], x: area.x, y: y, style: canvas.style.hint) }
      drawSpark(content.series[index], band, looks[index], canvas)
      y += height
    }
  }

  private func drawSpark(_ series: ChartSeries, _ area: Rect, _ look: Look, _ canvas: Canvas) {
    let first = max(0, series.count - area.width)
    let values = (first..<series.count).map { series[$0] }
    let finite = values.filter(\.isFinite)
    guard let least = finite.min(), let most = finite.max() else { return }
    let scale = ChartScale(
      least, most, from: peek(.minimum, as: Double?.self), to: peek(.maximum, as: Double?.self))
    for (column, value) in values.enumerated() {
      guard let fraction = scale.fraction(value) else { continue }
      // The minimum value is visible too.
      let filled = max(1, Int((fraction * Double(area.height * 8)).rounded()))
      let x = area.maxX - values.count + column
      fill(Rect(x: x, y: area.y, width: 1, height: area.height), filled, look.style, canvas)
    }
  }

  /// Fills an area from its bottom, measured in eighths of a cell.
  private func fill(_ area: Rect, _ filled: Int, _ style: CellStyle, _ canvas: Canvas) {
    let shown = canvas.shown(area)
    for y in shown.rows.reversed() {
      let level = max(0, min(8, filled - (area.maxY - 1 - y) * 8))
      if level == 0 { return }
      for x in shown.columns {
        canvas.put(canvas.symbols.levels[level], x: x, y: y, style: style)
      }
    }
  }

  // MARK: Bars

  /// The indexes of the last numbers that fit the width.
  func lastBars(of content: ChartContent, _ width: Int) -> Range<Int> {
    let count = content.count
    return max(0, count - max(1, width / max(1, content.series.count)))..<count
  }

  func drawBars(
    _ content: ChartContent, _ area: Rect, _ scale: ChartScale, _ looks: [Look],
    _ texts: [String], _ canvas: Canvas
  ) {
    if area.isEmpty { return }
    let shown = lastBars(of: content, area.width)
    let group = max(1, area.width / max(1, shown.count))
    let gap = group > content.series.count ? 1 : 0
    let width = max(1, (group - gap) / max(1, content.series.count))
    // Bars start at 0, or at the end of the scale nearest to it.
    let zero = Int(((scale.fraction(0) ?? 0) * Double(area.height)).rounded())
    for (index, position) in shown.enumerated() {
      let x = area.x + index * group
      for (index, series) in content.series.enumerated() {
        guard let fraction = scale.fraction(series[position]) else { continue }
        let eighths = Int((fraction * Double(area.height * 8)).rounded())
        let bar = Rect(x: x + index * width, y: area.y, width: width, height: area.height)
          .intersection(area)
        drawBar(bar, from: zero, to: eighths, looks[index].style, canvas)
      }
      if texts.indices.contains(position) {
        let text = TextLines.truncated(
          texts[position], width: max(1, group - gap), ellipsis: canvas.symbols.ellipsis)
        let offset = max(0, (group - gap - CharacterWidth.of(text)) / 2)
        canvas.write(text, x: x + offset, y: area.maxY, style: canvas.style.hint)
      }
    }
  }

  /// Draws a bar up or down from a row above the bottom to a height in eighths of a row.
  private func drawBar(
    _ area: Rect, from zero: Int, to eighths: Int, _ style: CellStyle, _ canvas: Canvas
  ) {
    if eighths >= zero * 8 {
      let upper = Rect(x: area.x, y: area.y, width: area.width, height: area.height - zero)
      return fill(upper, eighths - zero * 8, style, canvas)
    }
    var missing = zero * 8 - eighths
    var y = area.maxY - zero
    while missing > 0 {
      // A bar that hangs down is drawn as its complement in reversed colours.
      let level = missing >= 8 ? 8 : 8 - missing
      let isPart = missing < 8 && canvas.symbols.isUnicode
      for x in area.x..<area.maxX {
        canvas.put(
          canvas.symbols.levels[isPart ? level : 8], x: x, y: y,
          style: isPart ? style.with(.reverse) : style)
      }
      missing -= 8
      y += 1
    }
  }
}
