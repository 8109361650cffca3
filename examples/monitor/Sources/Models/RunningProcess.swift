import Tidelock

/// A process: the same object for as long as it runs.
final class RunningProcess: DataObject {
  @Property var pid = 0
  @Property var name = ""
  @Property var command = ""
  @Property var user = ""
  /// `R` runs, `S` sleeps, `D` waits for a disk, `I` idles, `T` is stopped, `Z` has ended.
  @Property var state = ""
  /// Processors used since the sample before: 1 is all of one.
  @Property var cpu = 0.0
  /// Resident memory in bytes.
  @Property var memory = 0
  /// Processor time used so far, in seconds.
  @Property var time = 0.0
  @Property var threads = 0
  @Property var isKernelThread = false

  init(_ figures: ProcessFigures) {
    super.init()
    pid = figures.pid
    isKernelThread = figures.isKernelThread
  }

  func take(_ figures: ProcessFigures, cpu: Double, units: MachineUnits) {
    name = figures.name
    command = figures.command
    user = figures.user
    state = figures.state
    self.cpu = cpu
    memory = figures.residentPages.multipliedReportingOverflow(by: units.bytesPerPage).partialValue
    time = Double(figures.ticks) / units.ticksPerSecond
    threads = figures.threads
  }
}
