import TideBindings
import TideGraph
import TideLua

/// From where a script's function is called when something happens: as a handler, by a timer, as an
/// observer of notifications.
///
/// What it fails with stays listed until a call goes well, or its module is reloaded.
final class CallSite {
  /// Where the function was registered.
  let context: BindingContext
  /// What the latest call has failed with.
  private var failure: TideError?

  init(in context: BindingContext) { self.context = context }

  func succeed(in runtime: Runtime) {
    guard let failure else { return }
    self.failure = nil
    runtime.table.withdraw(failure)
  }

  func fail(_ error: any Error, in runtime: Runtime) {
    guard let listed = runtime.list(TideError(script: error), of: context) else { return }
    if let failure { runtime.table.remove(failure) }
    failure = listed
  }
}

extension Runtime {
  /// Calls a function in the context in which it was registered, where it may wait; gives its
  /// results, or nil when it waits or fails. What it raises is listed.
  @discardableResult
  func call(
    _ function: LuaFunction, at site: CallSite, _ arguments: () throws -> [LuaValue] = { [] }
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
      }
    } catch {
      // Whose act it was is told, and may do it again.
      if table.selectionHistory?.isRefused != true { site.fail(error, in: self) }
    }
    return nil
  }

  /// Runs a script's callback, which may not wait, in the context in which it was registered; what
  /// it throws is listed.
  func callBack(at site: CallSite, _ body: () throws -> Void) {
    do {
      try table.with(site.context) { try perform { try graph.untracked(body) } }
      site.succeed(in: self)
    } catch {
      site.fail(error, in: self)
    }
  }
}
