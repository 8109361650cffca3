import TideBindings
import TideGraph
import TideLua

/// The stage of an app on its way to the end, one step at a time, so that the code that makes the
/// steps may wait in between.
///
/// ```swift
/// var course = AppLifecycle()
/// while course.needsStep(of: runtime, while: { runtime.loop.hasWork }) { runtime.turn() }
/// course.leave(runtime)
/// ```
///
///     running ──▶ asking ──▶ awaiting ──▶ over
///        ▲           │
///        └───────────┘ somebody has it stay, or an entry is refused
package struct AppLifecycle {
  private enum Stage {
    case running
    /// Nobody has been asked yet.
    case ending
    /// Handlers of `willQuit` take their time.
    case asking
    /// Transformers have yet to give what ends in models.
    case awaiting
    case over
    case stays
  }

  private var stage: Stage
  private let mayStayOnce: Bool
  private var seconds: Double?
  private var code: Int32?
  private var end: Double?
  private var timer: LoopTimer?

  /// Of an app that runs.
  package init() {
    stage = .running
    mayStayOnce = false
  }

  /// Of an app that is to end, unless somebody has it stay.
  package init(endingWithin seconds: Double?) {
    stage = .ending
    mayStayOnce = true
    self.seconds = seconds
  }

  /// Whether the end was reached.
  package var hasEnded: Bool { stage == .over }

  /// Whether a step is to be made before this is asked again; false at the end.
  package mutating func needsStep(
    of runtime: Runtime, while goesOn: () -> Bool,
    onAsking: (_ isAsking: Bool) -> Void = { _ in }
  ) -> Bool {
    while true {
      switch stage {
      case .running:
        if runtime.exitCode == nil && goesOn() { return true }
        stage = .ending
      case .ending: beginEnding(runtime, goesOn, onAsking)
      case .asking:
        if waits(runtime) && runtime.ending.isAsking && goesOn() { return true }
        finishAsking(runtime, goesOn, onAsking)
      case .awaiting:
        if waits(runtime) && runtime.table.isAwaitingValues && goesOn() { return true }
        finish(runtime)
      case .stays:
        if mayStayOnce { return false }
        stage = .running
      case .over: return false
      }
    }
  }

  /// To be called at the end, and where the steps are given up.
  package mutating func leave(_ runtime: Runtime) {
    stopWaiting()
    if stage == .asking || stage == .awaiting { runtime.ending.stopAsking() }
  }

  private mutating func beginEnding(
    _ runtime: Runtime, _ goesOn: () -> Bool, _ onAsking: (Bool) -> Void
  ) {
    guard runtime.lua.isOpen else {
      stage = .over
      return
    }
    code = runtime.exitCode
    runtime.exitCode = nil
    if let seconds { runtime.bound(seconds) }
    if runtime.ending.deadline == nil, runtime.showsRefusedEntry(), goesOn() {
      onAsking(false)
      stage = .stays
      return
    }
    guard !runtime.ending.handlers.isEmpty else { return beginAwaiting(runtime) }
    // Those who are asked are to see what has been typed.
    runtime.home.runWithinBudget { runtime.table.carryOutWaiting() }
    runtime.settleGraph()
    runtime.ending.ask(runtime)
    if runtime.ending.isAsking { onAsking(true) }
    stage = .asking
    wait(runtime, until: runtime.ending.deadline)
  }

  private mutating func finishAsking(
    _ runtime: Runtime, _ goesOn: () -> Bool, _ onAsking: (Bool) -> Void
  ) {
    stopWaiting()
    let isBound = runtime.exitCode != nil || runtime.ending.deadline != nil
    if runtime.ending.isRefused, !isBound, goesOn() {
      onAsking(false)
      runtime.ending.stopAsking()
      stage = .stays
      return
    }
    beginAwaiting(runtime)
  }

  private mutating func beginAwaiting(_ runtime: Runtime) {
    stage = .awaiting
    let latest = runtime.loop.now() + AppEnding.timeOfLateValues
    wait(runtime, until: min(latest, runtime.ending.deadline ?? latest))
  }

  private mutating func finish(_ runtime: Runtime) {
    stopWaiting()
    runtime.exitCode = code ?? runtime.exitCode
    runtime.ending.stopAsking()
    stage = .over
  }

  // MARK: Waiting at the end

  private mutating func wait(_ runtime: Runtime, until moment: Double?) {
    end = moment
    // So that the loop wakes.
    timer = moment.map { runtime.loop.after($0 - runtime.loop.now(), keepsRunning: false) {} }
  }

  private mutating func stopWaiting() {
    timer?.cancel()
    timer = nil
  }

  /// Whether there may be waited still: not where somebody insists on the end, or the time is over.
  private func waits(_ runtime: Runtime) -> Bool {
    guard runtime.exitCode == nil, runtime.lua.isOpen else { return false }
    return min(end ?? .infinity, runtime.ending.deadline ?? .infinity) > runtime.loop.now()
  }
}
