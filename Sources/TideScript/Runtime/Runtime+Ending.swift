package import TideBindings
import TideGraph
import TideLua
import TideViews

extension Runtime {
  /// Ends the app after the running turn.
  ///
  /// Handlers of `willQuit` are asked before, and may have the app stay or wait; asked to end once
  /// more while one waits, it waits no longer. What ends then, `end` says.
  ///
  /// - Parameters:
  ///   - code: what `run` gives; the first one counts.
  ///   - seconds: how long those who are asked may take, none of whom can have the app stay then; nil
  ///     for as long as they need.
  public func exit(_ code: Int32, within seconds: Double? = nil) {
    exitCode = exitCode ?? code
    if let seconds { bound(seconds) }
    loop.endTurn()
  }

  func bound(_ seconds: Double) {
    let deadline = loop.now() + max(0, seconds)
    ending.deadline = min(ending.deadline ?? deadline, deadline)
  }

  /// The events that `app` sends.
  package static let appEvents = [AppEnding.willQuit]

  /// Whether there are handlers of `willQuit`.
  package var asksBeforeEnding: Bool { !ending.handlers.isEmpty }

  /// Whether handlers of `willQuit` are being asked.
  package var isAskedToEnd: Bool { ending.isAsking }

  /// Runs the app until it ends and nobody wants it to stay.
  ///
  /// - Parameters:
  ///   - goesOn: whether there is something left to do or to wait for.
  ///   - onAsking: told when handlers of `willQuit` begin to wait, and when one has had it stay.
  ///   - step: a turn, and what belongs to it.
  package func runToEnd(
    while goesOn: () -> Bool, onAsking: (_ isAsking: Bool) -> Void = { _ in },
    step: () throws -> Void
  ) rethrows {
    var course = AppCourse()
    defer { course.leave(self) }
    while course.needsStep(of: self, while: goesOn, onAsking: onAsking) { try step() }
  }

  /// Asks whoever wants to be asked before the app ends, and waits for those and for what
  /// transformers have yet to give; false when the app stays.
  ///
  /// Where nothing is left to do, nobody can have it stay.
  ///
  /// - Parameter seconds: how long those who are asked may take, none of whom can have the app stay
  ///   then; nil for as long as they need.
  package func quits(
    within seconds: Double? = nil, while goesOn: () -> Bool,
    onAsking: (_ isAsking: Bool) -> Void = { _ in }, step: () throws -> Void
  ) rethrows -> Bool {
    var course = AppCourse(endingWithin: seconds)
    defer { course.leave(self) }
    while course.needsStep(of: self, while: goesOn, onAsking: onAsking) { try step() }
    return course.hasEnded
  }

  /// Ends everything that the app's scripts have made, as a reload ends a version.
  ///
  /// What bindings hold back is written, views learn that they have disappeared, `hot.dispose`
  /// functions and the clean-ups of effects run, what waits is cancelled and its `<close>` variables
  /// are closed, and settings are saved. What a person is still typing is not committed. Each of
  /// these steps is bounded like a turn.
  ///
  /// `run` does it by itself; a host that turns the runtime in another way calls it when it is done
  /// with the app. Models keep their values. Harmless when it has been done.
  public func end() {
    if ending.hasEnded { return }
    ending.hasEnded = true
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    ending.stopAsking()
    // First, in case what follows is given no time to come to its end.
    saveSettings()
    if lua.isOpen {
      home.runWithinBudget { table.carryOutWaiting() }
      home.runWithinBudget { endContexts() }
    }
    settleGraph()
    saveSettings()
  }

  /// Writes what settings that write each change at once have yet to write, in several turns where one
  /// has no time for it.
  private func saveSettings() {
    finishTurn()
    for controller in settingsControllers.values {
      var isUnfinished = true
      while isUnfinished {
        isUnfinished = false
        home.runWithinBudget { isUnfinished = controller.applyAtEnd() }
      }
    }
  }

  /// Lets a context that belongs to no module end with the app.
  package func endsWithApp(_ context: BindingContext) {
    ending.guests.removeAll { $0.context == nil }
    ending.guests.append(AppEnding.Guest(context: context))
  }

  private func endContexts() {
    scene?.endAppearances()
    for module in modules.all.reversed() { disposeOfState(in: module) }
    table.withoutRestoring {
      for guest in ending.guests.reversed() { guest.context?.removeAll() }
    }
    removeAll()
    for task in tasks.values { task.cancel() }
    graph.settle()
  }
}
