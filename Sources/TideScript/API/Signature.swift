import TideBindings
package import TideLua

/// How a function of the API is called: its name and its parameters, as its article writes them.
///
/// ```swift
/// try method(methods, "append(...)") { call in … }
/// ```
///
/// A call with more arguments than there are parameters is refused, because somebody meant
/// something by them. Arguments that are nil may follow, as they do where a script passes on what
/// it was given.
package struct Signature: ExpressibleByStringInterpolation, Sendable {
  /// The whole: `observe(object, path, fn, options)`.
  let text: String
  package let name: String
  /// How many arguments it takes; `Int.max` where `...` stands at the end.
  package let most: Int

  package init(stringLiteral text: String) {
    self.text = text
    let bytes = text.utf8
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else {
      name = text
      most = .max
      return
    }
    name = String(text[..<open])
    let parameters = bytes[bytes.index(after: open)...].dropLast()
    if parameters.last == UInt8(ascii: ".") {
      most = .max
    } else {
      most = parameters.isEmpty ? 0 : parameters.count { $0 == UInt8(ascii: ",") } + 1
    }
  }

  /// The same, where more arguments may follow.
  var takingMore: Signature { Signature(text: text, name: name, most: .max) }

  private init(text: String, name: String, most: Int) {
    self.text = text
    self.name = name
    self.most = most
  }

  /// A function whose name a script has chosen.
  init(_ name: String, _ parameter: String) {
    text = "\(name)(\(parameter))"
    self.name = name
    most = 1
  }

  /// Refuses what stands behind the last parameter, which is at an index.
  package func refuseMore(_ call: borrowing LuaCall, from index: Int) throws(LuaError) {
    for extra in index..<max(index, call.count) where !call.isNil(extra) {
      let takes = most == 0 ? "no arguments" : most == 1 ? "one argument" : "\(most) arguments"
      throw call.badArgument(extra, "one too many: \(text) takes \(takes)")
    }
  }
}

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
