import TideBindings
import TideGraph

/// Draws numbers. `spark` is a row of blocks of the last values that fit, `line` draws all values
/// in Braille dots over the whole width, and `bar` draws bars that share the width.
///
/// ```lua
/// view.chart { kind = "line", height = 10, labels = { "Mon", "Sun" },
///   values = {
///     { title = "low", values = lows, color = "blue" }, { title = "high", values = highs },
///   } }
/// ```
///
/// `values` is a list of numbers, of several such lists, or of objects with `values`, `title` and
/// `color`; titles are shown in a legend at the top. `scale` shows round numbers at the left and
/// faint grid lines; by default, line and bar charts show a scale if there is enough space.
/// `labels` are spread below. With `points`, the width of a line chart shows that many values with
/// the latest at the right, as for a history that fills up.
///
/// Without `minimum` and `maximum`, the scale is the range of the visible values, and for bars it
/// includes 0. A value that is not a finite number leaves a gap.
public final class ChartView: View {
  var content: ChartContent?
  private var shownValues: Value = .null
  private var labels: ListFollowing?
  private var shownLabels: Value = .null
  /// The colours of series without a `color`; the first is the view's own.
  private static let colors: [Color] = [
    .standard, .ansi(6), .ansi(3), .ansi(5), .ansi(2), .ansi(4), .ansi(1),
  ]
  static let marks: [Character] = ["*", "o", "+", "x", "#", "@"]

  override func stateChanged() {
    let values = peek(.values, as: Value.self)
    if values != shownValues {
      shownValues = values
      content = ChartContent(values) { [unowned self] in setNeedsDraw() }
      setNeedsDraw()
    }
    let labels = peek(.labels, as: Value.self)
    if labels != shownLabels {
      shownLabels = labels
      self.labels = ListFollowing(labels) { [unowned self] edits in
        reportNonText(of: .labels, in: self.labels, edits)
        setNeedsDraw()
      }
      setNeedsDraw()
    }
  }

  /// The maximum number of bars in a description; a page has fewer pixels across.
  private static let describedBars = 4000

  override func describe(_ description: inout ViewDescription) {
    stateChanged()
    guard let content else { return }
    description.titles = labelTexts
    let kind = text(.kind)
    let shown =
      kind == "bar"
      ? max(0, content.count - Self.describedBars)..<content.count : lastPoints(of: content)
    description.series = content.series.map { series in
      let values: [Double?] = shown.clamped(to: 0..<series.count).map {
        let number = series[$0]
        return number.isFinite ? number : nil
      }
      return ViewDescription.Series(
        title: series.title, values: values, color: (try? series.color()) ?? nil)
    }
    guard kind != "spark", peek(.scale, as: Bool?.self) != false,
      let scale = scale(of: content, kind, Self.describedBars)
    else { return }
    let ends = ticked(scale, count: 5)
    guard ends.low.isFinite, ends.high.isFinite else { return }
    if peek(.minimum, as: Double?.self) == nil { description.minimum = ends.low }
    if peek(.maximum, as: Double?.self) == nil { description.maximum = ends.high }
  }

  /// 30 by 8 cells; 20 by 1 for `spark`.
  package override func naturalSize() -> Size {
    text(.kind) == "spark" ? Size(width: 20, height: 1) : Size(width: 30, height: 8)
  }

  package override func draw(in canvas: Canvas) {
    guard let content, !canvas.content.isEmpty, content.count > 0 else { return }
    defer { if let error = content.takeInvalidNumber(of: label) { report(error) } }
    let looks = self.looks(of: content, canvas)
    var area = canvas.content
    let kind = text(.kind)
    if kind == "spark" { return drawSparks(content, area, looks, canvas) }
    if area.height >= 4, content.series.contains(where: { !$0.title.isEmpty }) {
      drawLegend(content, area, looks, canvas)
      area.y += 1
      area.height -= 1
    }
    let texts = area.height >= 3 ? labelTexts : []
    if !texts.isEmpty { area.height -= 1 }
    guard var scale = scale(of: content, kind, area.width) else { return }
    if showsScale(area) {
      scale = ticked(scale, count: max(2, (area.height + 2) / 3))
      let width = drawTicks(of: scale, area, canvas)
      area.x += width
      area.width -= width
    }
    if kind == "bar" {
      drawBars(content, area, scale, looks, texts, canvas)
    } else {
      drawLines(content, area, scale, looks, canvas)
      spread(texts, area, canvas)
    }
  }

  /// The style and mark of a series.
  struct Look {
    var style: CellStyle
    var mark: Character
  }

  private func looks(of content: ChartContent, _ canvas: Canvas) -> [Look] {
    content.series.enumerated().map { index, series in
      var style = canvas.style
      let own = Self.colors[index % Self.colors.count]
      if index > 0 { style.foreground = own }
      do {
        if let color = try series.color() { style.foreground = color }
      } catch {
        report(error)
      }
      return Look(style: style, mark: Self.marks[index % Self.marks.count])
    }
  }

  private func scale(of content: ChartContent, _ kind: String, _ width: Int) -> ChartScale? {
    let shown = kind == "bar" ? lastBars(of: content, width) : lastPoints(of: content)
    guard let range = content.range(of: shown) else { return nil }
    let isBar = kind == "bar"
    return ChartScale(
      isBar ? min(0, range.least) : range.least, isBar ? max(0, range.most) : range.most,
      from: peek(.minimum, as: Double?.self), to: peek(.maximum, as: Double?.self))
  }

  /// The scale with ticks; ends that are set on the view stay fixed.
  private func ticked(_ scale: ChartScale, count: Int) -> ChartScale {
    scale.ticked(
      count: count, keepsLow: peek(.minimum, as: Double?.self) != nil,
      keepsHigh: peek(.maximum, as: Double?.self) != nil)
  }

  // MARK: Around the picture

  private func showsScale(_ area: Rect) -> Bool {
    let hasRoom = area.width >= 12 && area.height >= 2
    return (peek(.scale, as: Bool?.self) ?? (area.width >= 24 && area.height >= 4)) && hasRoom
  }

  /// Draws the numbers at the left and the grid lines; returns the width of the numbers.
  private func drawTicks(of scale: ChartScale, _ area: Rect, _ canvas: Canvas) -> Int {
    let ticks = scale.ticks.compactMap { tick in
      scale.fraction(tick).map { (row: row(of: $0, area), text: scale.label(tick)) }
    }
    let faint = canvas.style.with(foreground: .standard).hint
    let width = min(area.width / 2, (ticks.map { CharacterWidth.of($0.text) }.max() ?? 0) + 1)
    for tick in ticks {
      canvas.write(
        tick.text, x: area.x + width - 1 - CharacterWidth.of(tick.text), y: tick.row,
        style: faint, within: area)
      let line = Rect(x: area.x + width, y: tick.row, width: area.width - width, height: 1)
      for x in canvas.shown(line).columns {
        canvas.put(canvas.symbols.gridLine, x: x, y: tick.row, style: faint)
      }
    }
    return width
  }

  private func row(of fraction: Double, _ area: Rect) -> Int {
    area.y + Int(((1 - fraction) * Double(area.height - 1)).rounded())
  }

  private func drawLegend(
    _ content: ChartContent, _ area: Rect, _ looks: [Look], _ canvas: Canvas
  ) {
    var x = area.x
    for (series, look) in zip(content.series, looks) where !series.title.isEmpty {
      let mark = canvas.symbols.isUnicode ? canvas.symbols.legend : look.mark
      let top = Rect(x: area.x, y: area.y, width: area.width, height: 1)
      canvas.put(mark, x: x, y: area.y, style: look.style)
      x = canvas.write(series.title, x: x + 2, y: area.y, style: canvas.style, within: top) + 3
      if x >= area.maxX { return }
    }
  }

  private var labelTexts: [String] {
    guard let labels else { return [] }
    return (0..<min(labels.count, 1000)).map { labels.row($0).text ?? "" }
  }

  /// Spreads labels evenly below a line; those that do not fit are left out.
  private func spread(_ texts: [String], _ area: Rect, _ canvas: Canvas) {
    var free = area.x
    for (index, text) in texts.enumerated() {
      let width = CharacterWidth.of(text)
      let share =
        texts.count < 2 ? 0 : Double(index) / Double(texts.count - 1) * Double(area.width - 1)
      let x = max(area.x, min(area.x + Int(share.rounded()) - width / 2, area.maxX - width))
      if x < free { continue }
      canvas.write(text, x: x, y: area.maxY, style: canvas.style.hint)
      free = x + width + 1
    }
  }
}
