// Calls with few arguments. They are inlinable, so that the calling module specializes them and
// passes numbers, booleans and short strings without conversion.

public import TideValues

extension LuaFunction {
  /// Calls the function and converts its first result. See `call(_:as:)`.
  ///
  /// - Throws: `LuaError`, also if the result does not fit.
  @inlinable
  public func call<Result: TideConvertible>(as type: Result.Type) throws -> Result {
    var arguments = DirectArguments()
    return try read(&arguments, as: type)
  }

  /// Calls the function with a Swift value and converts its first result.
  ///
  /// ```swift
  /// let upper = try state.evaluate("string.upper", as: LuaFunction.self)
  /// try upper.call("pear", as: String.self)   // "PEAR"
  /// ```
  ///
  /// - Throws: `LuaError`, also if Lua cannot represent the argument, or if the result does not
  ///   fit: "bad result #1 (string expected, got nil)".
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

  /// Calls the function with two Swift values and converts its first result.
  ///
  /// - Throws: `LuaError`, also if Lua cannot represent an argument, or if the result does not fit.
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
  /// Adds an argument. Returns false if there is no room, or if it cannot be passed by copying.
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
  /// Calls the function with the arguments and converts its first result.
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
