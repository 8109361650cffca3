import CTideSlots

// How often values change and what that costs, counted only while somebody looks.

extension Graph {
  /// How often a slot has changed, and how long it took to bring it up to date.
  package struct Measure: Equatable, Sendable {
    package let changes: Int
    /// How often its binding or its function has run.
    package let runs: Int
    /// For these runs, with all that ran inside of them.
    package let seconds: Double

    package static let zero = Measure(changes: 0, runs: 0, seconds: 0)

    package static func + (one: Measure, other: Measure) -> Measure {
      Measure(
        changes: one.changes + other.changes, runs: one.runs + other.runs,
        seconds: one.seconds + other.seconds)
    }
  }

  /// Begins to count changes; gives false where no history is kept. Each call needs an
  /// `endMeasuring`.
  package func beginMeasuring() -> Bool {
    measurers += 1
    if measurers > 1 { return arena.pointee.history?.pointee.measures != nil }
    return tide_history_measure(arena)
  }

  /// Stops counting after as many calls as there were of `beginMeasuring`.
  package func endMeasuring() {
    measurers -= 1
    if measurers == 0 { tide_history_stop_measuring(arena) }
  }

  /// What was counted of a slot; nil while nobody counts.
  package func measure(of slot: Slot) -> Measure? {
    guard let measures = arena.pointee.history?.pointee.measures else { return nil }
    let measure = measures[Int(slot.index)]
    return Measure(
      changes: Int(measure.changes), runs: Int(measure.runs),
      seconds: Double(measure.nanoseconds) / 1e9)
  }

  /// Begins to count how often each binding runs; gives false where no history is kept.
  @discardableResult
  package func countRuns() -> Bool { tide_history_count_runs(arena) }

  /// How often an edge has carried a value since it was made, or since this was asked last.
  package func takeRuns(of edge: EdgeIndex) -> Int {
    guard let runs = arena.pointee.history?.pointee.bindingRuns, edge != 0 else { return 0 }
    defer { runs[Int(edge)] = 0 }
    return Int(runs[Int(edge)])
  }

  /// How many changes there were, of anything; 0 where no history is kept.
  package var changeCount: Int {
    Int(truncatingIfNeeded: arena.pointee.history?.pointee.sequence ?? 0)
  }

  private var measurers: Int {
    get { state.pointee.measurers }
    set { state.pointee.measurers = newValue }
  }
}
