import Tidelock

/// A machine's figures as a tree of models, which scripts know as `machine`.
///
/// ```swift
/// let machine = Machine(units: source.units)
/// if let sample = source.sample() { machine.take(sample) }
/// ```
final class Machine: DataObject {
  @Property var host = ""
  /// Seconds since the machine started.
  @Property var uptime = 0.0
  /// All processors together.
  @Property var cpu = Processor()
  @Property var cores = ObservableList<Processor>()
  @Property var memory = Memory()
  @Property var load = Load()
  @Property var network = Network()
  /// By pid.
  @Property var processes = ObservableList<RunningProcess>()

  private let units: MachineUnits
  private let table: ProcessTable
  private var last: Sample?

  init(units: MachineUnits) {
    self.units = units
    table = ProcessTable(units: units)
    super.init()
  }

  /// Brings the models in step with a sample; all changes settle together.
  func take(_ sample: Sample) {
    let elapsed = sample.uptime - (last?.uptime ?? sample.uptime)
    Graph.current.batch {
      host = sample.host
      uptime = sample.uptime
      takeProcessors(sample.processors)
      memory.take(sample.memory)
      load.take(sample.load, coreCount: sample.processors.count - 1)
      network.take(sample.network, since: last?.network, seconds: elapsed)
      table.take(sample.processes, into: processes, seconds: elapsed)
    }
    last = sample
  }

  private func takeProcessors(_ times: [ProcessorTimes]) {
    let count = max(0, times.count - 1)
    while cores.count > count, (try? cores.remove(at: cores.count - 1)) != nil {}
    while cores.count < count { cores.append(Processor()) }
    // Where one was taken off line, those behind it have moved up: nothing is to be compared.
    let earlier = last?.processors.count == times.count ? last?.processors : nil
    for (index, processor) in ([cpu] + cores.elements).enumerated() where index < times.count {
      processor.take(times[index].shares(since: earlier?[index] ?? times[index]))
    }
  }
}
