/// Those who wait for an event loop, and which of them turns it.
///
/// ```
///     driver ── sleeps until the loop has something to do, and turns it
///     parked ── each is woken when what it waits for has come, or when it is to drive
/// ```
///
/// Whatever the loop has to do wakes the driver alone, so a thousand waits cost as much as one. The
/// driver that ends hands over to another one and wakes it: there is a driver as long as anybody
/// waits who may drive.
///
/// Invariant: `waits[i].index == i`; the driver is among them, leads if any of them does, and is
/// missing only where none may drive.
struct LoopWaits {
  private var waits: [LoopWait] = []
  private(set) var driver: LoopWait?

  mutating func add(_ wait: LoopWait) {
    wait.index = waits.count
    waits.append(wait)
    guard wait.mayDrive else { return }
    // The former driver stays parked.
    if driver == nil || wait.leads && driver?.leads == false { driver = wait }
  }

  /// Takes one out, and gives the one that drives in its place from now on, which is to be woken.
  mutating func remove(_ wait: LoopWait) -> LoopWait? {
    guard let index = wait.index else { return nil }
    wait.index = nil
    let last = waits.removeLast()
    if last !== wait {
      waits[index] = last
      last.index = index
    }
    guard driver === wait else { return nil }
    driver = waits.last { $0.mayDrive && $0.leads } ?? waits.last { $0.mayDrive }
    return driver
  }
}

extension LoopWaits {
  /// Lets all look again who do not drive, because what they wait for may never come.
  func wakeParked() {
    for wait in waits where wait !== driver { wait.wake() }
  }

  var count: Int { waits.count }
  /// Whether any of them does not drive.
  var hasParked: Bool { waits.count > (driver == nil ? 0 : 1) }

  /// The first rule that does not hold, for tests.
  var brokenInvariant: String? {
    for (index, wait) in waits.enumerated() where wait.index != index {
      return "a wait does not know its index"
    }
    guard let driver else {
      return waits.contains(where: \.mayDrive) ? "nobody drives, though somebody may" : nil
    }
    if !driver.mayDrive { return "one drives that may not" }
    if !waits.contains(where: { $0 === driver }) { return "the driver does not wait" }
    let hasLeader = waits.contains { $0.mayDrive && $0.leads }
    return hasLeader && !driver.leads ? "the driver does not lead, though somebody does" : nil
  }
}
