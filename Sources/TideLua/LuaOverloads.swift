/// The Swift functions that a script can call by one name; they differ in their parameters.
struct LuaOverloads {
  typealias Body = (borrowing LuaCall) throws -> Void

  /// One overload.
  private struct Candidate {
    let parameters: [any TideConvertible.Type]
    /// The type of variadic arguments at the end.
    let rest: (any TideConvertible.Type)?
    let body: Body

    /// Whether it accepts `count` arguments of a call, from an index on.
    func takes(_ call: borrowing LuaCall, from first: Int, count: Int) throws -> Bool {
      if count > parameters.count && rest == nil { return false }
      for (index, parameter) in parameters.enumerated() {
        if try !call.fits(parameter, first + index) { return false }
      }
      guard let rest, count > parameters.count else { return true }
      for index in parameters.count..<count where try !call.fits(rest, first + index) {
        return false
      }
      return true
    }

    func isLike(_ other: Candidate) -> Bool {
      parameters.count == other.parameters.count
        && zip(parameters, other.parameters).allSatisfy { $0 == $1 }
        && rest.map { ObjectIdentifier($0) } == other.rest.map { ObjectIdentifier($0) }
    }

    /// Its parameters, for error messages.
    var signature: String {
      let words = parameters.map(Self.word) + (rest.map { [Self.word($0) + "…"] } ?? [])
      return "(\(words.joined(separator: ", ")))"
    }

    private static func word(_ type: any TideConvertible.Type) -> String {
      switch type.valueType {
      case .string, .number, .integer, .boolean: type.valueType.name + (type.isNullable ? "?" : "")
      default: "\(type)"
      }
    }
  }

  private var candidates: [Candidate] = []

  /// Adds an overload. Returns false if another one has the same parameters.
  mutating func add(_ parameters: [any TideConvertible.Type], _ body: @escaping Body) -> Bool {
    let rest = (parameters.last as? any VariadicValues.Type)?.element
    let new = Candidate(
      parameters: rest == nil ? parameters : parameters.dropLast(), rest: rest, body: body)
    let isNew = !candidates.contains { $0.isLike(new) }
    candidates.append(new)
    return isNew
  }

  /// Calls the first overload that accepts the arguments.
  ///
  /// - Parameters:
  ///   - skipped: the number of leading arguments common to all overloads, such as the receiver.
  ///   - check: throws if the leading arguments are invalid.
  func body(
    named name: String, after skipped: Int, checking check: ((borrowing LuaCall) throws -> Void)?
  ) -> Body {
    if candidates.count == 1, let only = candidates.first { return only.body }
    return { [candidates] call in
      try check?(call)
      // Trailing nil arguments count as missing.
      var end = call.count
      while end > skipped, call.isNil(end - 1) { end -= 1 }
      let count = max(0, end - skipped)
      for candidate in candidates where try candidate.takes(call, from: skipped, count: count) {
        return try candidate.body(call)
      }
      let found = (skipped..<max(skipped, call.count)).map { call.typeName($0) }
      let known = candidates.map(\.signature).joined(separator: " or ")
      throw LuaError(
        .runtime, "'\(name)' takes \(known), and got (\(found.joined(separator: ", ")))")
    }
  }
}

extension LuaCall {
  /// Whether an argument converts to a type. A missing one is nil.
  ///
  /// - Throws: `LuaError` if the value cannot be read.
  fileprivate func fits(_ type: any TideConvertible.Type, _ index: Int) throws -> Bool {
    try converts(type, index)
  }

  private func converts<Argument: TideConvertible>(
    _ type: Argument.Type, _ index: Int
  ) throws -> Bool {
    do {
      _ = try Argument.fromLua(try value(index))
      return true
    } catch {
      guard ValueMismatch.reason(error) != nil else { throw error }
      return false
    }
  }
}
