extension Catalogue {
  /// The scripts of `Tests/TideLuaTests/Attacks` that run out of a turn of 100 ms.
  static var limits: [Section] {
    [
      Section(
        id: "limits", title: "hostile scripts: what they take beyond their limits",
        figures: Figure.list(["largest": "most ms", "median": "median ms", "memory": "most KiB"]),
        rows: [
          Row(subject: .stopped, program: ours, argument: "attacks"),
          Row(subject: .stoppedLarge, program: ours, argument: "attacks, 256 MiB"),
          Row(subject: .givenUp, program: ours, argument: "attacks, given up"),
        ],
        goals: [
          Goal(subject: .stopped, measure: "largest", limit: 25),
          Goal(subject: .stopped, measure: "memory", limit: 1024),
          Goal(subject: .stoppedLarge, measure: "largest", limit: 25),
          Goal(subject: .stoppedLarge, measure: "memory", limit: 1024),
          // The grace that an operation gets before it costs the interpreter included.
          Goal(subject: .givenUp, measure: "largest", limit: 25),
        ],
        period: 3)
    ]
  }
}
