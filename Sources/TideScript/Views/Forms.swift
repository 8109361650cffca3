import TideBindings
import TideLua
import TideViews

extension Runtime {
  /// Methods of forms. `submit()` returns whether all input was valid; `reset()` discards input
  /// that is not in the model.
  func addFormMethods(to methods: LuaTable) throws {
    try method(methods, "submit()") { [unowned self] call in
      call.return(try form(call, "submitted").submit())
    }
    try method(methods, "reset()") { [unowned self] call in try form(call, "reset").reset() }
  }

  private func form(_ call: borrowing LuaCall, _ done: String) throws -> FormView {
    let view = try view(call, 0)
    if let form = view as? FormView { return form }
    throw TideError(
      .badArgument, "only forms are \(done), and this is \(view.viewClass.name.withArticle)")
  }
}
