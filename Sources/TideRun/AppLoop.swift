import TideBindings
import TideGraph
public import TideScript
import TideSystem
public import TideViews

/// The loop of a running app: it settles what has changed, shows it, draws, and waits for what
/// comes next, until the app has ended.
///
/// ```swift
/// let loop = AppLoop(runtime, TextRenderer())
/// defer { loop.close() }
/// try loop.catchUp()
/// try loop.send(.key(Key(.enter)))
/// try loop.run()
/// ```
///
/// Commands, hosts and tests all run their apps by it; what is different in each of them is in the
/// functions that it calls, such as `keepsRunning` and `afterTurn`. It belongs to the runtime's
/// owner.
package final class AppLoop {
  package let runtime: Runtime
  private let display: Display?

  /// Asked when nothing is left to do, neither timers nor pending work: whether the app waits for
  /// what may come, as while its files are watched. An app that a renderer shows does so.
  package var keepsRunning: () -> Bool
  /// Called when handlers of `willQuit` begin to wait, with true, and with false when one of them
  /// has the app stay.
  package var onAsking: (_ isAsking: Bool) -> Void = { _ in }
  /// Called after drawing, before the loop waits.
  package var beforeTurn: () -> Void = {}
  /// Called when what has come has run and settled.
  package var afterTurn: () -> Void = {}

  /// How long those who are asked may take where nobody can have the app stay, in seconds. Another
  /// second is left for what follows.
  package static let timeOfEnding = 1.0

  /// - Parameter renderer: shows the app; nil for none.
  package init(_ runtime: Runtime, _ renderer: (any Renderer)? = nil) {
    self.runtime = runtime
    display = renderer.map { Display(loop: runtime.loop, renderer: $0) }
    keepsRunning = { renderer != nil }
  }

  // MARK: Until the end

  /// Runs the app until it has ended and nobody wants it to stay, gives the medium back, and ends
  /// everything that the scripts have made.
  package func run() throws {
    _ = try follow(AppLifecycle())
  }

  /// The same, but suspends while there is nothing to do, so that the caller's actor is free. When
  /// the task is cancelled, the app ends.
  func runSuspending(isolation: isolated (any Actor)? = #isolation) async throws {
    let wait = runtime.loop.beginWait(leads: true)
    defer { runtime.loop.endWait(wait) }
    try await withTaskCancellationHandler {
      // A closure is on the caller's actor only if it says so.
      try await follow(wait, isolation: isolation)
    } onCancel: {
      wait.wake()
    }
  }

  private func follow(_ wait: LoopWait, isolation: isolated (any Actor)?) async throws {
    var course = AppLifecycle()
    defer { leave(&course) }
    while try needsTurn(&course) {
      if Task.isCancelled {
        runtime.exit(0, within: 0)
      } else {
        await runtime.loop.untilDue(wait)
      }
      turn(timeout: runtime.loop.driverTimeout)
    }
    finish()
  }

  /// Asks whoever wants to be asked before the app ends, waits for those and for late values, and
  /// ends the app as `run` does; false when it stays.
  ///
  /// Where nothing is left to do and the loop does not keep running, nobody can have it stay.
  ///
  /// - Parameter seconds: how long those who are asked may take, none of whom can have the app stay
  ///   then; nil for as long as they need.
  package func quit(within seconds: Double?) throws -> Bool {
    try follow(AppLifecycle(endingWithin: seconds))
  }

  private func follow(_ course: AppLifecycle) throws -> Bool {
    var course = course
    defer { leave(&course) }
    while try needsTurn(&course) { turn() }
    if course.hasEnded { finish() }
    return course.hasEnded
  }

  private func needsTurn(_ course: inout AppLifecycle) throws -> Bool {
    try runtime.graph.entered {
      let needsTurn = course.needsStep(
        of: runtime,
        while: { runtime.loop.hasWork || keepsRunning() || runtime.dismissQuestions() },
        onAsking: onAsking)
      if needsTurn { try draw() }
      return needsTurn
    }
  }

  private func leave(_ course: inout AppLifecycle) {
    runtime.graph.entered { course.leave(runtime) }
  }

  private func finish() {
    // The person has the medium back before what may take its time.
    close()
    runtime.end()
  }

  /// Runs the app while a condition holds and nothing has asked for its end.
  package func run(while condition: () -> Bool) throws {
    while runtime.exitCode == nil, condition() {
      try runtime.graph.entered { try draw() }
      turn()
    }
  }

  private func draw() throws {
    if let display {
      try display.show(runtime.scene)
      try display.drawIfDue()
      display.finishTurn()
    }
    beforeTurn()
  }

  private func turn(timeout: Double? = nil) {
    runtime.turn(timeout: timeout)
    afterTurn()
  }

  // MARK: Without waiting

  /// Shows what the app shows now, which `run` does before its first turn.
  package func show() throws {
    try runtime.graph.entered { try display?.show(runtime.scene) }
  }

  /// Does all that is due, lays out and draws.
  package func catchUp() throws {
    runtime.settle()
    try show()
    try drawAtOnce()
    // What appears may set something going.
    runtime.settle()
    try drawAtOnce()
  }

  private func drawAtOnce() throws {
    try runtime.graph.entered { try display?.draw() }
  }

  /// Does what a person does, and draws what came of it; false where no view took it.
  ///
  /// - Parameter unhandled: called before drawing where no view took it.
  @discardableResult
  package func send(_ event: InputEvent, unhandled: () -> Void = {}) throws -> Bool {
    let isTaken = runtime.scene?.send(event) == true
    if !isTaken { unhandled() }
    try catchUp()
    return isTaken
  }

  /// Gives the medium back; what is shown later takes it again.
  package func close() {
    runtime.graph.entered { display?.close() }
  }

  // MARK: Leaving

  /// Lets the person in front of a renderer leave: by Ctrl-C, where nobody takes that, or by the
  /// system's means.
  func listen(to renderer: any InteractiveRenderer) {
    renderer.onQuit = { [weak self] in self?.runtime.exit($0, within: Self.timeOfEnding) }
    let given = renderer.onUnhandled
    renderer.onUnhandled = { [weak self] event in
      given(event)
      if event == .key(Key("c" as Character, modifiers: .control)) { self?.runtime.exit(130) }
    }
  }
}

extension Runtime {
  /// Shows the app with a renderer, or runs it without one, until it ends; gives its exit code.
  ///
  /// ```swift
  /// let code = try await runtime.run(TerminalRenderer())
  /// ```
  ///
  /// With a renderer the app ends by `exit`, `stop` or when nothing shows it any more; without one
  /// when there is nothing left to do: no timer, no pending work. Handlers of `willQuit` are asked
  /// before, and at the end everything that the scripts have made ends: see `end`.
  ///
  /// It runs where it is called, which must be the runtime's actor, and suspends while there is
  /// nothing to do: the actor goes on with its other work meanwhile.
  ///
  /// - Throws: `CancellationError` when its task was cancelled: the app has then ended as by
  ///   `stop`, and nobody could have it stay. `TideError` of code `graph` where somebody else than
  ///   the runtime's owner asks, and what the renderer throws.
  nonisolated(nonsending) public func run(_ renderer: (any Renderer)? = nil) async throws -> Int32 {
    try requireHere()
    let loop = try startLoop(renderer)
    defer { loop.close() }
    try await loop.runSuspending()
    if Task.isCancelled { throw CancellationError() }
    return exitCode ?? 0
  }

  /// The same, for a caller that is not asynchronous: it keeps the calling thread.
  package func runUntilExit(_ renderer: (any Renderer)? = nil) throws -> Int32 {
    let loop = try startLoop(renderer)
    defer { loop.close() }
    try loop.run()
    return exitCode ?? 0
  }

  private func startLoop(_ renderer: (any Renderer)?) throws -> AppLoop {
    let loop = AppLoop(self, renderer)
    if let renderer = renderer as? any InteractiveRenderer {
      loop.listen(to: renderer)
      tellsPeopleOfErrors = true
    }
    try loop.show()
    return loop
  }
}
