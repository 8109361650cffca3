import TideBindings
package import TideLua

/// The signature of an API function: its name and parameters, as in its article.
///
/// ```swift
/// try method(methods, "append(...)") { call in … }
/// ```
///
/// A call with more arguments than parameters is refused, since extra arguments are a mistake.
/// Extra nil arguments are allowed, because scripts may pass on optional arguments.
package struct Signature: ExpressibleByStringInterpolation, Sendable {
  /// The full text: `observe(object, path, fn, options)`.
  let text: String
  package let name: String
  /// The most arguments; `Int.max` if the last parameter is `...`.
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

  /// The same signature, but with any number of further arguments.
  var takingMore: Signature { Signature(text: text, name: name, most: .max) }

  private init(text: String, name: String, most: Int) {
    self.text = text
    self.name = name
    self.most = most
  }

  /// The signature of a function whose name a script has chosen.
  init(_ name: String, _ parameter: String) {
    text = "\(name)(\(parameter))"
    self.name = name
    most = 1
  }

  /// Throws for arguments after the last parameter, from an index on.
  package func refuseMore(_ call: borrowing LuaCall, from index: Int) throws(LuaError) {
    for extra in index..<max(index, call.count) where !call.isNil(extra) {
      let takes = most == 0 ? "no arguments" : most == 1 ? "one argument" : "\(most) arguments"
      throw call.badArgument(extra, "one too many: \(text) takes \(takes)")
    }
  }
}

extension LuaCall {
  /// The longest name that the call's own charge covers.
  private static var shortName: Int { 64 }

  /// An argument that is a name, a path or an expression. Its length is checked before it is read;
  /// `what`, such as "a path", begins the error for a text that is too long.
  func name(_ index: Int, _ what: String) throws -> String {
    if let count = textCount(index) {
      try TextLimit.check(bytes: count, what)
      // Charges the text, its parsed form, and its entries in tables.
      if count > Self.shortName { try state.charge(3 * count) }
    }
    return try string(index)
  }
}

extension LuaValue {
  /// The text of a key; nil unless it is valid UTF-8.
  var name: String? { if case .string(let name) = self { name } else { nil } }
}
