extension Catalogue {
  /// Data that comes while an app runs: JSON, lines and answers of a server.
  static var data: [Section] {
    [
      json("D1", "decode", "decode a text of 160 bytes", goal: 2, instructions: 27500),
      json("D2", "encode", "encode it again", goal: nil, instructions: 26000), decoding, resources,
      following, queryList, keptWrites, recovery, sharedWrites, sharedScreen,
      sharedAppends,
    ]
  }

  private static let program = "DataDriver"

  private static func json(
    _ id: String, _ work: String, _ title: String, goal: Double?, instructions: Double
  ) -> Section {
    Section(
      id: id, title: "JSON: \(title)",
      figures: [Figure(measure: "operation", title: "ns")],
      rows: [
        Row(subject: .tidelock, program: ours, argument: "json \(work)"),
        Row(subject: .cjson, program: "CJSONPeer", argument: "json \(work)"),
      ],
      goals: goal.map { [.atMost(.tidelock, "operation", $0, of: .cjson)] } ?? [],
      gates: [Gate(subject: .tidelock, limit: instructions)], iterations: (1000, 6000))
  }

  private static var decoding: Section {
    Section(
      id: "D3", title: "JSON: 100 MB of records, in a task",
      figures: Figure.list(["decode": "s", "gap": "longest turn, ms"]),
      rows: [
        Row(subject: .tidelock, program: program, argument: "decode tidelock"),
        Row(subject: .python, program: program, argument: "decode python"),
      ],
      goals: [
        .atMost(.tidelock, "decode", 3, of: .python),
        // Sixty frames a second.
        Goal(subject: .tidelock, measure: "gap", limit: 1000.0 / 60),
      ], period: 5)
  }

  private static var resources: Section {
    Section(
      id: "D4", title: "a thousand resources, each polling a server of this machine every second",
      figures: Figure.list([
        "answers": "answers a second", "share": "% of a core", "turn": "longest turn, ms",
      ]),
      rows: [Row(subject: .tidelock, program: program, argument: "resources")],
      goals: [
        Goal(subject: .tidelock, measure: "answers", limit: 990, isMinimum: true),
        Goal(subject: .tidelock, measure: "share", limit: 25),
        Goal(subject: .tidelock, measure: "turn", limit: 5),
      ], period: 5)
  }

  private static var following: Section {
    Section(
      id: "D5",
      title: "lines from a pipe, followed: 200,000 a second for 4 s, and a million at once",
      figures: Figure.list([
        "frames": "frames a second", "gap": "longest pause, ms", "share": "% of a core",
        "behind": "last line behind, ms", "flood": "thousand lines a second at once",
      ]),
      rows: [
        Row(subject: .tidelock, program: program, argument: "follow tidelock"),
        Row(subject: .less, program: program, argument: "follow less"),
        Row(subject: .lnav, program: program, argument: "follow lnav"),
      ],
      goals: [Goal(subject: .tidelock, measure: "frames", limit: 55, isMinimum: true)], period: 5)
  }

  private static var queryList: Section {
    Section(
      id: "D6",
      title: "SQLite: a list of 10,000 rows of 4 columns after one UPDATE, and the query alone",
      figures: [Figure(measure: "update", title: "ns")],
      rows: [
        Row(subject: .tidelock, program: program, argument: "query list"),
        Row(subject: .sqlite, program: "SQLitePeer", argument: "query list"),
      ],
      goals: [.atMost(.tidelock, "update", 1.5, of: .sqlite)])
  }

  private static var keptWrites: Section {
    Section(
      id: "D7", title: "SQLite: a write to a model that is kept, to the end of the settle",
      figures: Figure.list([
        "plain": "one that is not kept, ns", "kept": "kept, ns", "beyond": "beyond, ns",
      ]),
      rows: [Row(subject: .tidelock, program: program, argument: "kept writes")],
      goals: [Goal(subject: .tidelock, measure: "beyond", limit: 1000)])
  }

  private static var recovery: Section {
    Section(
      id: "D8", title: "SQLite: opening a million rows whose writer was killed",
      figures: Figure.list(["open": "ms", "missing": "confirmed rows missing"]),
      rows: [Row(subject: .tidelock, program: program, argument: "recovery")],
      goals: [
        Goal(subject: .tidelock, measure: "open", limit: 50),
        Goal(subject: .tidelock, measure: "missing", limit: 0),
      ], period: 5)
  }

  private static var sharedWrites: Section {
    Section(
      id: "D9", title: "NATS: writes to 1000 shared objects, 60 to each, all confirmed",
      figures: Figure.list(["writes": "writes a second"]),
      rows: [
        Row(subject: .tidelock, program: program, argument: "shared writes"),
        Row(subject: .nats, program: "NATSPeer", argument: "shared writes"),
      ],
      goals: [Goal(subject: .tidelock, measure: "writes", limit: 20_000, isMinimum: true)],
      period: 5)
  }

  private static var sharedAppends: Section {
    Section(
      id: "D11", title: "5,000 rows appended to a list that sessions share, and one more",
      figures: Figure.list([
        "handler": "one handler, ms", "shown": "to another session, ms",
        "one": "one row more to another session, ms",
      ]),
      rows: [Row(subject: .tidelock, program: program, argument: "shared appends")],
      goals: [Goal(subject: .tidelock, measure: "handler", limit: 500)])
  }

  private static var sharedScreen: Section {
    Section(
      id: "D10", title: "NATS: from a write in one program to the screen of another",
      figures: Figure.list(["half": "p50, ms", "most": "p99, ms"]),
      rows: [Row(subject: .tidelock, program: program, argument: "shared screen")],
      goals: [
        Goal(subject: .tidelock, measure: "half", limit: 10),
        Goal(subject: .tidelock, measure: "most", limit: 30),
      ], period: 5)
  }
}
