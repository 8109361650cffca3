import CTideLua
import TideBindings
import TideGraph
import TideLua

/// A computed property: calls a script's function with the object.
final class ScriptComputed: ComputedBody, LocatedBody {
  /// Replaced when a reload declares the property again.
  var function: LuaFunction
  private let object: Unmanaged<DataObject>
  private let home: Home?

  init(_ function: LuaFunction, of object: DataObject, in runtime: Runtime?) {
    self.function = function
    self.object = .passUnretained(object)
    home = runtime?.home
  }

  func isDerived(in runtime: Runtime) -> Bool { home?.runtime === runtime }

  var definition: SourceLocation? { function.location.map { SourceLocation($0) } }

  override func evaluate(_ slot: Slot) throws -> Bool {
    let isNew: Bool? = try home?.with { runtime in
      try runtime.derive {
        if _slowPath(runtime.calls.nesting > runtime.calls.nestingBeforeWaiting) {
          return try runtime.deriveWaiting(self, slot)
        }
        var argument = argument
        return try store(function.call(with: &argument), in: slot, runtime)
      }
    }
    return isNew ?? false
  }

  /// The object as the function's argument.
  var argument: TideValue {
    var argument = TideValue()
    argument.tag = UInt32(TIDE_LUA_OBJECT)
    argument.slot = object._withUnsafeGuaranteedRef { $0.header }
    return argument
  }

  /// Stores the function's result. Returns whether the value has changed.
  @inline(__always)
  func store(
    _ result: consuming LuaResult, in slot: Slot, _ runtime: Runtime
  ) throws -> Bool {
    switch Int(result.cell.tag) {
    case TIDE_LUA_INTEGER: slot.store(.integer(Int(result.cell.integer)))
    case TIDE_LUA_NUMBER: slot.store(.number(result.cell.number))
    case TIDE_LUA_BOOLEAN: slot.store(.boolean(result.cell.integer != 0))
    default: slot.store(try runtime.value(from: result.value()))
    }
  }
}
