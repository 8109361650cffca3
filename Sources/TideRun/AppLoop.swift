import TideBindings
import TideGraph
public import TideScript
import TideSystem
public import TideViews

/// The loop of a running app: it settles changes, shows and draws the scene, and waits for the next
/// event, until the app has ended.
///
/// ```swift
/// let loop = AppLoop(runtime, TextRenderer())
/// defer { loop.close() }
/// try loop.catchUp()
/// try loop.send(.key(Key(.enter)))
/// try loop.run()
/// ```
///
/// All commands, hosts and tests run their apps with it. They differ in its callbacks, such as
/// `keepsRunning` and `afterTurn`. The loop must be used by the runtime's owner.
package final class AppLoop {
  package let runtime: Runtime
  private let display: Display?

  /// Called when no work is left, neither timers nor pending tasks. Returns whether the app keeps
  /// waiting, for example for changes of watched files. By default, an app with a renderer keeps
  /// waiting.
  package var keepsRunning: () -> Bool
  /// Called with true when handlers of `willQuit` begin to wait, and with false when one of them
  /// keeps the app running.
  package var onAsking: (_ isAsking: Bool) -> Void = { _ in }
  /// Called after drawing, before the loop waits.
  package var beforeTurn: () -> Void = {}
  /// Called after events have been handled and everything has settled.
  package var afterTurn: () -> Void = {}

  /// How long handlers of `willQuit` may take when they cannot keep the app running, in seconds. A
  /// further second remains for the rest of the shutdown.
  package static let timeOfEnding = 1.0

  /// - Parameter renderer: shows the app; nil to run without one.
  package init(_ runtime: Runtime, _ renderer: (any Renderer)? = nil) {
    self.runtime = runtime
    display = renderer.map { Display(loop: runtime.loop, renderer: $0) }
    keepsRunning = { renderer != nil }
  }

  // MARK: Until the end

  /// Runs the app until it ends and no handler of `willQuit` keeps it running, then restores the
  /// medium and ends everything that the scripts have made.
  package func run() throws {
    _ = try follow(AppLifecycle())
  }

  /// Like `run`, but suspends while there is nothing to do, so that the caller's actor is free.
  /// Cancelling the task ends the app.
  func runSuspending(isolation: isolated (any Actor)? = #isolation) async throws {
    let wait = runtime.loop.beginWait(leads: true)
    defer { runtime.loop.endWait(wait) }
    try await withTaskCancellationHandler {
      // A closure is isolated to the caller's actor only if that is declared.
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

  /// Calls the handlers of `willQuit`, waits for them and for pending values, and ends the app as
  /// `run` does. Returns false if the app stays.
  ///
  /// If no work is left and the loop does not keep running, no handler can keep the app running.
  ///
  /// - Parameter seconds: how long the handlers may take, in which case none can keep the app
  ///   running; nil for no limit.
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
    // Restores the user's medium first, because the rest may take time.
    close()
    runtime.end()
  }

  /// Runs the app while a condition holds and no exit was requested.
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

  /// Shows the current scene, which `run` does before its first turn.
  package func show() throws {
    try runtime.graph.entered { try display?.show(runtime.scene) }
  }

  /// Handles everything that is due, lays out and draws.
  package func catchUp() throws {
    runtime.settle()
    try show()
    try drawAtOnce()
    // The first frame may trigger further work.
    runtime.settle()
    try drawAtOnce()
  }

  private func drawAtOnce() throws {
    try runtime.graph.entered { try display?.draw() }
  }

  /// Sends user input and draws the result; returns false if no view handled it.
  ///
  /// - Parameter unhandled: called before drawing if no view handled the input.
  @discardableResult
  package func send(_ event: InputEvent, unhandled: () -> Void = {}) throws -> Bool {
    let isTaken = runtime.scene?.send(event) == true
    if !isTaken { unhandled() }
    try catchUp()
    return isTaken
  }

  /// Restores the medium; showing a scene acquires it again.
  package func close() {
    runtime.graph.entered { display?.close() }
  }

  // MARK: Quitting

  /// Lets the user of a renderer quit: by an unhandled Ctrl-C, or by a signal or a closed medium.
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
  /// Shows the app with a renderer, or runs it without one, until it ends; returns its exit code.
  ///
  /// ```swift
  /// let code = try await runtime.run(TerminalRenderer())
  /// ```
  ///
  /// With a renderer the app ends by `exit`, by `stop`, or when its medium is closed; without one
  /// also when no work is left: no timer and no pending task. Handlers of `willQuit` are called
  /// first, and at the end everything that the scripts have made ends: see `end`.
  ///
  /// It must be called on the runtime's actor, and suspends while there is nothing to do, so that
  /// the actor can do other work.
  ///
  /// - Throws: `CancellationError` if its task was cancelled; the app has then ended as by `stop`,
  ///   without a way to keep it running. `TideError` of code `graph` if the caller is not the
  ///   runtime's owner, and the errors of the renderer.
  nonisolated(nonsending) public func run(_ renderer: (any Renderer)? = nil) async throws -> Int32 {
    try requireHere()
    let loop = try startLoop(renderer)
    defer { loop.close() }
    try await loop.runSuspending()
    if Task.isCancelled { throw CancellationError() }
    return exitCode ?? 0
  }

  /// Like `run(_:)` for a synchronous caller, whose thread it blocks.
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
