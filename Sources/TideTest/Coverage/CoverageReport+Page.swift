import TideBindings
import TideSystem

extension CoverageReport {
  /// An HTML page: the table, and each file with coloured lines. It is self-contained.
  package var page: String {
    let (hits, lines) = total
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Coverage</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>Coverage \(Self.percent(hits, lines))</h1>
      <table>
      <tr><th>File<th>Lines<th>Missed<th>Cover</tr>

      """
    for (index, file) in files.enumerated() {
      text += row("<a href=\"#f\(index)\">\(file.path.inPage)</a>", file.hits, file.lines.count)
    }
    text += row("All", hits, lines) + "</table>\n"
    for (index, file) in files.enumerated() { text += listing(of: file, index) }
    return text + "</body>\n</html>\n"
  }

  private func row(_ name: String, _ hits: Int, _ lines: Int) -> String {
    let share = lines == 0 ? 100 : hits * 100 / lines
    return "<tr><td>\(name)<td>\(lines)<td>\(lines - hits)<td>\(Self.percent(hits, lines))"
      + "<td><meter max=\"100\" value=\"\(share)\"></meter></tr>\n"
  }

  private func listing(of file: FileCoverage, _ index: Int) -> String {
    var text = "<h2 id=\"f\(index)\">\(file.path.inPage) "
    text += "\(Self.percent(file.hits, file.lines.count))</h2>\n<pre>"
    var counts: [Int: UInt32] = [:]
    for (number, count) in file.lines { counts[number] = count }
    for (index, line) in file.text.enumerated() {
      if index == file.text.count - 1 && line.isEmpty { break }
      let count = counts[index + 1]
      let mark = count.map { $0 > 0 ? " class=\"hit\"" : " class=\"miss\"" } ?? ""
      let shown = count.map { "\($0)" } ?? ""
      text += "<span\(mark)><i>\(index + 1)</i><b>\(shown)</b>\(String(line).inPage)\n</span>"
    }
    return text + "</pre>\n"
  }

  private static let style = """

    :root { color-scheme: light dark; font-family: sans-serif; }
    body { margin: 2em auto; max-width: 70em; padding: 0 1em; }
    td, th { padding: .2em 1em .2em 0; text-align: right; }
    td:first-child, th:first-child { text-align: left; }
    pre { border: 1px solid #8886; overflow-x: auto; tab-size: 4; }
    pre span { display: block; }
    pre i, pre b { color: #888; display: inline-block; font-style: normal; font-weight: normal;
      text-align: right; width: 4em; padding-right: 1em; user-select: none; }
    .hit { background: #2a82; } .miss { background: #e333; }

    """
}

extension String {
  /// The text for HTML. Terminal control characters are removed, because pages are also read in
  /// terminals.
  fileprivate var inPage: String {
    escaping { scalar in
      scalar == "\t"
        ? nil : scalar.steersTerminals || scalar.value < 0x20 ? "\u{FFFD}" : scalar.escapeInXML
    }
  }
}
