import TideBindings
import TideGraph
import TideLua

/// How an app ends: who is asked before, and what that has come to.
///
///     exit, Ctrl-C ─▶ asked one after another ─┬▶ one gives false: the app goes on
///     nothing left                             └▶ late values arrive ─▶ the end
///
/// Handlers that wait are waited for, until somebody insists or the time is over.
final class AppEnding {
  /// What scripts name `app`.
  let app = AppObject()
  /// In the order in which they were registered.
  fileprivate(set) var handlers = NumberedList<QuitHandler>()
  /// Those that are still to be asked.
  private var rest: ArraySlice<QuitHandler> = []
  /// The one that waits.
  private var task: ScriptTask?
  private(set) var isAsking = false
  /// Whether one that was asked wants the app to stay.
  private(set) var isRefused = false
  /// When it ends at the latest, in seconds of the loop's clock; nil while it may take its time.
  var deadline: Double?
  /// Whether everything has ended.
  var hasEnded = false
  /// What sessions at prompts have made, which belongs to no module.
  var guests: [Guest] = []

  struct Guest {
    weak var context: BindingContext?
  }

  /// How long those who are asked may take after a signal, in seconds. Another second is left for
  /// what follows.
  static let timeOfSignal = 1.0
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
    // Where nobody can have the app stay, all are told.
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

/// The running app, as scripts see it: `app`, the sender of `willQuit`.
final class AppObject: DataObject {
  private static let appShape = Shape(
    name: "app", properties: [], swiftClasses: [ObjectIdentifier(AppObject.self)])

  override init() { super.init(shape: Self.appShape) }
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
    try publish("app", luaValue(ending.app))
    try define("exit(code)") { [unowned self] call in
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
        "app sends no event \"\(name.inMessage)\"\(NearestName.hint(for: name, in: [AppEnding.willQuit]))"
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
