import CTideLua
import TideBindings
import TideGraph
import TideLua

/// Derives a property by calling a script's function with the object.
final class ScriptComputed: ComputedBody, PlacedBody {
  /// Another one when the property was declared anew.
  var function: LuaFunction
  private unowned(unsafe) let object: DataObject
  private let home: Home?

  init(_ function: LuaFunction, of object: DataObject, in runtime: Runtime?) {
    self.function = function
    self.object = object
    home = runtime?.home
  }

  var definition: SourceLocation? { function.location.map { SourceLocation($0) } }

  override func evaluate(_ slot: Slot) throws -> Bool {
    guard let runtime = home?.runtime else { return false }
    return try runtime.derive {
      var argument = TideValue()
      argument.tag = UInt32(TIDE_LUA_OBJECT)
      argument.slot = object.header
      let result = try function.call(with: &argument)
      if let changed = result.store(in: slot) { return changed }
      return slot.store(try runtime.value(from: result.value()))
    }
  }
}
