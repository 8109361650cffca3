import Measure

/// A driver's command line and reports, for drivers in Swift.
///
/// ```swift
/// let driver = Driver()
/// if driver.request == "W1" { driver.measure("edge", units: 1000) { count in … } }
/// driver.refuse()
/// ```
public struct Driver {
  private let raw: Request

  /// Reads the command line of the process.
  public init() { raw = request_parse(CommandLine.argc, constantArguments()) }

  /// What to run.
  public var workload: String { String(cString: raw.workload) }

  /// The size asked for, or the workload's own.
  public func size(default standard: Int) -> Int { raw.size > 0 ? raw.size : standard }

  /// Reports the time of one of an iteration's `units`, in the least disturbed of several batches;
  /// `body` does as many iterations as it is told.
  public func measure(_ name: String, units: Int, _ body: (Int) -> Void) {
    withoutActuallyEscaping(body) { body in
      var box = body
      withUnsafeMutablePointer(to: &box) { pointer in
        measure_run(
          raw, name, Double(units),
          { context, count in
            context?.assumingMemoryBound(to: ((Int) -> Void).self).pointee(count)
          }, pointer)
      }
    }
  }

  /// Reports likewise the time of one of a write's `units`; `write` is given numbers that count up
  /// from 1.
  ///
  /// - Returns: the number that was written last.
  @inlinable @inline(__always)
  public func measureWrites(_ name: String, units: Int, _ write: (_ update: Int) -> Void) -> Int {
    var updates = 0
    measure(name, units: units) { count in
      for _ in 0..<count {
        updates += 1
        write(updates)
      }
    }
    return updates
  }

  /// Writes the source of each of `count` pairs, and times how long it takes until each target has
  /// another value.
  @inlinable @inline(__always)
  public func updatePairs(
    _ count: Int, write: (_ pair: Int, _ value: Int) -> Void, read: (_ pair: Int) -> Int
  ) {
    for i in 0..<count { write(i, i) }
    time("update", each: count) { for i in 0..<count { write(i, i + 1) } }
    check((0..<count).allSatisfy { read($0) == $0 + 1 }, "a target")
  }

  /// Runs the workload asked for, of those on which peers are compared.
  public func compare(
    chain: (Driver) -> Void, fanOut: (Driver) -> Void, diamond: (Driver) -> Void,
    pairs: (Driver) -> Void, twoWay: (Driver) -> Void, transformer: (Driver) -> Void,
    mappedList: ((Driver) -> Void)? = nil, depth: (Driver) -> Void
  ) {
    switch workload {
    case "W1": chain(self)
    case "W2": fanOut(self)
    case "W3": diamond(self)
    case "W4": pairs(self)
    case "W5": twoWay(self)
    case "W6": transformer(self)
    case "W7": if let mappedList { mappedList(self) } else { refuse() }
    case "depth": depth(self)
    default: refuse()
    }
  }

  /// Reports a figure under a name.
  public func report(_ name: String, _ value: Double) { measure_report(name, value) }

  /// Nanoseconds of processor time.
  public static func now() -> Double { measure_now() }

  /// What of this process lies in memory, in bytes.
  public static func resident() -> Double { measure_resident() }

  /// Ends the driver when a result is wrong.
  public func check(_ holds: Bool, _ what: String) { measure_check(holds, what) }

  /// Ends the driver with what went wrong.
  public func fail(_ what: String) -> Never { measure_fail(what) }

  /// Ends the driver: it has no such workload.
  public func refuse() -> Never { request_refuse(raw) }

  /// Times what is done once to each of `count` things.
  public func time(_ name: String, each count: Int, _ body: () -> Void) {
    let start = measure_now()
    body()
    report(name, (measure_now() - start) / Double(count))
  }

  /// Times the making of `count` things, and reports the memory that each takes.
  public func make(_ count: Int, bytes: String = "bytes", _ body: () -> Void) {
    grow(bytes, each: count) { time("make", each: count, body) }
  }

  /// Reports the memory that each of `count` things takes.
  public func grow(_ name: String, each count: Int, _ body: () -> Void) {
    let memory = measure_resident()
    body()
    report(name, (measure_resident() - memory) / Double(count))
  }
}

private func constantArguments() -> UnsafePointer<UnsafePointer<CChar>?> {
  UnsafeRawPointer(CommandLine.unsafeArgv).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
}
