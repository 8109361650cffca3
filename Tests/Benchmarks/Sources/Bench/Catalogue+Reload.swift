extension Catalogue {
  /// What a save costs, from its close to the frame of the new version, and what it leaves behind.
  static var reloads: [Section] { [reload, memory] }

  private static var reload: Section {
    Section(
      id: "H1",
      title:
        "a save to the frame of the new version; modules of 100 bindings, all required by main",
      figures: Figure.list([
        "middle": "ms p50", "slow": "ms p99", "middleBeyond": "p50 - 20 ms",
        "slowBeyond": "p99 - 20 ms", "processor": "busy ms",
      ]),
      rows: [10, 100, 1000].map {
        Row(subject: .modules($0), program: "ReloadDriver", argument: "reload one", sizes: [$0])
      } + [
        Row(
          subject: .tenOfHundred, program: "ReloadDriver", argument: "reload ten", sizes: [100])
      ],
      goals: [
        Goal(subject: .modules(100), measure: "middleBeyond", limit: 10),
        Goal(subject: .modules(100), measure: "slowBeyond", limit: 30),
        .atMost(.modules(1000), "processor", 1.5, of: .modules(10)),
      ],
      period: 2)
  }

  private static var memory: Section {
    Section(
      id: "H2", title: "memory over 10,000 reloads of a module",
      figures: [1000, 5000, 10_000].map {
        Figure(measure: "resident\($0)", title: "RSS at \($0)")
      } + [1000, 5000, 10_000].map { Figure(measure: "held\($0)", title: "held at \($0)") } + [
        Figure(measure: "grown", title: "RSS grown"),
        Figure(measure: "heldGrown", title: "held grown"),
      ],
      rows: [Row(subject: .tidelock, program: "ReloadDriver", argument: "memory")],
      goals: Goal.limits(.tidelock, ["grown": 256, "heldGrown": 16]),
      period: .max)
  }
}
