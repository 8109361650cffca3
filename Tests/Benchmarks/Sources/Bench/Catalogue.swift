/// All workloads, with the goals that the project has set itself.
enum Catalogue {
  static var sections: [Section] {
    engine + rows + lua + library + [frame, profile] + views + reloads + prompt + specs + data
      + limits
  }

  /// From the write of a model's property to the bytes of the frame that shows it.
  private static var frame: Section {
    Section(
      id: "frame", title: "a change of a model to a drawn frame of the monitor, 120x40",
      figures: [Figure(measure: "frame", title: "ms")],
      rows: [
        Row(subject: .oneProperty, program: "MonitorDriver", argument: "frame property"),
        Row(subject: .wholeSample, program: "MonitorDriver", argument: "frame sample"),
      ],
      goals: [
        Goal(subject: .oneProperty, measure: "frame", limit: 2),
        Goal(subject: .wholeSample, measure: "frame", limit: 0.25),
      ])
  }

  /// What it costs that somebody measures.
  private static var profile: Section {
    Section(
      id: "profile",
      title: "samples of the monitor with their frames, while the app is measured and while not",
      figures: [Figure(measure: "cost", title: "% more time")],
      rows: [Row(subject: .wholeSample, program: "MonitorDriver", argument: "profiled")],
      goals: [Goal(subject: .wholeSample, measure: "cost", limit: 3)])
  }

  static let ours = "TidelockDriver"

  /// The peers of the engine, in the table's order.
  static let peers: [(subject: Subject, program: String)] = [
    (.functions, "FunctionPointers"),
    (.closures, "Closures"),
    (.qt, "QtPeer"),
    (.gobject, "GObjectPeer"),
    (.openCombine, "OpenCombinePeer"),
    (.observation, "ObservationPeer"),
  ]

  /// A row for each of the peers named, which all know the workload by the same name.
  static func rows(_ subjects: [Subject], _ argument: String, sizes: [Int] = []) -> [Row] {
    peers.filter { subjects.contains($0.subject) }
      .map { Row(subject: $0.subject, program: $0.program, argument: argument, sizes: sizes) }
  }

  static let everyone = peers.map(\.subject)
  static let everyoneButC = everyone.filter { $0 != .functions }
}
