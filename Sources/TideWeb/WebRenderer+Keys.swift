import TideSystem
import TideViews

// Handles keys in pages that no view handles: key help, copying rows and printing tables. A
// terminal handles these keys itself. A page has only some of the rows, so the app supplies their
// texts.
extension WebRenderer {
  /// The most rows of a table that are copied or printed at once.
  static let mostRows = 5_000

  func performUntaken(_ key: Key, on view: View?, of viewer: PageViewer, in scene: Scene) {
    switch key {
    case Key(Character("?")): scene.showKeyHelp(with: Self.keyHelp)
    case Key(Character("p"), modifiers: .control): printTables(scene, for: viewer)
    case Key(Character("c"), modifiers: .control):
      if let rows = view as? RowsView, scene.isReachable(rows) {
        copy(rows, in: scene, for: viewer)
      }
    default: break
    }
  }

  private static let keyHelp = KeyHelp.Section(
    "page",
    [KeyHelp("Ctrl-C", "copy the selected rows"), KeyHelp("Ctrl-P", "print whole tables")])

  private func copy(_ rows: RowsView, in scene: Scene, for viewer: PageViewer) {
    let chosen = rows.selectedRows(atMost: Self.mostRows + 1)
    if chosen.isEmpty { return }
    if viewer.isAwaitingRows(.init(of: rows, chosen)) { return }
    if viewer.isBehind { return tellBehind(viewer) }
    var texts: [[String]] = []
    scene.withinBudget { texts = rows.texts(of: chosen.prefix(Self.mostRows)) }
    var wire = WireText()
    wire.array {
      $0.string("copied")
      let lines = texts.map { $0.map { Self.quoted(Self.plain($0)) }.joined(separator: "\t") }
      $0.string(lines.joined(separator: "\n"))
    }
    if chosen.count > Self.mostRows { tell(.fewRows, of: viewer, &wire) }
    sendRows(wire, .init(of: rows, chosen), to: viewer)
  }

  /// Sends the texts of all tables that a person can reach, and makes the page print them.
  func printTables(_ scene: Scene, for viewer: PageViewer) {
    if viewer.isAwaitingRows(.printed) { return }
    if viewer.isBehind { return tellBehind(viewer) }
    var wire = WireText()
    var isWhole = true
    for (id, view) in tree.views {
      guard let rows = view as? RowsView, scene.isReachable(rows), tree.has(id, viewer.person)
      else { continue }
      let count = min(rows.rowCount, Self.mostRows)
      if count < rows.rowCount { isWhole = false }
      var texts: [[String]] = []
      scene.withinBudget { texts = rows.texts(of: 0..<count) }
      wire.array { wire in
        wire.string("print")
        wire.number(id)
        Self.write(rows.headings, &wire)
        for line in texts { Self.write(line, &wire) }
      }
    }
    if !isWhole { tell(.fewRows, of: viewer, &wire) }
    sendRows(wire, .printed, to: viewer)
  }

  /// Sends rows for the clipboard or for printing, and remembers them until the page confirms them.
  private func sendRows(_ wire: WireText, _ rows: SentRows, to viewer: PageViewer) {
    send(wire, to: viewer)
    // The message was dropped because too many bytes are waiting for the page.
    if viewer.isBehind { return tellBehind(viewer) }
    viewer.awaitedRows[rows] = viewer.messages
  }

  private func tellBehind(_ viewer: PageViewer) {
    report(translate(PageNotice.behind.rawValue, 0), to: viewer)
  }

  private func tell(_ notice: PageNotice, of viewer: PageViewer, _ wire: inout WireText) {
    let text = translate(notice.rawValue, Self.mostRows)
    wire.raw("[\"report\",\(text.quotedForJSON)]")
  }

  private static func write(_ line: [String], _ wire: inout WireText) {
    wire.array { for text in line { $0.string(text) } }
  }

  /// A text as a spreadsheet's cell: one line, and never a formula. A text that begins like a
  /// formula gets an apostrophe, unless it is a number.
  static func plain(_ text: String) -> String {
    let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    let begin = line.drop { $0.isWhitespace }
    guard let first = begin.first, "=+-@".contains(first), !isNumber(begin) else { return line }
    return "'" + line
  }

  /// A cell for tab-separated text. Spreadsheets read a cell that begins with a quote up to the
  /// next quote, across tabs and line breaks.
  static func quoted(_ cell: String) -> String {
    guard cell.contains(where: { $0 == "\"" || $0 == "\t" || $0.isNewline }) else { return cell }
    return "\"\(cell.replacing("\"", with: "\"\""))\""
  }

  private static func isNumber(_ text: Substring) -> Bool {
    let number = text.dropFirst()
    guard text.first == "-" || text.first == "+", number.first?.isASCIIDigit == true else {
      return false
    }
    return number.allSatisfy { $0.isASCIIDigit || ".,' \u{a0}\u{202f}%".contains($0) }
  }
}

/// Identifies rows that are sent for printing or copying, to recognize a repeated request.
enum SentRows: Hashable {
  /// The rows of all tables.
  case printed
  /// Selected rows of a view.
  case copied(ObjectIdentifier, [Int])

  init(of rows: RowsView, _ chosen: [Int]) { self = .copied(ObjectIdentifier(rows), chosen) }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
