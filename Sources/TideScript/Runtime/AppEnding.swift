package import TideBindings
import TideGraph
import TideLua
import TideViews

/// How an app ends: who is asked before, and what that has come to.
///
///     exit, Ctrl-C ─▶ asked one after another ─┬▶ one gives false: the app goes on
///     nothing left                             └▶ late values arrive ─▶ the end
///
/// Before anybody is asked, a person is shown what they have entered and the model has refused. Who
/// asks for the end once more gives it up.
///
/// Handlers that wait are waited for, until somebody insists or the time is over.
final class AppEnding {
  /// With what the app has ended; nil while it goes on.
  var exitCode: Int32?
  /// What scripts name `app`.
  let app = AppObject()
  /// The object that scripts name `viewer`.
  let viewer = ViewerObject()
  /// Whose session the app runs in.
  let sessionOwner = SessionOwner.current
  /// In the order in which they were registered.
  fileprivate(set) var handlers = NumberedList<QuitHandler>()
  /// Those that are still to be asked.
  private var rest: ArraySlice<QuitHandler> = []
  /// The handler that is waiting.
  private var task: ScriptTask?
  private(set) var isAsking = false
  /// Whether a handler wants the app to stay.
  private(set) var isRefused = false
  /// When it ends at the latest, in seconds of the loop's clock; nil while it may take its time.
  var deadline: Double?
  /// Whether everything has ended.
  var hasEnded = false
  /// Contexts that belong to no module and end with the app.
  var guests: [Guest] = []
  /// The refused entry because of which the app has not ended.
  fileprivate var refusedEntry: String?

  /// The object that a path finds by a name that no model has.
  func root(named name: String) -> DataObject? {
    switch name {
    case APIEntry.app.name: app
    case APIEntry.viewer.name: viewer
    default: nil
    }
  }

  struct Guest {
    weak var context: BindingContext?
  }

  /// How long the end waits for values that transformers have yet to give, in seconds.
  static let timeOfLateValues = 2.0

  /// Asks all handlers; what has to wait goes on while the loop turns.
  func ask(_ runtime: Runtime) {
    isRefused = false
    isAsking = true
    rest = Array(handlers)[...]
    runtime.home.runWithinBudget { askNext(runtime) }
  }

  /// Asks nobody any more; who waits is cancelled.
  func stopAsking() {
    rest = []
    isAsking = false
    let waiting = task
    task = nil
    waiting?.cancel()
  }

  private func askNext(_ runtime: Runtime) {
    // When the end cannot be refused, all handlers are called.
    while isAsking, !isRefused || deadline != nil, let handler = rest.popFirst() {
      guard handler.isEnabled, handler.isAlive else { continue }
      do {
        switch try runtime.begin(
          handler.function, [runtime.luaValue(app), event(runtime)], in: handler.context)
        {
        case .finished(let results): take(results)
        case .waiting(let task):
          guard let result = task.result else {
            return wait(for: task, runtime)
          }
          try take(result.get())
        }
      } catch {
        list(error, runtime)
      }
    }
    isAsking = false
  }

  private func wait(for task: ScriptTask, _ runtime: Runtime) {
    self.task = task
    task.whenEnded { [unowned self, unowned runtime, unowned task] outcome in
      guard self.task === task else { return }
      self.task = nil
      do { try take(outcome.get()) } catch { list(error, runtime) }
      askNext(runtime)
    }
  }

  private func take(_ results: [LuaValue]) {
    if results.first?.boolean == false { isRefused = true }
  }

  /// A handler that fails does not keep the app.
  private func list(_ error: any Error, _ runtime: Runtime) {
    let error = TideError(script: error)
    // Its context has ended, as by a reload.
    if error.code != .cancelled { runtime.list(error) }
  }

  private func event(_ runtime: Runtime) throws -> LuaValue {
    .table(
      try runtime.lua.table([
        "name": .string(Self.willQuit), "sender": runtime.luaValue(app),
      ]))
  }

  static let willQuit = "willQuit"
}

/// A script's function that is asked before the app ends.
final class QuitHandler {
  fileprivate let function: LuaFunction
  fileprivate let context: BindingContext
  fileprivate var isEnabled = true
  fileprivate var isAlive = true

  fileprivate init(_ function: LuaFunction, _ context: BindingContext) {
    self.function = function
    self.context = context
  }
}

extension Runtime {
  func installEnding() throws {
    try define(.exit) { [unowned self] call in
      let code = call.isNil(0) ? 0 : try call.integer(0)
      guard (0...255).contains(code) else {
        throw call.badArgument(0, "an exit code is 0 to 255")
      }
      exit(Int32(truncatingIfNeeded: code))
      throw ExitRequest(code: Int32(truncatingIfNeeded: code))
    }
  }

  /// `on(app, "willQuit", fn)`
  func askBeforeEnding(_ call: borrowing LuaCall) throws {
    let name = try call.name(1, "an event's name")
    guard name == AppEnding.willQuit else {
      throw TideError(
        .unknownEvent,
        "app sends no event \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: [AppEnding.willQuit]))"
      )
    }
    guard call.tag(2) == LuaTag.function else { throw call.wrongType(2, "function") }
    guard call.isNil(3) else { throw call.badArgument(3, "willQuit takes no options") }
    let home = context
    let handler = QuitHandler(try kept(call.function(2)), home)
    try charge(Weight.waiting)
    let number = ending.handlers.append(handler)
    let made = home.own(setEnabled: { handler.isEnabled = $0 }) { [ending] in
      handler.isAlive = false
      ending.handlers.remove(number)
    }
    try call.return(luaValue(of: made, .handler(name)))
  }
}

extension Runtime {
  /// Ends the app after the running turn.
  ///
  /// Handlers of `willQuit` are asked before, and may have the app stay or wait; asked to end once
  /// more while one waits, it waits no longer. What ends then, `end` says.
  ///
  /// - Parameters:
  ///   - code: what `run` gives; the first one counts.
  ///   - seconds: how long those who are asked may take, none of whom can have the app stay then;
  ///   nil for as long as they need.
  public func exit(_ code: Int32, within seconds: Double? = nil) {
    ending.exitCode = exitCode ?? code
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

  /// Shows a person what they have entered and the model has refused; false where there is no such
  /// entry, or where they have seen it and ask again.
  func showsRefusedEntry() -> Bool {
    let known = ending.refusedEntry
    var entry: String?
    home.runWithinBudget { entry = scene?.showRefusedEntry(unless: known) }
    ending.refusedEntry = entry
    return entry != nil
  }

  /// Ends everything that the app's scripts have made, as a reload ends a version.
  ///
  /// What bindings hold back is written, views learn that they have disappeared, `hot.dispose`
  /// functions and the clean-ups of effects run, what waits is cancelled and its `<close>`
  /// variables are closed, and settings are saved. What a person is still typing is not committed.
  /// Each of these steps is bounded like a turn.
  ///
  /// `run` does it by itself; a host that turns the runtime in another way calls it when it is done
  /// with the app. Models keep their values. A second call does nothing.
  ///
  /// Called on another actor or thread than the runtime's, it ends nothing, and lists an error of
  /// code `graph` with the caller's graph.
  public func end() {
    do { try requireHere() } catch {
      BindingTable.current.list(error)
      return
    }
    if ending.hasEnded { return }
    ending.hasEnded = true
    let outer = graph.enter()
    defer { Graph.leave(to: outer) }
    ending.stopAsking()
    // First, in case what follows is given no time to come to its end.
    saveSettings()
    sendSharedModels()
    if lua.isOpen {
      home.runWithinBudget { table.carryOutWaiting() }
      home.runWithinBudget { endContexts() }
    }
    settleGraph()
    saveSettings()
    loop.closeIdlePoller()
  }

  /// Writes what settings that write each change at once have yet to write, in several turns where
  /// one has no time for it.
  private func saveSettings() {
    finishTurn()
    for controller in declarations.settingsControllers.values {
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
    for task in tasks.running.values { task.cancel() }
    graph.settle()
  }
}

// MARK: Catalogue

extension APIEntry {
  static let exit = APIEntry(
    "exit(code)", usage: "exit([code])",
    "Ends the app, after whoever observes \"willQuit\" of `app` was asked.",
    """
    @param code? integer
    """)
}

extension APISection {
  static let ending = APISection(
    article: "Ending",
    entries: [.exit])
}
