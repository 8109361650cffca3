import Dispatch

extension EventLoop {
  /// Begins an asynchronous wait for the loop, which does not block its thread. Call `endWait`
  /// afterwards.
  ///
  /// - Parameter leads: whether the caller drives the loop in preference to callers that do not
  ///   lead, as `run` does.
  package func beginWait(leads: Bool = false) -> LoopWait {
    let wait = LoopWait(leads: leads, mayDrive: !inbox.isRunningJobs)
    let former = waits.driver
    waits.add(wait)
    if waits.driver !== former { isDriverAsleep = false }
    return wait
  }

  /// Ends a wait. If it was the driver, another wait takes over.
  package func endWait(_ wait: LoopWait) {
    inbox.wakeUp(wait)
    guard let next = waits.remove(wait) else { return }
    isDriverAsleep = false
    next.wake()
  }

  /// Whether a wait drives the loop.
  package func isDriven(by wait: LoopWait) -> Bool { waits.driver === wait }

  /// Whether a leading wait drives the loop, as during `run`.
  package var isLed: Bool { waits.driver?.leads == true }

  /// Suspends until the wait is woken. The driver is woken when the loop has work: a timer is due,
  /// a descriptor is readable, something was posted, or another caller has turned the loop or
  /// changed its timers and watches. May return early.
  package nonisolated(nonsending) func untilDue(_ wait: LoopWait) async {
    guard isDriven(by: wait) else { return await wait.untilWoken() }
    // Within a turn, for example when a function of the loop runs jobs, the end of the turn wakes
    // the driver.
    if !isTurning || wait.leads {
      guard arrived.isEmpty, !timers.hasDue else { return await letOthersRun() }
      let deadline = nextDeadline
      // A virtual clock skips to the next deadline without waiting.
      if let deadline, clock != nil || deadline <= now() { return await letOthersRun() }
      guard inbox.fallAsleep(wait) else { return await letOthersRun() }
      setAlarm(deadline)
    }
    isDriverAsleep = true
    await wait.untilWoken()
    inbox.wakeUp(wait)
    lastSuspension = clock == nil ? Self.monotonicTime() : 0
    if isDriven(by: wait) { isDriverAsleep = false }
  }

  /// Yields the driver's actor regularly while the loop is always busy, so that other woken tasks
  /// can run, for example one that ends the app. Not with a virtual clock, where runs must be
  /// deterministic.
  private nonisolated(nonsending) func letOthersRun() async {
    guard clock == nil else { return }
    let now = Self.monotonicTime()
    guard now - lastSuspension >= Self.longestHold else { return }
    lastSuspension = now
    await Task.yield()
  }

  /// The longest time for which the driver keeps its actor, in seconds.
  private static var longestHold: Double { 0.005 }

  /// The timeout for the driver's turns: 0, or nil if a virtual clock must skip to the next timer.
  package var driverTimeout: Double? { clock != nil && nextDeadline != nil ? nil : 0 }

  /// Wakes the driver because its wake-up conditions have changed. Does nothing during a turn,
  /// whose end wakes the driver.
  package func wakeDriver() {
    guard isDriverAsleep, !isTurning else { return }
    isDriverAsleep = false
    waits.driver?.wake()
  }

  private func setAlarm(_ deadline: Double?) {
    let hasDescriptors = descriptors.count > 0
    if deadline == nil, !hasDescriptors { return }
    if alarm == nil { alarm = LoopAlarm(poller: descriptors.openedPoller(), inbox) }
    if let alarm { return alarm.set(deadline, hasDescriptors: hasDescriptors) }
    // Without a descriptor for the alarm, the loop is polled.
    DispatchQueue.global().async { [inbox] in
      usleep(10_000)
      inbox.post {}
    }
  }
}
