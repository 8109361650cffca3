/// What was measured: for each row the figures of each round.
struct Results {
  private struct Key: Hashable {
    let section: String
    let subject: Subject
    let measure: String
  }

  /// By round, because ratios are taken within a round.
  private var samples: [Key: [Int: Double]] = [:]
  /// What went wrong, once for each row.
  private(set) var failures: [String] = []

  mutating func add(
    _ outcome: DriverProcess.Outcome, of row: Row, in section: Section, round: Int
  ) {
    switch outcome {
    case .figures(let figures):
      for (measure, value) in figures {
        let key = Key(section: section.id, subject: row.subject, measure: measure)
        samples[key, default: [:]][round] = value
      }
    case .failed(let message):
      let failure = "\(section.id), \(row.subject.name): \(message)"
      if !failures.contains(failure) { failures.append(failure) }
    case .unavailable:
      break
    }
  }

  func median(_ section: Section, _ subject: Subject, _ measure: String) -> Double? {
    Self.median(of: values(section, subject, measure).map(\.value))
  }

  func range(_ section: Section, _ subject: Subject, _ measure: String) -> ClosedRange<Double>? {
    let all = values(section, subject, measure).map(\.value)
    guard let low = all.min(), let high = all.max() else { return nil }
    return low...high
  }

  /// The median of each round's ratio, which the machine's load disturbs less than the figures.
  func ratio(_ section: Section, _ measure: String, of subject: Subject, to other: Subject)
    -> Double?
  {
    let others = values(section, other, measure)
    return Self.median(
      of: values(section, subject, measure).compactMap { round, value in
        guard let base = others[round], base > 0 else { return nil }
        return value / base
      })
  }

  private func values(_ section: Section, _ subject: Subject, _ measure: String) -> [Int: Double] {
    samples[Key(section: section.id, subject: subject, measure: measure)] ?? [:]
  }

  private static func median(of values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
