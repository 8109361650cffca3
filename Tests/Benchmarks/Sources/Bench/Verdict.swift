/// A goal beside what was measured.
struct Verdict {
  let goal: Goal
  let section: Section
  /// The figure, or its ratio to the other's; nil: not measured.
  let measured: Double?

  init(_ goal: Goal, in section: Section, results: Results) {
    self.goal = goal
    self.section = section
    if let other = goal.other {
      measured = results.ratio(section, goal.measure, of: goal.subject, to: other)
    } else {
      measured = results.median(section, goal.subject, goal.measure)
    }
  }

  /// A thousandth more than the limit is within what can be measured.
  var isMet: Bool? {
    measured.map { goal.isMinimum ? $0 >= goal.limit : $0 <= goal.limit * 1.001 }
  }

  var mark: String { isMet.map { $0 ? "met" : "MISSED" } ?? "not measured" }

  /// "typed, ns an edge: at least 3 times faster than Qt 6.4 QProperty"
  var description: String {
    let figure = section.figures.first { $0.measure == goal.measure }?.title ?? goal.measure
    let name = section.rows.count > 1 ? "\(goal.subject.name), \(figure)" : figure
    guard let other = goal.other else {
      return "\(name): at \(goal.isMinimum ? "least" : "most") \(Self.text(goal.limit))"
    }
    return goal.limit < 0.7
      ? "\(name): at least \(Self.text(1 / goal.limit)) times faster than \(other.name)"
      : "\(name): at most \(Self.text(goal.limit)) of \(other.name)"
  }

  /// What was measured, in the goal's own terms.
  var measuredText: String {
    guard let measured else { return "" }
    if goal.other == nil { return Self.text(measured) }
    return goal.limit < 0.7
      ? "\(Self.text(1 / measured)) times faster" : "\(Self.text(measured))"
  }

  /// Enough digits to tell a value from its limit.
  static func text(_ number: Double) -> String {
    let digits = number < 10 ? 1000.0 : number < 1000 ? 10 : 1
    let rounded = (number * digits).rounded() / digits
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
