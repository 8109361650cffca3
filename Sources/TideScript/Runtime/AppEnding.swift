package import TideBindings
import TideGraph
import TideLua
import TideViews

/// The end of an app: asks the handlers of `willQuit`, and records the result.
///
///     exit, Ctrl-C ─▶ asked one after another ─┬▶ one gives false: the app goes on
///     nothing left                             └▶ late values arrive ─▶ the end
///
/// Before the handlers are asked, people see their input that the model has refused. A second
/// request to end discards that input.
///
/// Waiting handlers are awaited until the end is requested again or the deadline passes.
final class AppEnding {
  /// The app's exit code; nil while the app runs.
  var exitCode: Int32?
  /// The object that scripts name `app`.
  let app = AppObject()
  /// The object that scripts name `viewer`.
  let viewer = ViewerObject()
  /// The owner of the session that the app runs in.
  let sessionOwner = SessionOwner.current
  /// In registration order.
  fileprivate(set) var handlers = NumberedList<QuitHandler>()
  /// Handlers not yet asked.
  private var rest: ArraySlice<QuitHandler> = []
  /// The handler that is waiting.
  private var task: ScriptTask?
  private(set) var isAsking = false
  /// Whether a handler has refused the end.
  private(set) var isRefused = false
  /// The deadline of the end, in seconds of the loop's clock; nil without one.
  var deadline: Double?
  /// Whether everything has ended.
  var hasEnded = false
  /// Contexts that belong to no module and end with the app.
  var guests: [Guest] = []
  /// The refused input that has kept the app from ending.
  fileprivate var refusedEntry: String?

  /// The object that paths find under a name that no model has.
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

  /// Seconds that the end waits for pending results of transformers.
  static let timeOfLateValues = 2.0

  /// Seconds that the end waits for other programs that are writing to a database, in general and
  /// after a signal.
  static let timeOfWrites = 5.0
  static let timeOfBoundWrites = 0.9

  /// Asks all handlers. Those that wait continue in later turns of the loop.
  func ask(_ runtime: Runtime) {
    isRefused = false
    isAsking = true
    rest = Array(handlers)[...]
    runtime.home.runWithinBudget { askNext(runtime) }
  }

  /// Stops asking, and cancels a waiting handler.
  func stopAsking() {
    rest = []
    isAsking = false
    let waiting = task
    task = nil
    waiting?.cancel()
  }

  private func askNext(_ runtime: Runtime) {
    // If the end cannot be refused, all handlers are called.
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

  /// A failing handler does not prevent the end.
  private func list(_ error: any Error, _ runtime: Runtime) {
    let error = TideError(script: error)
    // The handler's context has ended, for example in a reload.
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

/// A script's function that is called before the app ends.
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
  /// Handlers of `willQuit` are asked first. They may refuse the end or wait. A second call ends
  /// the wait. See ``end()`` for what then ends.
  ///
  /// - Parameters:
  ///   - code: the result of `run`; the code of the first call counts.
  ///   - seconds: how long the handlers may take. They cannot refuse the end then; nil for no
  ///     deadline.
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

  /// Shows a person their input that the model has refused. Returns false if there is none, or if
  /// they have already been shown it.
  func showsRefusedEntry() -> Bool {
    let known = ending.refusedEntry
    var entry: String?
    home.runWithinBudget { entry = scene?.showRefusedEntry(unless: known) }
    ending.refusedEntry = entry
    return entry != nil
  }

  /// Ends everything that the app's scripts have made, as a reload ends a version.
  ///
  /// Delayed writes of bindings are carried out. Views are notified that they disappear.
  /// `hot.dispose` functions and the clean-ups of effects run. Waits are cancelled and their
  /// `<close>` variables closed. Settings are saved, and pending changes of databases are written;
  /// for up to five seconds this waits for other programs that are writing. Text that a person is still typing is not
  /// committed. Each of these steps has the budget of a turn.
  ///
  /// `run` calls this itself. A host that drives the runtime in another way calls it when it is
  /// done with the app. Models keep their values. A second call does nothing.
  ///
  /// Called on another actor or thread than the runtime's, it ends nothing, and lists an error with
  /// code `graph` in the caller's graph.
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
    // First, in case the later steps run out of time.
    saveSettings()
    sendSharedModels()
    // Late work may report values that the app cannot read, so it runs before the app's contexts
    // end.
    finishLateWork()
    if lua.isOpen {
      home.runWithinBudget { table.carryOutWaiting() }
      home.runWithinBudget { endContexts() }
    }
    settleGraph()
    finishLateWork()
    saveSettings()
    finishWriting()
    loop.closeIdlePoller()
  }

  /// Writes the pending changes of databases. An app that could not write everything has no exit
  /// code of success.
  private func finishWriting() {
    let seconds = ending.deadline == nil ? AppEnding.timeOfWrites : AppEnding.timeOfBoundWrites
    let areSaved = declarations.settingsControllers.values.allSatisfy { !$0.hasUnwrittenChanges }
    let areWritten = configuration.stores?.finishWriting(of: self, within: seconds) ?? true
    if !areSaved || !areWritten, exitCode ?? 0 == 0 { exitCode = 1 }
  }

  /// Whether everything that the scripts have made has ended, or is ending.
  package var hasEnded: Bool { ending.hasEnded }

  /// Saves the pending changes of settings that are saved immediately, in several turns if one is
  /// too short.
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

  /// Makes a context that belongs to no module end with the app.
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
