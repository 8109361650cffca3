import TideBindings
import TideValues

/// A formatted text, which can be the value of a label's `text` instead of plain text.
///
/// ```lua
/// view.label { text = rich { "Total: ", rich.bold(12), rich.color("red", "!") } }
/// ```
///
/// It converts to plain text without its formats; a tab is shown as a space. Equal texts of one
/// graph share one object (`StyleSheet.richText`), so setting an equal text does not redraw a
/// label.
package final class RichText: StyledText, CustomStringConvertible {
  package let text: String
  package let runs: [Run]
  /// Accounts for its size in the app's memory.
  private let held: CountedText?

  /// A part of the text: its length in bytes and its format.
  package struct Run: Hashable, Sendable {
    package var byteCount: Int
    package var format: Format
  }

  /// The format of a part of a text; unset properties are inherited from the surrounding text.
  package struct Format: Hashable, Sendable {
    var foreground: Color?
    var background: Color?
    var attributes: CellStyle.Attributes = []
    var styles: [String] = []

    package init() {}

    package static let bold = Format(.bold)
    package static let italic = Format(.italic)
    package static let underline = Format(.underline)

    private init(_ attributes: CellStyle.Attributes) { self.attributes = attributes }

    package init(color: Color) { foreground = color }
    package init(background color: Color) { background = color }
    package init(styles: [String]) { self.styles = styles }

    /// The maximum number of style names for a part of a text.
    package static let mostStyles = 20

    /// The format nested in another one, from which it inherits unset properties.
    package func within(_ outer: Format) -> Format {
      var format = self
      format.foreground = foreground ?? outer.foreground
      format.background = background ?? outer.background
      format.attributes.formUnion(outer.attributes)
      // If a name is in both, the later position counts.
      format.styles =
        styles.isEmpty ? outer.styles : outer.styles.filter { !styles.contains($0) } + styles
      return format
    }
  }

  /// The content of a rich text, which determines equality.
  package struct Content: Hashable {
    package private(set) var text = ""
    package private(set) var runs: [Run] = []

    package init() {}

    var byteCount: Int { RichText.byteCount(text, runs) }

    package mutating func append(_ part: String, _ format: Format) {
      if part.isEmpty { return }
      text += part
      if runs.last?.format == format {
        runs[runs.count - 1].byteCount += part.utf8.count
      } else {
        runs.append(Run(byteCount: part.utf8.count, format: format))
      }
    }

    package mutating func append(_ other: RichText, within format: Format) {
      var start = other.text.utf8.startIndex
      for run in other.runs {
        let end = other.text.utf8.index(start, offsetBy: run.byteCount)
        append(String(other.text[start..<end]), run.format.within(format))
        start = end
      }
    }
  }

  fileprivate init(_ content: Content, in table: BindingTable) {
    text = content.text
    runs = content.runs
    held = table.hold(content.byteCount)
  }

  /// The size in bytes.
  package var byteCount: Int { Self.byteCount(text, runs) }

  private static func byteCount(_ text: String, _ runs: [Run]) -> Int {
    runs.reduce(text.utf8.count) {
      $0 + MemoryLayout<Run>.stride + $1.format.styles.count * MemoryLayout<String>.stride
    }
  }

  package var description: String { text }
  package var describedText: String { text }

  /// The text in a range of bytes.
  func text(in range: Range<Int>) -> String {
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(text[start..<utf8.index(start, offsetBy: range.count)])
  }

  /// Visits the parts of a section of the text with their formats.
  func eachPart(from start: Int, count: Int, _ tell: (Range<Int>, Format) -> Void) {
    var position = 0
    for run in runs {
      let end = position + run.byteCount
      defer { position = end }
      if end <= start { continue }
      if position >= start + count { return }
      tell(max(position, start)..<min(end, start + count), run.format)
    }
  }
}

/// The live rich texts of one graph, by content.
struct RichTexts {
  private var known: [RichText.Content: Entry] = [:]
  private var limit = 64

  private struct Entry { weak var text: RichText? }

  mutating func text(_ content: RichText.Content, in table: BindingTable) -> RichText {
    if let known = known[content]?.text { return known }
    if known.count >= limit {
      known = known.filter { $0.value.text != nil }
      limit = max(64, known.count * 2)
    }
    let made = RichText(content, in: table)
    known[content] = Entry(text: made)
    return made
  }
}

extension Look {
  /// The look of a part of a text.
  init(_ format: RichText.Format, _ sheet: StyleSheet) {
    self.init(styles: format.styles, sheet)
    foreground = format.foreground ?? foreground
    background = format.background ?? background
    attributes.formUnion(format.attributes)
  }
}
