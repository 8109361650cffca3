import Foundation

/// Prints results for people: a block for each workload, its goals below.
struct Table {
  let results: Results

  func print(_ section: Section) {
    let names = section.rows.map(\.subject.name)
    let width = (names.map(\.count).max() ?? 0) + 2
    Swift.print("\n\(section.id)  \(section.title)")
    let heads = section.figures.map { pad($0.title, 14) + "   ratio" }
    Swift.print(String(repeating: " ", count: width) + heads.joined())
    for row in section.rows {
      let cells = section.figures.map { cell(section, row, $0) }
      Swift.print(
        row.subject.name.padding(toLength: width, withPad: " ", startingAt: 0)
          + cells.joined())
    }
    if section.isPlotted { plot(section) }
    for goal in section.goals { print(Verdict(goal, in: section, results: results)) }
  }

  private func print(_ verdict: Verdict) {
    let measured = verdict.measuredText
    let suffix = measured.isEmpty ? "" : ": \(measured)"
    Swift.print("  \(verdict.description) - \(verdict.mark)\(suffix)")
  }

  /// For each figure a bar for each row.
  private func plot(_ section: Section) {
    let width = (section.rows.map(\.subject.name.count).max() ?? 0) + 2
    for figure in section.figures {
      let values = section.rows.map { results.median(section, $0.subject, figure.measure) ?? 0 }
      guard let longest = values.max(), longest > 0 else { continue }
      Swift.print("  \(figure.title)")
      for (row, value) in zip(section.rows, values) where value > 0 {
        let name = row.subject.name.padding(toLength: width, withPad: " ", startingAt: 0)
        Swift.print("    \(name)\(Self.bar(value / longest)) \(Self.number(value))")
      }
    }
  }

  /// Up to fifty characters, in eighths of one.
  private static func bar(_ part: Double) -> String {
    let eighths = Int((part * 400).rounded())
    let rest = eighths % 8 == 0 ? "" : String(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1])
    return String(repeating: "█", count: eighths / 8) + rest
  }

  /// The median, and how many times ours it is.
  private func cell(_ section: Section, _ row: Row, _ figure: Figure) -> String {
    guard let value = results.median(section, row.subject, figure.measure) else {
      return pad("-", 14) + pad("", 8)
    }
    let first = section.rows[0].subject
    let ratio = results.ratio(section, figure.measure, of: row.subject, to: first)
    return pad(Self.number(value), 14) + pad(ratio.map { Self.number($0) } ?? "", 8)
  }

  private static func number(_ value: Double) -> String {
    String(format: value >= 1000 ? "%.0f" : value >= 100 ? "%.1f" : "%.2f", value)
  }

  private func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }
}
