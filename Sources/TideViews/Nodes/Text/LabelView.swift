import TideBindings
package import TideGraph

/// Shows text, on one or more lines.
///
/// ```swift
/// let label = LabelView("The quick brown fox")
/// label[.wrap] = true
/// ```
///
/// With `wrap`, lines break between words; without it, text that does not fit ends with `…`, or is
/// cut off if `truncate` is false. `align` positions the text in a wider label. Tabs advance to the
/// next multiple of 8 columns; other control characters appear as `�`. A label handles no keys and
/// no mouse events. The cost of drawing depends on the visible text, not on the length of the whole
/// text.
public final class LabelView: View {
  /// Makes a label with a text.
  public convenience init(_ text: String = "") {
    self.init(viewClass: .label)
    self.text = text
  }

  /// The text of the label.
  public var text: String {
    get { self["text"].text ?? "" }
    set { self[.text] = newValue }
  }

  /// The text with tabs expanded to spaces.
  final var shownText: String {
    let text: String
    switch peek(.text, as: Value.self) {
    case .string(let plain): text = plain
    case .object(let rich as RichText): return rich.text
    case let other: text = other.text ?? ""
    }
    if let expanded, expanded.text == text { return expanded.shown }
    let shown = TextLines.withoutTabs(text)
    expanded = shown.utf8.count == text.utf8.count || WorkBudget.isOver ? nil : (text, shown)
    return shown
  }

  /// Cached, because a long text is drawn more often than it changes.
  private var expanded: (text: String, shown: String)?

  package override func addHeld(to meter: inout MemoryMeter) {
    if let expanded { meter.add(expanded.shown.utf8.count) }
  }

  override var declaredProperties: [ViewProperty] { [.text] }

  override func adoptState(of old: View, _ reconciliation: Reconciliation) {
    super.adoptState(of: old, reconciliation)
    adopt(.text, of: old, reconciliation)
  }

  override func describe(_ description: inout ViewDescription) {
    guard let rich = richText else { return }
    let styles = StyleSheet.of(graph)
    rich.eachPart(from: 0, count: rich.text.utf8.count) { range, format in
      description.spans.append(
        ViewDescription.Span(
          text: rich.text(in: range), look: ViewDescription.Appearance(Look(format, styles))))
    }
  }

  /// The text if it is rich text; nil otherwise.
  private var richText: RichText? {
    if case .object(let rich as RichText) = peek(.text, as: Value.self) { rich } else { nil }
  }

  /// The width of the longest line, and the number of lines.
  package override func naturalSize() -> Size { TextLines.size(of: shownText) }

  /// The value of `wrap`.
  public override var wraps: Bool { flag(.wrap) }

  /// The number of lines of the text wrapped to a width.
  package override func naturalHeight(forWidth width: Int) -> Int {
    TextLines.height(of: shownText, width: width)
  }

  package override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let text = shownText
    let rich = richText
    if rich == nil, text.utf8.count <= area.width, let width = TextLines.plainWidth(text) {
      // The common case, one line that fits.
      let x = area.x + alignment.offset(width, in: area.width)
      canvas.write(text, x: x, y: area.y, within: area)
      return
    }
    // One line more than fits, to detect that there is more text.
    let lines =
      wraps
      ? TextLines.wrapped(text, width: area.width, limit: area.height + 1)
      : TextLines.split(text, limit: area.height)
    for (row, line) in lines.prefix(area.height).enumerated() {
      let isCut = wraps && row == area.height - 1 && lines.count > area.height
      guard let rich else {
        draw(line, y: area.y + row, isCut: isCut, in: area) { shown, x, y in
          canvas.write(shown, x: x, y: y, within: area)
        }
        continue
      }
      let start = text.utf8.distance(from: text.utf8.startIndex, to: line.startIndex)
      draw(line, y: area.y + row, isCut: isCut, in: area) { shown, x, y in
        write(shown, of: rich, from: start, x: x, y: y, in: area, canvas)
      }
    }
  }

  /// Writes a part of rich text. Characters after its end, such as an ellipsis, have the style of
  /// the last part.
  private func write(
    _ shown: Substring, of rich: RichText, from start: Int, x: Int, y: Int, in area: Rect,
    _ canvas: Canvas
  ) {
    guard let styles = scene?.styles else { return }
    var x = x
    var index = shown.startIndex
    var style = canvas.style
    rich.eachPart(from: start, count: shown.utf8.count) { range, format in
      guard
        let end = shown.utf8.index(index, offsetBy: range.count, limitedBy: shown.endIndex)
      else { return }
      style = Look(format, styles).over(canvas.style)
      x = canvas.write(shown[index..<end], x: x, y: y, style: style, within: area)
      index = end
    }
    if index < shown.endIndex {
      canvas.write(shown[index...], x: x, y: y, style: style, within: area)
    }
  }

  private func draw(
    _ line: Substring, y: Int, isCut: Bool, in area: Rect, write: (Substring, Int, Int) -> Void
  ) {
    let width = TextLines.cells(of: line, atMost: area.width)
    guard flag(.truncate) && (width > area.width || isCut) else {
      return write(line, area.x + alignment.offset(width, in: area.width), y)
    }
    let ellipsis = scene?.symbols.ellipsis ?? "…"
    var shown = TextLines.truncated(line, width: area.width, ellipsis: ellipsis)
    if isCut && width < area.width { shown.append(ellipsis) }
    if isCut && width == area.width {
      shown = TextLines.truncated(line, width: area.width - 1, ellipsis: ellipsis)
      if shown.last != ellipsis { shown.append(ellipsis) }
    }
    write(shown[...], area.x, y)
  }
}
