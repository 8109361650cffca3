extension Catalogue {
  static var engine: [Section] {
    [
      chain, pulled, fanOut, diamond, pairs(100_000), pairs(1_000_000), twoWay, transformer,
      mappedList,
      depth,
    ]
  }

  private static let edge = Figure(measure: "edge", title: "ns an edge")
  private static let update = Figure(measure: "update", title: "ns an update")

  private static func our(_ subject: Subject, _ argument: String) -> Row {
    Row(subject: subject, program: ours, argument: argument)
  }

  private static var chain: Section {
    Section(
      id: "W1", title: "chain: 1000 properties in a row, one effect",
      figures: [edge],
      rows: [
        our(.typed, "W1 typed"), our(.copy, "W1 copy"), our(.dynamic, "W1 dynamic"),
        our(.computed, "W1 computed"),
      ] + rows(everyone, "W1"),
      goals: [
        .faster(.typed, "edge", 3, than: .qt),
        .faster(.dynamic, "edge", 1.5, than: .qt),
        .atMost(.typed, "edge", 2, of: .functions),
        .atMost(.computed, "edge", 2, of: .typed),
      ],
      gates: [
        Gate(subject: .typed, limit: 120), Gate(subject: .dynamic, limit: 200),
        Gate(subject: .computed, limit: 280),
      ], iterations: (20, 120))
  }

  private static var pulled: Section {
    Section(
      id: "W1p",
      title:
        "chain of 1000 computed values that nobody follows, read after its first one has come to the same",
      figures: [Figure(measure: "evaluations", title: "evaluations")],
      rows: [our(.computed, "W1 pulled")],
      goals: [Goal(subject: .computed, measure: "evaluations", limit: 1)])
  }

  private static var fanOut: Section {
    Section(
      id: "W2", title: "fan-out: one source, 1000 properties",
      figures: [edge],
      rows: [our(.tidelock, "W2")] + rows(everyone, "W2"),
      goals: [
        .faster(.tidelock, "edge", 3, than: .qt),
        .faster(.tidelock, "edge", 30, than: .gobject),
        .atMost(.tidelock, "edge", 3, of: .functions),
      ],
      gates: [Gate(subject: .tidelock, limit: 100)], iterations: (20, 120))
  }

  /// The peers' hundred are bound to the source by functions; so are ours in the first row, and in
  /// the second they find out for themselves what they read. The closures are ordered by hand.
  private static var diamond: Section {
    Section(
      id: "W3", title: "diamond: one source, 100 computed, one sum, one effect",
      figures: [edge, Figure(measure: "runs", title: "effects an update")],
      rows: [our(.typed, "W3 typed"), our(.computed, "W3 computed")] + rows(everyoneButC, "W3"),
      goals: [
        .faster(.typed, "edge", 30, than: .qt),
        .atMost(.typed, "edge", 0.9, of: .closures),
        .atMost(.computed, "edge", 1.6, of: .typed),
        Goal(subject: .typed, measure: "runs", limit: 1),
      ],
      gates: [Gate(subject: .typed, limit: 130)], iterations: (20, 120))
  }

  private static func pairs(_ count: Int) -> Section {
    let isMillion = count == 1_000_000
    let subjects = isMillion ? [.functions, .closures, .qt] : everyone
    return Section(
      id: isMillion ? "W4M" : "W4",
      title: "\(isMillion ? "1,000,000" : "100,000") pairs: make, update each, unbind",
      figures: [
        Figure(measure: "make", title: "ns to make"), Figure(measure: "update", title: "to update"),
        Figure(measure: "unbind", title: "to unbind"), Figure(measure: "bytes", title: "bytes"),
        // The binding's, and what the objects take by joining the graph, less what they leave.
        Figure(measure: "join", title: "ns with joining"),
        Figure(measure: "growth", title: "bytes with joining"),
      ],
      rows: [Row(subject: .tidelock, program: ours, argument: "W4", sizes: [count])]
        + rows(subjects, "W4", sizes: [count]),
      goals: [
        .faster(.tidelock, "make", 3, than: .qt),
        .atMost(.tidelock, "make", 1.4, of: .functions),
        .atMost(.tidelock, "unbind", 1, of: .qt),
        Goal(subject: .tidelock, measure: "bytes", limit: 64),
      ],
      period: isMillion ? 5 : 1)
  }

  private static var twoWay: Section {
    Section(
      id: "W5", title: "1000 two-way pairs, writing alternate ends",
      figures: [update],
      rows: [our(.tidelock, "W5")] + rows(everyone, "W5"),
      goals: [
        .faster(.tidelock, "update", 3, than: .qt), .atMost(.tidelock, "update", 4, of: .functions),
      ])
  }

  private static var transformer: Section {
    Section(
      id: "W6", title: "a string through an upper-casing transformer",
      figures: [update],
      rows: [our(.typed, "W6 typed"), our(.dynamic, "W6 dynamic")] + rows(everyoneButC, "W6"),
      goals: [.atMost(.typed, "update", 1, of: .closures)])
  }

  /// Qt's model maps only when asked, and the closures' row is two array edits without observers.
  private static var mappedList: Section {
    Section(
      id: "W7", title: "insert and remove a row in a list of 10,000, a mapped list after it",
      figures: [Figure(measure: "edit", title: "ns an edit")],
      rows: [our(.tidelock, "W7")] + rows([.closures, .qt, .gobject, .openCombine], "W7"),
      goals: [.atMost(.tidelock, "edit", 1.3, of: .closures)])
  }

  private static var depth: Section {
    let sizes = [1000, 10_000, 100_000, 1_000_000]
    return Section(
      id: "depth", title: "the longest chain that works",
      figures: [Figure(measure: "depth", title: "edges")],
      rows: [Row(subject: .tidelock, program: ours, argument: "depth", sizes: sizes)]
        + rows(everyone, "depth", sizes: sizes),
      goals: [Goal(subject: .tidelock, measure: "depth", limit: 1_000_000, isMinimum: true)],
      period: .max)
  }
}
