// Calling methods of a script's objects by name.

extension LuaTable {
  /// Calls a method by name, like `table:name(…)`, and converts its first result.
  ///
  /// ```swift
  /// let source = "{ total = 5, add = function(self, n) return self.total + n end }"
  /// let cart = try state.evaluate(source, as: LuaTable.self)
  /// let sum = try cart.call(method: "add", 2, as: Int.self)   // 7
  /// ```
  ///
  /// - Throws: `LuaError`, also if there is no such method, or if the result does not fit.
  public func call<each Argument: TideConvertible, Result: TideConvertible>(
    method name: String, _ arguments: repeat each Argument, as type: Result.Type
  ) throws -> Result {
    try open().call(method: name, of: self, repeat each arguments, as: type)
  }

  /// Calls a method by name and converts its results to a tuple, which may be empty.
  ///
  /// - Throws: `LuaError`, also if there is no such method, or if a result does not fit.
  @_disfavoredOverload
  public func call<each Argument: TideConvertible, each Result: TideConvertible>(
    method name: String, _ arguments: repeat each Argument, as type: (repeat each Result).Type
  ) throws -> (repeat each Result) {
    try open().call(method: name, of: self, repeat each arguments, as: type)
  }
}

extension LuaUserdata {
  /// Calls a method by name, like `object:name(…)`, and converts its first result. See
  /// `LuaTable.call(method:_:as:)`.
  ///
  /// - Throws: `LuaError`, also if there is no such method, or if the result does not fit.
  public func call<each Argument: TideConvertible, Result: TideConvertible>(
    method name: String, _ arguments: repeat each Argument, as type: Result.Type
  ) throws -> Result {
    try open().call(method: name, of: self, repeat each arguments, as: type)
  }

  /// Calls a method by name and converts its results to a tuple, which may be empty.
  ///
  /// - Throws: `LuaError`, also if there is no such method, or if a result does not fit.
  @_disfavoredOverload
  public func call<each Argument: TideConvertible, each Result: TideConvertible>(
    method name: String, _ arguments: repeat each Argument, as type: (repeat each Result).Type
  ) throws -> (repeat each Result) {
    try open().call(method: name, of: self, repeat each arguments, as: type)
  }
}

extension LuaState {
  /// Calls a method of an object by name, like `object:name(…)`, and converts its first result. The
  /// object is a table, or any value that scripts see as an object.
  ///
  /// ```swift
  /// let player = try state.globals["player"]
  /// let health = try state.call(method: "hit", of: player, 3, as: Int.self)
  /// ```
  ///
  /// - Throws: `LuaError`, also if there is no such method, or if the result does not fit.
  public func call<
    Receiver: TideConvertible, each Argument: TideConvertible, Result: TideConvertible
  >(
    method name: String, of receiver: Receiver, _ arguments: repeat each Argument,
    as type: Result.Type
  ) throws -> Result {
    let values = try values(calling: receiver, repeat each arguments)
    return try method(name, of: values[0]).call(values).converted(at: 0)
  }

  /// Calls a method of an object by name and converts its results to a tuple, which may be empty.
  ///
  /// - Throws: `LuaError`, also if there is no such method, or if a result does not fit.
  @_disfavoredOverload
  public func call<
    Receiver: TideConvertible, each Argument: TideConvertible, each Result: TideConvertible
  >(
    method name: String, of receiver: Receiver, _ arguments: repeat each Argument,
    as type: (repeat each Result).Type
  ) throws -> (repeat each Result) {
    let values = try values(calling: receiver, repeat each arguments)
    return try method(name, of: values[0]).call(values).converted()
  }

  /// The receiver and the arguments; error messages count arguments after the receiver.
  private func values<Receiver: TideConvertible, each Argument: TideConvertible>(
    calling receiver: Receiver, _ arguments: repeat each Argument
  ) throws -> [LuaValue] {
    let object: LuaValue
    do { object = try receiver.toLua(in: self) } catch let error as ValueMismatch {
      throw LuaError(.runtime, "bad receiver (\(error))")
    }
    return [object] + (try lower(repeat each arguments))
  }

  private func method(_ name: String, of receiver: LuaValue) throws(LuaError) -> LuaFunction {
    let found: LuaValue
    switch receiver {
    case .table(let table): found = try table[.string(name)]
    case .userdata, .object, .string, .bytes:
      let reader: LuaFunction
      if let known = memberReader {
        reader = known
      } else {
        let source = "local object, name = ... return object[name]"
        reader = try load(source, name: Self.ownChunk("method"))
        memberReader = reader
      }
      found = try reader.call([receiver, .string(name)]).first ?? .nil
    default:
      throw LuaError(.runtime, "a \(receiver.typeName) has no method '\(name)'")
    }
    guard case .function(let method) = found else {
      throw LuaError(
        .runtime, "the \(receiver.typeName) has no method '\(name)' (a \(found.typeName) value)")
    }
    return method
  }
}
