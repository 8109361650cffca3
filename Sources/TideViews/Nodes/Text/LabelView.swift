import TideBindings

/// Shows text, on one line or several.
///
/// `wrap` breaks lines between words; otherwise what does not fit ends with `…`, or is cut where
/// `truncate` is off. `align` says where the text stands in a wider label.
public final class LabelView: View {
  public convenience init(_ text: String = "") {
    self.init(viewClass: .label)
    self.text = text
  }

  public var text: String {
    get { self[.text] }
    set { self[.text] = newValue }
  }

  public override func naturalSize() -> Size { TextLines.size(of: text(.text)) }

  public override var wraps: Bool { flag(.wrap) }

  public override func naturalHeight(forWidth width: Int) -> Int {
    TextLines.wrapped(text(.text), width: width).count
  }

  public override func draw(in canvas: Canvas) {
    let area = canvas.content
    if area.isEmpty { return }
    let text = text(.text)
    if let width = TextLines.plainWidth(text), width <= area.width {
      // The common case, one line that fits.
      let x = area.x + alignment.offset(width, in: area.width)
      canvas.write(text, x: x, y: area.y, within: area)
      return
    }
    let lines =
      wraps ? TextLines.wrapped(text, width: area.width) : TextLines.split(text)
    let alignment = alignment
    let truncates = flag(.truncate)
    for (row, line) in lines.prefix(area.height).enumerated() {
      let width = CharacterWidth.of(line)
      let y = area.y + row
      let isCut = wraps && row == area.height - 1 && lines.count > area.height
      if truncates && (width > area.width || isCut) {
        let ellipsis = canvas.symbols.ellipsis
        var shown = TextLines.truncated(line, width: area.width, ellipsis: ellipsis)
        if isCut && width < area.width { shown.append(ellipsis) }
        if isCut && width == area.width {
          shown = TextLines.truncated(line, width: area.width - 1, ellipsis: ellipsis)
          if shown.last != ellipsis { shown.append(ellipsis) }
        }
        canvas.write(shown, x: area.x, y: y, within: area)
      } else {
        canvas.write(line, x: area.x + alignment.offset(width, in: area.width), y: y, within: area)
      }
    }
  }
}
