import CTideLua
import TideBindings
import TideGraph
import TideLua

/// Derives a property by calling a script's function with the object.
final class ScriptComputed: ComputedBody, LocatedBody {
  /// Another one when the property was declared anew.
  var function: LuaFunction
  private unowned(unsafe) let object: DataObject
  private let home: Home?

  init(_ function: LuaFunction, of object: DataObject, in runtime: Runtime?) {
    self.function = function
    self.object = object
    home = runtime?.home
  }

  func isDerived(in runtime: Runtime) -> Bool { home?.runtime === runtime }

  var definition: SourceLocation? { function.location.map { SourceLocation($0) } }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let runtime = home?.runtime else { return false }
    return try runtime.derive {
      if _slowPath(runtime.calls.nesting > runtime.calls.nestingBeforeWaiting) {
        return try runtime.deriveWaiting(self, slot)
      }
      var argument = argument
      return try store(function.call(with: &argument), in: slot, runtime)
    }
  }

  /// The object, as the function gets it.
  var argument: TideValue {
    var argument = TideValue()
    argument.tag = UInt32(TIDE_LUA_OBJECT)
    argument.slot = object.header
    return argument
  }

  /// Stores what the function gave: whether that differs from what was there.
  @inline(__always)
  func store(
    _ result: consuming LuaResult, in slot: Slot, _ runtime: Runtime
  ) throws -> Bool {
    if let changed = result.store(in: slot) { return changed }
    return slot.store(try runtime.value(from: result.value()))
  }
}
