// Calls with few arguments. They are inlinable, so that each is compiled for its own types by the
// module that calls, and numbers, flags and short texts cross without a conversion in between.

public import TideValues

extension LuaFunction {
  /// Calls it and converts its first result. See `call(_:as:)`.
  ///
  /// - Throws: `LuaError`, also for a result that does not fit.
  @inlinable
  public func call<Result: TideConvertible>(as type: Result.Type) throws -> Result {
    var arguments = DirectArguments()
    return try read(&arguments, as: type)
  }

  /// Calls it with a Swift value and converts its first result.
  ///
  /// ```swift
  /// let upper = try state.evaluate("string.upper", as: LuaFunction.self)
  /// try upper.call("pear", as: String.self)   // "PEAR"
  /// ```
  ///
  /// - Throws: `LuaError`, also for an argument that Lua has no value for and for a result that
  ///   does not fit: "bad result #1 (string expected, got nil)".
  @inlinable
  public func call<Argument: TideConvertible, Result: TideConvertible>(
    _ argument: Argument, as type: Result.Type
  ) throws -> Result {
    var arguments = DirectArguments()
    guard try arguments.take(argument, 1) else {
      return try firstResult(of: argument, as: type)
    }
    return try read(&arguments, as: type)
  }

  /// Calls it with two Swift values and converts its first result.
  ///
  /// - Throws: `LuaError`, also for an argument that Lua has no value for and for a result that
  ///   does not fit.
  @inlinable
  public func call<First: TideConvertible, Second: TideConvertible, Result: TideConvertible>(
    _ first: First, _ second: Second, as type: Result.Type
  ) throws -> Result {
    var arguments = DirectArguments()
    guard try arguments.take(first, 1), try arguments.take(second, 2) else {
      return try firstResult(of: first, second, as: type)
    }
    return try read(&arguments, as: type)
  }
}

extension DirectArguments {
  /// Adds an argument; false where there is no room, or where copying it is not enough.
  @inlinable
  mutating func take<Argument: TideConvertible>(
    _ argument: Argument, _ number: Int
  ) throws -> Bool {
    if Argument.self == Double.self { return add(unsafeBitCast(argument, to: Double.self)) }
    if Argument.self == Int.self { return add(unsafeBitCast(argument, to: Int.self)) }
    if Argument.self == Bool.self { return add(unsafeBitCast(argument, to: Bool.self)) }
    if Argument.self == String.self { return add(unsafeBitCast(argument, to: String.self)) }
    return try add(converting: argument, number)
  }
}

extension LuaFunction {
  /// Calls it with arguments and converts its first result.
  @inlinable
  func read<Result: TideConvertible>(
    _ arguments: inout DirectArguments, as type: Result.Type
  ) throws -> Result {
    let scalar = try scalar(of: &arguments)
    switch scalar {
    case .number(let number) where type == Double.self: return unsafeBitCast(number, to: type)
    case .integer(let integer) where type == Int.self: return unsafeBitCast(integer, to: type)
    case .flag(let flag) where type == Bool.self: return unsafeBitCast(flag, to: type)
    default:
      if let value = scalar.value { return try DirectResult(plain: value).converted() }
      return try rest(of: &arguments).read(as: type)
    }
  }
}

extension DirectResult {
  /// The result as a Swift value.
  @inlinable
  func read<Result: TideConvertible>(as type: Result.Type) throws -> Result {
    if type == String.self, case .string(let text) = plain { return unsafeBitCast(text, to: type) }
    return try converted()
  }
}
