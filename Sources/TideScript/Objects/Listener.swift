import CTideLua
import TideBindings
import TideGraph
import TideLua

/// A script's function that observes a property.
///
/// The interpreter calls simple listeners without the graph. All others are called here, with as
/// many arguments as the function has parameters: the new value, the old value, and a table about
/// the change.
final class Listener: ObserverBody, LocatedBody {
  private let function: LuaFunction
  private let home: BindingContext
  private let path: String
  private let parameters: Int
  // An observer ends with its runtime's contexts.
  private unowned(unsafe) let runtime: Runtime

  init(_ function: LuaFunction, of path: String, in runtime: Runtime) {
    self.function = function
    self.path = path
    self.runtime = runtime
    home = runtime.context
    parameters = function.parameterCount
    super.init()
    listener = runtime.lua.addListener(function, context: home)
  }

  deinit { function.state?.removeListener(listener) }

  var definition: SourceLocation? { function.location.map { SourceLocation($0) } }

  override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
    try runtime.table.with(home) {
      try runtime.perform {
        if parameters < 3, let old = TideValue(unboxed: old) {
          try send(source, old)
        } else {
          let change = try runtime.lua.table(["path": .string(path)])
          try function.call([runtime.luaValue(new), runtime.luaValue(old), .table(change)])
        }
      }
    }
  }

  /// Calls the function with the slot's value, which may be a text that Lua already has.
  private func send(_ source: Slot, _ old: TideValue) throws(LuaError) {
    var arguments = (TideValue(slot: source), old)
    var failure: LuaError?
    withUnsafeBytes(of: &arguments) { bytes in
      let values = bytes.assumingMemoryBound(to: TideValue.self)
      do throws(LuaError) {
        try function.send(UnsafeBufferPointer(rebasing: values.prefix(max(parameters, 1))))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }
}
