import TideBindings
package import TideLua

/// The options of a call. Each name in the table has to be known, and each value has to be of the
/// expected kind.
///
/// ```swift
/// let options = try CallOptions(call, 3, of: "observe", ["initial", "prior"])
/// let initial = try options.flag("initial") ?? false
/// ```
///
/// Every function with options reads them through this type. An unknown name is refused with the
/// nearest known one, and a value of a wrong type with the expected type.
package struct CallOptions {
  private let table: LuaTable?
  private let what: String

  /// The options in an optional argument.
  package init(
    _ call: borrowing LuaCall, _ index: Int, of what: String, _ names: [String]
  ) throws {
    try self.init(call.isNil(index) ? nil : call.table(index), of: what, names)
  }

  /// The options of a function that ``Runtime/optionsOfFunctions`` lists.
  init(_ call: borrowing LuaCall, of function: String) throws {
    let index = Runtime.optionsOfFunctions[function]?.argument ?? 0
    try self.init(call.isNil(index) ? nil : call.table(index), of: function)
  }

  init(_ table: LuaTable?, of function: String) throws {
    try self.init(table, of: function, Runtime.optionsOfFunctions[function]?.names ?? [])
  }

  init(_ table: LuaTable?, of what: String, _ names: [String]) throws {
    self.table = table
    self.what = what
    for (key, _) in try table?.entries() ?? [] {
      _ = try Self.name(key, of: what, names)
    }
  }

  /// The name of an option. Throws for an unknown one.
  static func name(
    _ key: LuaValue, of what: String, _ names: [String]
  ) throws(TideError) -> String {
    if case .string(let name) = key, names.contains(name) { return name }
    let hint = NearestName.hintOrNames(for: key.name ?? "", in: names)
    throw TideError(.badArgument, "\(what) has no option \(key.preview)\(hint)")
  }

  /// The error for an option with a wrong value.
  static func wrong(
    _ name: String, of what: String, _ expected: String, _ value: LuaValue
  ) -> TideError {
    TideError(
      .badArgument, "the option \"\(name)\" of \(what) is \(expected), not \(value.preview)")
  }

  /// The value of an option, nil when it is not given.
  func value(_ name: String) throws -> LuaValue { try table?[.string(name)] ?? .nil }

  /// Reads an option; nil if it is not given.
  func read<Content>(
    _ name: String, as expected: String, _ read: (LuaValue) throws -> Content?
  ) throws -> Content? {
    let value = try value(name)
    if value.isNil { return nil }
    if let content = try read(value) { return content }
    throw Self.wrong(name, of: what, expected, value)
  }

  package func flag(_ name: String) throws -> Bool? {
    try read(name, as: "true or false") { $0.boolean }
  }

  package func text(_ name: String) throws -> String? {
    try read(name, as: "a string") { value in
      if case .string(let text) = value { text } else { nil }
    }
  }

  func integer(_ name: String) throws -> Int? {
    try read(name, as: "a whole number") { value in
      switch value {
      case .integer(let integer): integer
      case .number(let number): Int(exactly: number)
      default: nil
      }
    }
  }

  func function(_ name: String) throws -> LuaFunction? {
    try read(name, as: "a function") { $0.function }
  }

  /// An option that is one of several words.
  func word(_ name: String, among words: [String]) throws -> String? {
    let expected = words.map { "\"\($0)\"" }.joined(separator: " or ")
    return try read(name, as: expected) { value in
      if case .string(let word) = value, words.contains(word) { word } else { nil }
    }
  }
}

extension Runtime {
  /// The options of functions that are also checked before a script runs: the index of their
  /// argument, from 0, and their names.
  package static let optionsOfFunctions: [String: (argument: Int, names: [String])] = [
    "resource": (1, fetching + ["initial", "every", "when", "keep", "key"]),
    "stream": (1, fetching + ["limit", "when"]),
    "ask": (0, question),
    "ask.text": (0, question + ["value", "placeholder", "secure"]),
    "ask.choice": (0, question + ["items", "selectedIndex"]),
    "undo.manager": (0, ["limit", "name", "of"]),
    "json.encode": (1, ["indent", "sort"]),
    "stdin.lines": (0, ["limit", "name"]),
    "feed": (0, ["fetch", "page"]),
    "errors": (0, ["editing"]),
    "http.request": (0, HTTPCall.optionNames + ["method", "url"]),
    "http.get": (1, HTTPCall.optionNames), "http.put": (1, HTTPCall.optionNames),
    "http.post": (1, HTTPCall.optionNames), "http.patch": (1, HTTPCall.optionNames),
    "http.delete": (1, HTTPCall.optionNames),
    "http.lines": (1, HTTPCall.optionNames + ["limit", "method", "name"]),
  ]

  private static let fetching = ["name", "timeout", "retry"]
  private static let question = ["title", "text", "buttons", "default"]
}
