import TideBindings
import TideGraph
import TideLua
import TideViews

/// The place from which the app calls a script's function: as a handler, by a timer, or as an
/// observer of notifications.
///
/// An error stays listed until a call succeeds or the module is reloaded.
final class CallSite {
  /// Where the function was registered.
  let context: BindingContext
  /// The error of the latest call.
  private var failure: TideError?
  /// Handled acts whose handlers are still waiting, with their tasks.
  fileprivate var waits: [(act: HandledAct, task: ScriptTask)] = []

  init(in context: BindingContext) { self.context = context }

  func succeed(in runtime: Runtime) {
    guard let failure else { return }
    self.failure = nil
    runtime.table.withdraw(failure)
  }

  /// - Parameter view: the view whose event it was; nil without one.
  func fail(_ error: any Error, in runtime: Runtime, of view: View? = nil) {
    var error = TideError(script: error)
    error.holder = error.holder ?? view.map { ObjectHandle($0) }
    guard let listed = runtime.list(error, of: context) else { return }
    if let failure { runtime.table.remove(failure) }
    failure = listed
  }
}

/// The act that a handler is called for.
struct HandledAct: Equatable {
  let view: View
  /// The object of the row that contains the view.
  let row: Value
  /// The subject of the act: the event's value, the menu item or the command.
  let subject: Value
  /// The event's name, including the key.
  let name: String

  init(_ event: Event) {
    self.init(event.name.text, of: event.sender, event.value, by: event.key)
  }

  init(_ name: String, of sender: View, _ subject: Value, by key: Key? = nil) {
    view = sender
    row = sender.rowSubject
    self.subject = subject
    self.name = name == "key" ? "key \(key.map { "\($0)" } ?? "")" : name
  }

  static func == (left: Self, right: Self) -> Bool {
    left.view === right.view && left.row == right.row && left.subject == right.subject
      && left.name == right.name
  }
}

extension Runtime {
  /// Calls a handler, unless it is still waiting because of the same act.
  @discardableResult
  func call(
    _ function: LuaFunction, at site: CallSite, for act: HandledAct, of view: View,
    _ arguments: () throws -> [LuaValue]
  ) -> [LuaValue]? {
    if isWaiting(for: act, of: view, at: site) { return nil }
    return call(function, at: site, of: view, arguments) { noteWait(of: $0, for: act, at: site) }
  }

  /// Whether a handler is still waiting because of the same act, and may not run concurrently.
  func isWaiting(for act: HandledAct, of view: View, at site: CallSite) -> Bool {
    guard let known = site.waits.first(where: { $0.act == act }),
      !graph.untracked({ view[.concurrent] || act.view[.concurrent] })
    else { return false }
    scene?.tellOfWait(of: known.task.actor)
    return true
  }

  func noteWait(of task: ScriptTask, for act: HandledAct, at site: CallSite) {
    if task.result != nil { return }
    site.waits.append((act, task))
    act.view.beginWait(in: act.row, of: task.actor)
    task.whenEnded { _ in
      site.waits.removeAll { $0.task === task }
      act.view.endWait(in: act.row)
    }
  }

  /// Calls a function in the context in which it was registered. The function may wait. Returns its
  /// results, or nil if it waits or fails. Errors are listed.
  @discardableResult
  func call(
    _ function: LuaFunction, at site: CallSite, of view: View? = nil,
    _ arguments: () throws -> [LuaValue] = { [] },
    waiting: (ScriptTask) -> Void = { _ in }
  ) -> [LuaValue]? {
    do {
      let writes = HandlerWrites()
      switch try keeping(writes, { try begin(function, arguments(), in: site.context) }) {
      case .finished(let results):
        site.succeed(in: self)
        return results
      case .waiting(let task):
        task.writes = writes
        task.site = site
        waiting(task)
      }
    } catch {
      // The acting person is told about the refusal instead, and may repeat the act.
      if !isRefusal(error) { site.fail(error, in: self, of: view) }
    }
    return nil
  }

  /// Whether an error was caused by an act on a selection that the person has not seen.
  func isRefusal(_ error: any Error) -> Bool {
    table.selectionHistory?.isRefused == true || TideError(script: error).cause is UnseenSelection
  }

  /// Runs a script's callback, which may not wait, in the context in which it was registered.
  /// Errors are listed.
  func callBack(at site: CallSite, _ body: () throws -> Void) {
    do {
      try table.with(site.context) { try perform { try graph.untracked(body) } }
      site.succeed(in: self)
    } catch {
      site.fail(error, in: self)
    }
  }
}
