import TideGraph
import TideSystem

// Output as a table for people, and as one JSON object per line for programs.

extension ProfileReport {
  /// One line for each profiled name, those with the most own time first.
  ///
  /// - Parameter most: the maximum number of lines.
  package func table(most: Int = 40) -> String {
    let all = rows
    var cells = [["runs", "time", "own", "each", "bytes", "", "what", "where"]]
    for row in all.prefix(most) {
      cells.append([
        "\(row.runs)", Self.time(row.seconds), Self.time(row.ownSeconds),
        Self.time(row.runs > 0 ? row.seconds / Double(row.runs) : 0), Self.bytes(row.ownBytes),
        row.name.kind.rawValue, Self.cut(row.name.text), row.name.location.escapingControls,
      ])
    }
    var lines = Self.aligned(cells, right: 5)
    let busy = nodes.reduce(0) { $0 + ($1.parent == nil ? $1.seconds : 0) }
    if all.count > most { lines.append("… and \(all.count - most) more") }
    let share = seconds > 0 ? Int((busy / seconds * 100).rounded()) : 0
    lines.append(
      "\(title): \(Self.time(seconds)) in all, \(share) % of it busy here; own = without what ran inside"
    )
    return lines.joined(separator: "\n")
  }

  private static func cut(_ text: String) -> String {
    let line = text.replacing("\n", with: " ").escapingControls
    return line.count > 60 ? "\(line.prefix(59))…" : line
  }

  private static func aligned(_ cells: [[String]], right count: Int) -> [String] {
    let widths = (cells.first ?? []).indices.map { column in
      cells.map { $0[column].count }.max() ?? 0
    }
    return cells.map { row in
      var line = ""
      for (column, text) in row.enumerated() {
        let padding = String(repeating: " ", count: widths[column] - text.count)
        line += (column == 0 ? "" : "  ") + (column < count ? padding + text : text + padding)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// `1.25 s`, `13.0 ms`, `870 µs`.
  static func time(_ seconds: Double) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]
    for (unit, name) in units where seconds >= unit {
      let number = seconds / unit
      return "\(number >= 100 ? "\(Int(number.rounded()))" : rounded(number)) \(name)"
    }
    return "0"
  }

  private static func bytes(_ count: Int) -> String {
    let units = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")]
    for (unit, name) in units where count >= unit {
      return "\(rounded(Double(count) / Double(unit))) \(name)"
    }
    return count == 0 ? "0" : "\(count) B"
  }

  private static func rounded(_ number: Double) -> String {
    let places = number >= 10 ? 10.0 : 100.0
    let whole = (number * places).rounded() / places
    return "\(whole)"
  }

  /// One JSON object per row.
  package var jsonLines: [String] {
    rows.map { row in
      var line = JSONLine()
      line.add("event", "profile")
      line.add("kind", row.name.kind.rawValue)
      line.add("name", row.name.text)
      line.add("location", row.name.location)
      line.add("runs", row.runs)
      line.add("nanoseconds", Int(row.seconds * 1e9))
      line.add("ownNanoseconds", Int(row.ownSeconds * 1e9))
      line.add("ownBytes", row.ownBytes)
      return line.text
    }
  }
}
