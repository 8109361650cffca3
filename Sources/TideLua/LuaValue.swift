import TideValues

/// A value of the Lua language, as Swift holds it.
///
/// ```swift
/// let results = try state.run("return 1, 'two', { 3 }", name: "=example")
/// results[0] == .integer(1)   // true
/// ```
///
/// Tables, functions and coroutines are owning references to what lives in the interpreter; they
/// may be dropped on any thread. Text that is not UTF-8 comes as `bytes`, nothing lost.
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
  /// Text that is not UTF-8.
  case bytes([UInt8])
  /// A table, held as long as this value.
  case table(LuaTable)
  /// A function, held as long as this value.
  case function(LuaFunction)
  /// A coroutine, held as long as this value.
  case thread(LuaThread)
  /// A data object of the engine.
  case object(LuaObject)
  /// Any other userdata, among them those that stand for Swift objects.
  case userdata(LuaUserdata)
}

extension LuaValue {
  /// Whether it is nil.
  public var isNil: Bool {
    if case .nil = self { true } else { false }
  }

  /// What counts as true in a condition: everything but nil and false.
  public var isTruthy: Bool {
    switch self {
    case .nil: false
    case .boolean(let flag): flag
    default: true
    }
  }

  /// The amount of an integer or a number.
  public var number: Double? {
    switch self {
    case .number(let number): number
    case .integer(let integer): Double(integer)
    default: nil
    }
  }

  /// The amount of an integer, or of a number without a fraction.
  public var integer: Int? {
    switch self {
    case .integer(let integer): integer
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The text, repaired where it is not UTF-8: as much of it as the running turn has time and
  /// memory for.
  public var string: String? {
    switch self {
    case .string(let string): string
    case .bytes(let bytes): bytes.withUnsafeBytes { .repaired($0) }
    default: nil
    }
  }

  /// The flag, of a boolean only.
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

  /// Lua's word for this kind of value.
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
  /// Makes an integer.
  public init(integerLiteral value: Int) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }
  /// Makes nil.
  public init(nilLiteral: ()) { self = .nil }
}
