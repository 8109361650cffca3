import CTideLua
import TideBindings
import TideGraph

extension TideValue {
  /// A value that goes into Lua as it is, without memory of its own; nil for text, and for what is no
  /// data object. An object must live as long as the call.
  init?(unboxed value: Value) {
    self.init()
    switch value {
    case .null: tag = UInt32(TIDE_LUA_NIL)
    case .boolean(let flag):
      tag = UInt32(TIDE_LUA_BOOLEAN)
      integer = flag ? 1 : 0
    case .integer(let amount):
      tag = UInt32(TIDE_LUA_INTEGER)
      integer = Int64(amount)
    case .number(let amount):
      tag = UInt32(TIDE_LUA_NUMBER)
      number = amount
    case .object(let object as DataObject):
      tag = UInt32(TIDE_LUA_OBJECT)
      slot = object.header
    case .string, .bytes, .object: return nil
    }
  }
}
