extension Catalogue {
  /// `tidelock test`, by the clock on the wall.
  static var specs: [Section] { [thousand, one, coverage, watch, artifacts] }

  private static let program = "SpecsDriver"
  private static let run = Figure(measure: "run", title: "ms")

  private static func besideBusted(_ workload: String) -> [Row] {
    [
      Row(subject: .tidelock, program: program, argument: workload),
      Row(subject: .busted, program: program, argument: "\(workload) busted"),
    ]
  }

  private static var thousand: Section {
    Section(
      id: "T1", title: "tidelock test: 1,000 trivial specs in 100 files", figures: [run],
      rows: besideBusted("thousand"),
      goals: [.atMost(.tidelock, "run", 1, of: .busted)], period: 3)
  }

  private static var one: Section {
    Section(
      id: "T2", title: "tidelock test: a single spec", figures: [run],
      rows: besideBusted("one"),
      goals: [Goal(subject: .tidelock, measure: "run", limit: 30)])
  }

  private static var coverage: Section {
    Section(
      id: "T3", title: "tidelock test --coverage: a script that computes", figures: [run],
      rows: [
        Row(subject: .uncovered, program: program, argument: "plain"),
        Row(subject: .covered, program: program, argument: "covered"),
      ],
      goals: [.atMost(.covered, "run", 3, of: .uncovered)])
  }

  private static var artifacts: Section {
    Section(
      id: "T5", title: "tidelock test --artifacts: a form in 400 tests that pass", figures: [run],
      rows: [
        Row(subject: .unrecorded, program: program, argument: "forms"),
        Row(subject: .recorded, program: program, argument: "recorded forms"),
      ],
      goals: [.atMost(.recorded, "run", 1.05, of: .unrecorded)])
  }

  private static var watch: Section {
    Section(
      id: "T4", title: "tidelock test --watch, 100 spec files: a save to the end of its run",
      figures: Figure.list(["spec": "a spec, ms", "module": "for all, ms"]),
      rows: [Row(subject: .tidelock, program: program, argument: "watch")],
      // Of which 20 ms pass while events are gathered.
      goals: [Goal(subject: .tidelock, measure: "spec", limit: 100)])
  }
}
