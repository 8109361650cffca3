import TideBindings
import TideLua

/// A script's function that is called when something happens: a handler, a timer's, an observer of
/// notifications.
///
/// What it fails with stays listed until a call goes well, or its module is reloaded.
final class CallSite {
  let function: LuaFunction
  /// Where it was registered.
  let context: BindingContext
  /// What the latest call has failed with.
  private var failure: TideError?

  init(_ function: LuaFunction, in context: BindingContext) {
    self.function = function
    self.context = context
  }

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
  /// Calls a function in the context in which it was registered, where it may wait; gives its results,
  /// or nil when it waits or fails. What it raises is listed.
  @discardableResult
  func call(
    _ site: CallSite, _ arguments: () throws -> [LuaValue] = { [] }
  ) -> [LuaValue]? {
    do {
      switch try begin(site.function, arguments(), in: site.context) {
      case .finished(let results):
        site.succeed(in: self)
        return results
      case .waiting(let task): task.site = site
      }
    } catch {
      site.fail(error, in: self)
    }
    return nil
  }
}
