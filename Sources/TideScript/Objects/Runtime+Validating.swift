import TideBindings
import TideGraph
import TideLua

// Validators of scripts: what they give is written, nil and a message refuse. Anything else is a mistake
// of the script's, whoever has entered the value.
extension Runtime {
  /// Asks the validator of a property.
  ///
  /// - Parameter admit: throws where the property cannot hold what the validator gave.
  func validate(
    _ value: Value, for object: DataObject, _ name: String, by function: LuaFunction,
    admit: (Value) throws -> Value
  ) throws -> Value {
    let results = try perform {
      try function.call([luaValue(.object(object)), luaValue(value)])
    }
    let validator = "the validator of \(object.label).\(name)"
    let verdict = try verdict(
      results, on: value, of: function, called: validator,
      refusing: "\(object.label).\(name) refuses \(value.literal)")
    do {
      return try admit(verdict)
    } catch {
      let reason = (error as? TideError)?.message ?? "\(error)"
      throw misuse(of: function, "\(validator) gave what it cannot hold: \(reason)")
    }
  }

  /// What a binding's option `validate` does.
  func judge(_ function: LuaFunction) -> (Value) throws -> Value {
    { [home] value in
      let runtime = try home.requireRuntime()
      let results = try runtime.perform { try function.call([runtime.luaValue(value)]) }
      return try runtime.verdict(
        results, on: value, of: function, called: "the binding's validator",
        refusing: "the binding's validator refuses \(value.literal)")
    }
  }

  /// Reads what a validator has returned.
  private func verdict(
    _ results: [LuaValue], on value: Value, of function: LuaFunction, called validator: String,
    refusing refusal: String
  ) throws -> Value {
    guard let first = results.first else {
      throw misuse(
        of: function, "\(validator) returned nothing; return the value, or nil and a message")
    }
    let second = results.dropFirst().first ?? .nil
    if case .boolean(let flag) = first {
      // Only of what is true or false itself can that be the value.
      if case .boolean = value, second.isNil { return .boolean(flag) }
      let more = second.isNil ? "" : ", \(second.preview)"
      throw misuse(
        of: function,
        "\(validator) returned \(flag)\(more) for \(value.literal); return the value, or nil and a message"
      )
    }
    if !first.isNil { return try self.value(from: first) }
    if let message = second.string { throw TideError(.refused, message) }
    guard second.isNil else {
      throw misuse(
        of: function, "\(validator) returned nil and \(second.preview), where the message is a text"
      )
    }
    if value == .null { return value }
    throw TideError(.refused, refusal, cause: WordlessRefusal())
  }

  private func misuse(of function: LuaFunction, _ message: String) -> TideError {
    TideError(
      .scriptError, message, location: function.location.map { SourceLocation($0) })
  }
}
