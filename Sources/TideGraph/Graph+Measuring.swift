import CTideSlots

// How often values change and the time that takes, counted only on request.

extension Graph {
  /// The number of a slot's changes, and the time spent updating it.
  package struct Measure: Equatable, Sendable {
    package let changes: Int
    /// The number of runs of its binding or its function.
    package let runs: Int
    /// The duration of these runs, including everything that ran within them.
    package let seconds: Double

    package static let zero = Measure(changes: 0, runs: 0, seconds: 0)

    package static func + (one: Measure, other: Measure) -> Measure {
      Measure(
        changes: one.changes + other.changes, runs: one.runs + other.runs,
        seconds: one.seconds + other.seconds)
    }
  }

  /// Begins to count changes. Returns false if no history is kept. Balance each call with
  /// `endMeasuring`.
  package func beginMeasuring() -> Bool {
    measurers += 1
    if measurers > 1 { return arena.pointee.history?.pointee.measures != nil }
    return tide_history_measure(arena)
  }

  /// Stops counting once every call of `beginMeasuring` has been balanced.
  package func endMeasuring() {
    measurers -= 1
    if measurers == 0 { tide_history_stop_measuring(arena) }
  }

  /// A slot's counts; nil while nothing is being counted.
  package func measure(of slot: Slot) -> Measure? {
    guard let measures = arena.pointee.history?.pointee.measures else { return nil }
    let measure = measures[Int(slot.index)]
    return Measure(
      changes: Int(measure.changes), runs: Int(measure.runs),
      seconds: Double(measure.nanoseconds) / 1e9)
  }

  /// Begins to count the runs of each binding. Returns false if no history is kept.
  @discardableResult
  package func countRuns() -> Bool { tide_history_count_runs(arena) }

  /// The number of runs of an edge since it was created or since the last call.
  package func takeRuns(of edge: EdgeIndex) -> Int {
    guard let runs = arena.pointee.history?.pointee.bindingRuns, edge != 0 else { return 0 }
    defer { runs[Int(edge)] = 0 }
    return Int(runs[Int(edge)])
  }

  /// The number of changes of all slots; 0 if no history is kept.
  package var changeCount: Int {
    Int(truncatingIfNeeded: arena.pointee.history?.pointee.sequence ?? 0)
  }

  private var measurers: Int {
    get { state.pointee.measurers }
    set { state.pointee.measurers = newValue }
  }
}
