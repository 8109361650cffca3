import Foundation

/// Prints results for programs: one JSON object a line.
struct Lines {
  let results: Results

  private struct Figure: Encodable {
    let workload, subject, measure, unit: String
    let median, low, high: Double
    let ratioToOurs: Double?
  }

  private struct Goal: Encodable {
    let workload, subject, measure, goal: String
    let limit: Double
    let measured: Double?
    let met: Bool?
  }

  func print(_ section: Section) {
    for row in section.rows {
      for figure in section.figures {
        guard let median = results.median(section, row.subject, figure.measure),
          let range = results.range(section, row.subject, figure.measure)
        else { continue }
        let first = section.rows[0].subject
        Self.print(
          Figure(
            workload: section.id, subject: row.subject.name, measure: figure.measure,
            unit: figure.title, median: median, low: range.lowerBound, high: range.upperBound,
            ratioToOurs: results.ratio(section, figure.measure, of: row.subject, to: first)))
      }
    }
    for goal in section.goals {
      let verdict = Verdict(goal, in: section, results: results)
      Self.print(
        Goal(
          workload: section.id, subject: goal.subject.name, measure: goal.measure,
          goal: verdict.description, limit: goal.limit, measured: verdict.measured,
          met: verdict.isMet))
    }
  }

  static func print(_ value: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else { return }
    Swift.print(String(decoding: data, as: UTF8.self))
  }
}
