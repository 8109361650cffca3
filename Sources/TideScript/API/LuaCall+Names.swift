import TideBindings
import TideLua

extension LuaCall {
  /// A shorter name is part of what the call is charged with.
  private static var shortName: Int { 64 }

  /// An argument that is a name, a path or an expression, whose length is looked at before it is
  /// read; `what` begins the message about a long one: "a path".
  func name(_ index: Int, _ what: String) throws -> String {
    if let count = textCount(index) {
      try TextLimit.check(bytes: count, what)
      // Itself, what it is parsed into, and what is known by it.
      if count > Self.shortName { try state.charge(3 * count) }
    }
    return try string(index)
  }
}

extension LuaValue {
  /// The text of a key that may be a name: nil for what is not UTF-8, which no name is.
  var name: String? { if case .string(let name) = self { name } else { nil } }
}
