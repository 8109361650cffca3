extension EventLoop {
  /// Begins to wait for the loop without keeping its thread; `endWait` must follow.
  ///
  /// - Parameter leads: whether the caller turns the loop for as long as it waits, and is woken
  ///   after whatever anybody does with the loop.
  package func beginWait(leads: Bool = false) -> LoopWait {
    let wait = LoopWait(leads: leads, mayDrive: !inbox.isRunningJobs)
    let former = waits.driver
    waits.add(wait)
    if waits.driver !== former { isDriverAsleep = false }
    return wait
  }

  /// Ends a wait. Where it has driven the loop, another one does from now on.
  package func endWait(_ wait: LoopWait) {
    inbox.wakeUp(wait)
    guard let next = waits.remove(wait) else { return }
    isDriverAsleep = false
    next.wake()
  }

  /// Whether this wait is the one that turns the loop.
  package func isDriven(by wait: LoopWait) -> Bool { waits.driver === wait }

  /// Whether somebody waits who turns the loop for as long as the app runs.
  package var isLed: Bool { waits.driver?.leads == true }

  /// Suspends until the wait is woken. The one that drives the loop is woken when the loop has
  /// something to do: a timer is due, a descriptor can be read, something was posted, or another
  /// caller has turned the loop or changed what it waits for. It may return early.
  package nonisolated(nonsending) func untilDue(_ wait: LoopWait) async {
    guard isDriven(by: wait) else { return await wait.untilWoken() }
    // A turn in which this runs, as where a function of the loop waits by a loop of its own, wakes
    // the driver at its end.
    if !isTurning || wait.leads {
      guard arrived.isEmpty, !timers.hasDue else { return await letOthersRun() }
      let deadline = nextDeadline
      // A virtual clock moves to the next deadline without waiting.
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

  /// Lets others of the driver's actor run now and then where there is always something to do: who
  /// has been woken or wants to end the app is among them. A virtual clock moves without that, so
  /// that every run does the same.
  private nonisolated(nonsending) func letOthersRun() async {
    guard clock == nil else { return }
    let now = Self.monotonicTime()
    guard now - lastSuspension >= Self.longestHold else { return }
    lastSuspension = now
    await Task.yield()
  }

  /// How long the driver keeps its actor where there is always something to do, in seconds.
  private static var longestHold: Double { 0.005 }

  /// How long a driver's turn may wait: only where time is virtual and moves to a timer.
  package var driverTimeout: Double? { clock != nil && nextDeadline != nil ? nil : 0 }

  /// Lets the driver look at the loop again, because what it waits for has changed. In a turn the
  /// end of that does it.
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
    // Without a descriptor for it the loop turns again and again.
    inbox.post {}
  }
}
