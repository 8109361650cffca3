/// How long a processor has spent at what since the machine started, in clock ticks.
struct ProcessorTimes: Equatable {
  var user = 0
  var system = 0
  var wait = 0
  var steal = 0
  var idle = 0

  var total: Int { user + system + wait + steal + idle }

  /// Reads /proc/stat: all processors together first, then each.
  static func parse(_ text: [UInt8]) -> [ProcessorTimes] {
    var scanner = FigureScanner(text)
    var processors: [ProcessorTimes] = []
    while scanner.isAt("cpu") {
      scanner.skip(1)
      processors.append(ProcessorTimes(&scanner))
      if !scanner.nextLine() { break }
    }
    return processors
  }

  init(user: Int = 0, system: Int = 0, wait: Int = 0, steal: Int = 0, idle: Int = 0) {
    self.user = user
    self.system = system
    self.wait = wait
    self.steal = steal
    self.idle = idle
  }

  /// What follows the name: user, nice, system, idle, iowait, irq, softirq, steal. Guests' times
  /// come after these, and are within user and nice already.
  private init(_ scanner: inout FigureScanner) {
    var fields = [0, 0, 0, 0, 0, 0, 0, 0]
    for index in fields.indices { fields[index] = scanner.integer() ?? 0 }
    user = fields[0] + fields[1]
    system = fields[2] + fields[5] + fields[6]
    wait = fields[4]
    steal = fields[7]
    idle = fields[3]
  }

  /// What the time between an earlier reading and this one was spent on.
  func shares(since earlier: ProcessorTimes) -> ProcessorShares {
    // Idle and waiting times may go back a little: the kernel says so.
    let spent = ProcessorTimes(
      user: max(0, user - earlier.user), system: max(0, system - earlier.system),
      wait: max(0, wait - earlier.wait), steal: max(0, steal - earlier.steal),
      idle: max(0, idle - earlier.idle))
    guard spent.total > 0 else { return ProcessorShares() }
    let total = Double(spent.total)
    return ProcessorShares(
      user: Double(spent.user) / total, system: Double(spent.system) / total,
      wait: Double(spent.wait) / total, steal: Double(spent.steal) / total)
  }
}

/// What a processor's time was spent on, as shares of 1; the rest was idle.
struct ProcessorShares: Equatable {
  var user = 0.0
  var system = 0.0
  var wait = 0.0
  var steal = 0.0

  /// Waiting for a disk is no work, although it is not idle either.
  var busy: Double { min(1, user + system + steal) }
}
