import TideBindings
import TideLua

extension DictionaryKey {
  /// The key that a script gives; nil for what is no string.
  init?(_ value: LuaValue) {
    switch value {
    case .string(let text): self = .text(text)
    case .bytes(let bytes): self = .bytes(bytes)
    default: return nil
    }
  }

  var luaValue: LuaValue {
    switch self {
    case .text(let text): .string(text)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}
