import Tidelock

/// Keeps a list of processes in step with samples: a process that runs on keeps its object, and so
/// its place in whatever shows it.
final class ProcessTable {
  private let units: MachineUnits
  private var entries: [Int: Entry] = [:]

  private struct Entry {
    var process: RunningProcess
    var started: Int
    var ticks: Int
  }

  init(units: MachineUnits) {
    self.units = units
  }

  /// `seconds` have passed since the sample before; none before the first.
  func take(
    _ figures: [ProcessFigures], into list: ObservableList<RunningProcess>, seconds: Double
  ) {
    var next: [Int: Entry] = [:]
    next.reserveCapacity(figures.count)
    var isSame = figures.count == entries.count
    for figure in figures {
      let known = entries[figure.pid].flatMap { $0.started == figure.started ? $0 : nil }
      let process = known?.process ?? RunningProcess(figure)
      if known == nil { isSame = false }
      let cpu = cpu(figure, since: known, seconds: seconds)
      process.take(figure, cpu: cpu, units: units)
      next[figure.pid] = Entry(process: process, started: figure.started, ticks: figure.ticks)
    }
    entries = next
    if !isSame { list.set(figures.compactMap { next[$0.pid]?.process }) }
  }

  /// One that is new has used all its time since the sample before.
  private func cpu(_ figure: ProcessFigures, since known: Entry?, seconds: Double) -> Double {
    guard seconds > 0 else { return 0 }
    let ticks = max(0, figure.ticks - (known?.ticks ?? 0))
    return (Double(ticks) / units.ticksPerSecond / seconds).rounded(to: 3)
  }
}
