import TideValues

/// A Lua value in Swift.
///
/// ```swift
/// let results = try state.run("return 1, 'two', { 3 }", name: "=example")
/// results[0] == .integer(1)   // true
/// ```
///
/// Tables, functions and coroutines are owning references to Lua objects; they may be released on
/// any thread. A string that is not UTF-8 is represented as `bytes`, without loss.
public enum LuaValue {
  /// No value.
  case `nil`
  /// True or false.
  case boolean(Bool)
  /// A number of Lua's subtype integer.
  case integer(Int)
  /// A number of Lua's subtype float.
  case number(Double)
  /// A string that is UTF-8.
  case string(String)
  /// A string that is not UTF-8.
  case bytes([UInt8])
  /// A table, retained by this value.
  case table(LuaTable)
  /// A function, retained by this value.
  case function(LuaFunction)
  /// A coroutine, retained by this value.
  case thread(LuaThread)
  /// A data object of the engine.
  case object(LuaObject)
  /// Any other userdata, including those that represent Swift objects.
  case userdata(LuaUserdata)
}

extension LuaValue {
  /// Whether it is nil.
  public var isNil: Bool {
    if case .nil = self { true } else { false }
  }

  /// The truth value in a condition: false for nil and false only.
  public var isTruthy: Bool {
    switch self {
    case .nil: false
    case .boolean(let flag): flag
    default: true
    }
  }

  /// The value of an integer or float.
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  /// The value of an integer, or of a float without a fraction.
  public var integer: Int? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The string, repaired if it is not UTF-8. Truncated if the repair exceeds the turn's budget.
  public var string: String? {
    switch self {
    case .string(let string): string
    case .bytes(let bytes): bytes.withUnsafeBytes { .repaired($0) }
    default: nil
    }
  }

  /// The boolean value; nil for other types.
  public var boolean: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  /// The table, if it is one.
  public var table: LuaTable? {
    if case .table(let table) = self { table } else { nil }
  }

  /// The function, if it is one.
  public var function: LuaFunction? {
    if case .function(let function) = self { function } else { nil }
  }

  /// The coroutine, if it is one.
  public var thread: LuaThread? {
    if case .thread(let thread) = self { thread } else { nil }
  }

  /// The data object, if it is one.
  public var object: LuaObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The userdata, if it is one.
  public var userdata: LuaUserdata? {
    if case .userdata(let userdata) = self { userdata } else { nil }
  }

  /// Lua's name of the type.
  public var typeName: String {
    switch self {
    case .nil: "nil"
    case .boolean: "boolean"
    case .integer, .number: "number"
    case .string, .bytes: "string"
    case .table: "table"
    case .function: "function"
    case .thread: "thread"
    case .object, .userdata: "userdata"
    }
  }
}

extension LuaValue: Equatable {
  /// Compares as Lua's raw equality does.
  public static func == (left: LuaValue, right: LuaValue) -> Bool {
    switch (left, right) {
    case (.nil, .nil): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.integer(let a), .number(let b)), (.number(let b), .integer(let a)):
      b == Double(a) && Int(exactly: b) == a
    case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.table(let a), .table(let b)): a == b
    case (.function(let a), .function(let b)): a == b
    case (.thread(let a), .thread(let b)): a == b
    case (.userdata(let a), .userdata(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    default: false
    }
  }
}

extension LuaValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Creates an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Creates a float.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Creates a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Creates nil.
  public init(nilLiteral: ()) { self = .nil }
}
