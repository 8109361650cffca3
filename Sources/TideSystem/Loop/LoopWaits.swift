/// The waits for an event loop, and the choice of the driver.
///
/// ```
///     driver ── sleeps until the loop has something to do, and turns it
///     parked ── each sleeps until its own result is there, or it becomes the driver
/// ```
///
/// The loop wakes only the driver, so a thousand waits cost as much as one. When the driver ends,
/// another wait becomes the driver and is woken.
///
/// Invariants: `waits[i].index == i`. The driver is one of the waits, leads if any of them does,
/// and is nil only if none may drive.
struct LoopWaits {
  private var waits: [LoopWait] = []
  private(set) var driver: LoopWait?

  mutating func add(_ wait: LoopWait) {
    wait.index = waits.count
    waits.append(wait)
    guard wait.mayDrive else { return }
    // The previous driver stays parked.
    if driver == nil || wait.leads && driver?.leads == false { driver = wait }
  }

  /// Removes a wait. If it was the driver, returns the new driver, which must be woken.
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
  /// Wakes all waits except the driver, because nothing may be left that would wake them.
  func wakeParked() {
    for wait in waits where wait !== driver { wait.wake() }
  }

  var count: Int { waits.count }
  /// Whether any wait is not the driver.
  var hasParked: Bool { waits.count > (driver == nil ? 0 : 1) }

  /// The first violated invariant, for tests.
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
