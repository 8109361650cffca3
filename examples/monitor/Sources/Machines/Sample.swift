/// A machine's figures at one moment.
struct Sample: Equatable {
  var host = ""
  /// Seconds since the machine started: the time at which the sample was taken.
  var uptime = 0.0
  /// All processors together first, then each.
  var processors: [ProcessorTimes] = []
  var memory = MemoryFigures()
  var load = LoadAverages()
  var network = NetworkCounters()
  /// By pid.
  var processes: [ProcessFigures] = []
}

extension Sample {
  /// Reads all but the processes from files named as in /proc. One that is not there leaves its
  /// figures at nothing.
  init(reading file: (String) -> [UInt8]) {
    var host = FigureScanner(file("sys/kernel/hostname"))
    var uptime = FigureScanner(file("uptime"))
    self.host = host.word() ?? ""
    self.uptime = uptime.number() ?? 0
    processors = ProcessorTimes.parse(file("stat"))
    memory = MemoryFigures(parsing: file("meminfo"))
    load = LoadAverages(parsing: file("loadavg"))
    network = NetworkCounters(parsing: file("net/dev"))
  }
}
