/// What a script can call by one name: Swift functions that differ in their arguments.
struct LuaOverloads {
  typealias Body = (borrowing LuaCall) throws -> Void

  /// One of them.
  private struct Candidate {
    let parameters: [any TideConvertible.Type]
    /// The type of any number of further arguments.
    let rest: (any TideConvertible.Type)?
    let body: Body

    /// Whether it takes a call's arguments from an index on, of which there are `count`.
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

    /// What it takes, as an error writes it.
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

  /// Adds one; false where another one takes the same arguments.
  mutating func add(_ parameters: [any TideConvertible.Type], _ body: @escaping Body) -> Bool {
    let rest = (parameters.last as? any VariadicValues.Type)?.element
    let new = Candidate(
      parameters: rest == nil ? parameters : parameters.dropLast(), rest: rest, body: body)
    let isNew = !candidates.contains { $0.isLike(new) }
    candidates.append(new)
    return isNew
  }

  /// Calls the first one that takes the arguments.
  ///
  /// - Parameters:
  ///   - skipped: how many arguments all of them take, such as the receiver.
  ///   - check: throws where those will not do.
  func body(
    named name: String, after skipped: Int, checking check: ((borrowing LuaCall) throws -> Void)?
  ) -> Body {
    if candidates.count == 1, let only = candidates.first { return only.body }
    return { [candidates] call in
      try check?(call)
      // A nil at the end is as good as none.
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
  /// - Throws: `LuaError` where the value cannot be read at all.
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
