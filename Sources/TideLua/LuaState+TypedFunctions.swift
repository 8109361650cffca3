extension LuaState {
  /// Makes a Lua function from a Swift function with typed arguments and one result.
  ///
  /// ```swift
  /// let half = try state.function(named: "half") { (n: Int) in n / 2 }
  /// ```
  ///
  /// An argument that does not fit raises an error in Lua's wording, "bad argument #1 to 'half'
  /// (number expected, got nil)"; extra arguments are ignored. Errors thrown by the body are
  /// handled as for other functions.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func function<each Argument: TideConvertible, Result: TideConvertible>(
    named name: String, _ body: @escaping (repeat each Argument) throws -> Result
  ) throws(LuaError) -> LuaFunction {
    try function(named: name) { (call: borrowing LuaCall) in
      var index = 0
      try call.return(converting: body(repeat call.next((each Argument).self, &index)), 1)
    }
  }

  /// Makes a Lua function from a Swift function with typed arguments and several results, or none.
  ///
  /// ```swift
  /// let divide = try state.function(named: "divide") { (a: Int, b: Int) in (a / b, a % b) }
  /// ```
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @_disfavoredOverload
  public func function<each Argument: TideConvertible, each Result: TideConvertible>(
    named name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) throws(LuaError) -> LuaFunction {
    try function(named: name) { (call: borrowing LuaCall) in
      var index = 0
      let results = try body(repeat call.next((each Argument).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// Registers a Swift function with typed arguments and one result as a global.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> Result
  ) throws(LuaError) {
    try register(name, function(named: name, body))
  }

  /// Registers a Swift function with typed arguments and several results, or none, as a global.
  ///
  /// - Throws: `LuaError` if Lua itself defines the name, memory is exhausted, or the state closed.
  @_disfavoredOverload
  public func register<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) throws(LuaError) {
    try register(name, function(named: name, body))
  }
}

extension LuaCall {
  /// The argument as a Swift value; a missing argument is nil.
  ///
  /// - Throws: `LuaError` in Lua's wording if it does not fit.
  public func argument<Value: TideConvertible>(
    _ index: Int, as type: Value.Type = Value.self
  ) throws -> Value {
    do { return try converted(index, as: Value.self) } catch {
      guard let reason = ValueMismatch.reason(error, of: typeName(index)) else { throw error }
      throw badArgument(index, reason)
    }
  }

  /// The next argument, as from `argument`, or all remaining ones for a variadic type.
  package func next<Value: TideConvertible>(
    _ type: Value.Type, _ index: inout Int
  ) throws -> Value {
    defer { index += 1 }
    // Checked first, because few types are lists, and the cast is slower than most conversions.
    if Value.valueType == .list, let variadic = Value.self as? any VariadicValues.Type,
      let rest = try variadic.init(reading: self, from: index) as? Value
    {
      index = max(index, count)
      return rest
    }
    return try argument(index)
  }

  /// Adds several results.
  ///
  /// - Throws: `LuaError` if Lua cannot represent a result: "bad result #1 of 'f' (…)".
  package func `return`<each Value: TideConvertible>(converting values: repeat each Value) throws {
    var number = 0
    for value in repeat each values {
      number += 1
      try self.return(converting: value, number)
    }
  }

  /// Adds a result; its number is used in error messages.
  package func `return`<Value: TideConvertible>(converting value: Value, _ number: Int) throws {
    if Value.valueType == .list, let values = value as? any VariadicValues {
      return try values.add(to: self)
    }
    do {
      // A released object of a script is nil in Lua, but cannot be represented as a `Value`.
      if Value.self == LuaValue.self { return self.return(try value.toLua(in: state)) }
      try addResult(try value.toValue())
    } catch let error as ValueMismatch {
      let function = name.map { " of '\($0)'" } ?? ""
      throw LuaError(.runtime, "bad result #\(number)\(function) (\(error))")
    }
  }
}

extension LuaState {
  /// Converts the results of an asynchronous function to Lua values.
  ///
  /// - Throws: `LuaError` if Lua cannot represent a result: "bad result #1 of 'f' (…)".
  package func lowerResults<each Value: TideConvertible>(
    of function: String, _ values: repeat each Value
  ) throws -> [LuaValue] {
    var results: [LuaValue] = []
    for value in repeat each values {
      do {
        if let values = value as? any VariadicValues {
          try values.add(to: &results, in: self)
        } else {
          results.append(try value.toLua(in: self))
        }
      } catch let error as ValueMismatch {
        throw LuaError(.runtime, "bad result #\(results.count + 1) of '\(function)' (\(error))")
      }
    }
    return results
  }
}
