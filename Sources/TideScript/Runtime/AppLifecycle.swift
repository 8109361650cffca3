import TideBindings
import TideGraph
import TideLua

/// The stages of an app up to its end. It advances one step at a time, so that the caller may
/// suspend between steps.
///
/// ```swift
/// var course = AppLifecycle()
/// while course.needsStep(of: runtime, while: { runtime.loop.hasWork }) { runtime.turn() }
/// course.leave(runtime)
/// ```
///
///     running ──▶ asking ──▶ awaiting ──▶ over
///        ▲           │
///        └───────────┘ a handler refuses, or refused input is shown
package struct AppLifecycle {
  private enum Stage {
    case running
    /// Before the handlers are asked.
    case ending
    /// Handlers of `willQuit` are being asked.
    case asking
    /// Waiting for results of transformers on their way to models.
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

  /// For a running app.
  package init() {
    stage = .running
    mayStayOnce = false
  }

  /// For an app that shall end, unless a handler refuses.
  package init(endingWithin seconds: Double?) {
    stage = .ending
    mayStayOnce = true
    self.seconds = seconds
  }

  /// Whether the end was reached.
  package var hasEnded: Bool { stage == .over }

  /// Whether the caller has to make another step; false at the end.
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

  /// Call this at the end, or when no further steps are made.
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
    // Handlers shall see what has been typed.
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
    // Wakes the loop.
    timer = moment.map { runtime.loop.after($0 - runtime.loop.now(), keepsRunning: false) {} }
  }

  private mutating func stopWaiting() {
    timer?.cancel()
    timer = nil
  }

  /// Whether waiting may continue: nobody has requested the end again, and there is time left.
  private func waits(_ runtime: Runtime) -> Bool {
    guard runtime.exitCode == nil, runtime.lua.isOpen else { return false }
    return min(end ?? .infinity, runtime.ending.deadline ?? .infinity) > runtime.loop.now()
  }
}
