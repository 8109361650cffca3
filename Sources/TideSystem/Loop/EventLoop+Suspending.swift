import Dispatch

extension EventLoop {
  /// Begins a wait for the loop that does not keep its thread; `endWait` must follow.
  ///
  /// - Parameter leads: whether the caller drives the loop before callers that do not lead, as
  ///   `run` does.
  package func beginWait(leads: Bool = false) -> LoopWait {
    let wait = LoopWait(leads: leads, mayDrive: !inbox.isRunningJobs)
    let former = waits.driver
    waits.add(wait)
    if waits.driver !== former { isDriverAsleep = false }
    return wait
  }

  /// Ends a wait. If it has driven the loop, another one takes over.
  package func endWait(_ wait: LoopWait) {
    inbox.wakeUp(wait)
    guard let next = waits.remove(wait) else { return }
    isDriverAsleep = false
    next.wake()
  }

  /// Whether a wait is the one that turns the loop.
  package func isDriven(by wait: LoopWait) -> Bool { waits.driver === wait }

  /// Whether a wait that leads drives the loop, as while the app is run.
  package var isLed: Bool { waits.driver?.leads == true }

  /// Suspends until the wait is woken. The one that drives the loop is woken when the loop has
  /// something to do: a timer is due, a descriptor can be read, something was posted, or another
  /// caller has turned the loop or changed what it waits for. It may return early.
  package nonisolated(nonsending) func untilDue(_ wait: LoopWait) async {
    guard isDriven(by: wait) else { return await wait.untilWoken() }
    // Within a turn, as when a function of the loop runs jobs, the end of the turn wakes the
    // driver.
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

  /// Yields the driver's actor from time to time while the loop always has something to do, so that
  /// others run that were woken or want to end the app. Not with a virtual clock, under which every
  /// run does the same.
  private nonisolated(nonsending) func letOthersRun() async {
    guard clock == nil else { return }
    let now = Self.monotonicTime()
    guard now - lastSuspension >= Self.longestHold else { return }
    lastSuspension = now
    await Task.yield()
  }

  /// How long the driver keeps its actor without a pause, in seconds.
  private static var longestHold: Double { 0.005 }

  /// The timeout of a driver's turns: 0, or nil when a virtual clock has to move to the next timer.
  package var driverTimeout: Double? { clock != nil && nextDeadline != nil ? nil : 0 }

  /// Wakes the driver, because what it waits for has changed. During a turn nothing happens: the
  /// end of the turn wakes it.
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
    // Without a descriptor for an alarm, the loop looks from time to time whether anything is due.
    DispatchQueue.global().async { [inbox] in
      usleep(10_000)
      inbox.post {}
    }
  }
}
