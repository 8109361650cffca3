import TideBindings
import TideGraph
public import TideLua

// Calls of script functions by name, from the host.

extension Runtime {
  /// Calls a function of the scripts that may wait, and converts its first result.
  ///
  /// ```swift
  /// let total = try await runtime.call("shop.total", basket, 7, as: Double.self)
  /// ```
  ///
  /// The name is that of a function in a module, such as `shop.total` or `shop.prices.total`, in
  /// the table that the main script returns, or of a global. A module that is not loaded is
  /// required. The name is looked up at each call, so that a call after a reload uses the new
  /// version.
  ///
  /// Arguments are passed as values and never become code. While the function waits, this suspends
  /// and its actor is free; the rest of the runtime continues, including other calls. Call it on
  /// the runtime's actor; it stays there. When the calling task is cancelled, the function is
  /// interrupted, or its wait is cancelled.
  ///
  /// - Parameters:
  ///   - name: the path of the function.
  ///   - arguments: any number of values.
  ///   - type: what the first result becomes.
  ///   - budget: the budget of each stretch between two waits; nil for the runtime's limits.
  /// - Throws: `TideError`: `unresolvedName` for an unknown function, `wrongType` for an argument
  ///   or a result that does not fit, `async` when nothing can resume the function, `graph` on
  ///   another actor or thread, and errors that the function raises; `CancellationError`.
  @discardableResult
  nonisolated(nonsending) public func call<
    each Argument: TideConvertible, Result: TideConvertible
  >(
    _ name: String, _ arguments: repeat each Argument, as type: Result.Type,
    budget: LuaBudget? = nil
  ) async throws -> Result {
    let call = NamedCall(name)
    let results = try await results(of: call, budget) { try lua.lower(repeat each arguments) }
    return try call.converting { try results.converted(at: 0) }
  }

  /// Calls a function of the scripts that may wait, and converts one result for each element of the
  /// tuple.
  ///
  /// ```swift
  /// let (rest, isPaid) = try await runtime.call("shop.pay", 20, as: (Double, Bool).self)
  /// ```
  ///
  /// - Throws: the errors of `call(_:_:as:budget:)` for one result.
  @_disfavoredOverload
  @discardableResult
  nonisolated(nonsending) public func call<
    each Argument: TideConvertible, each Result: TideConvertible
  >(
    _ name: String, _ arguments: repeat each Argument, as type: (repeat each Result).Type,
    budget: LuaBudget? = nil
  ) async throws -> (repeat each Result) {
    let call = NamedCall(name)
    let results = try await results(of: call, budget) { try lua.lower(repeat each arguments) }
    return try call.converting { try results.converted() }
  }

  /// Calls a function of the scripts that may wait, and ignores its results.
  ///
  /// ```swift
  /// try await runtime.call("shop.close")
  /// ```
  ///
  /// - Throws: the errors of `call(_:_:as:budget:)` for one result.
  nonisolated(nonsending) public func call<each Argument: TideConvertible>(
    _ name: String, _ arguments: repeat each Argument, budget: LuaBudget? = nil
  ) async throws {
    _ = try await results(of: NamedCall(name), budget) { try lua.lower(repeat each arguments) }
  }

  private nonisolated(nonsending) func results(
    of call: NamedCall, _ budget: LuaBudget?, _ lower: () throws -> [LuaValue]
  ) async throws -> [LuaValue] {
    do {
      return try await waited(within: budget) {
        let function = try function(named: call.name)
        call.location = function.location.map { SourceLocation($0) }
        return (.function(function), try call.converting(lower))
      }
    } catch let error as LuaError {
      throw TideError(error)
    }
  }
}

/// A call of a function by name, for the errors of its arguments and results.
private final class NamedCall {
  let name: String
  /// Where the function is defined.
  var location: SourceLocation?

  init(_ name: String) { self.name = name }

  /// Converts arguments or results. The error of one that does not fit names the function.
  func converting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as LuaError where error.kind == .runtime {
      throw TideError(
        .wrongType, "call of \(name.inMessage): \(error.message)", location: location, cause: error)
    }
  }
}

// MARK: Finding functions

extension Runtime {
  /// Finds a function by module and name, or by the name of a global.
  func function(named name: String) throws -> LuaFunction {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.contains("") {
      throw TideError(
        .unresolvedName,
        "invalid function name \"\(name.inMessage)\"; write module.function, or the name of a "
          + "global function")
    }
    let (root, rest) = try root(of: parts)
    return try perform { try function(in: root, at: rest, of: name) }
  }

  /// The value that the first parts of a name refer to, and the remaining parts.
  private func root(of parts: [String]) throws -> (LuaValue, ArraySlice<String>) {
    func split(_ end: Int) -> (module: String, rest: ArraySlice<String>) {
      (parts[..<end].joined(separator: "."), parts[end...])
    }
    let ends = (1..<parts.count).reversed()
    for end in ends {
      let (name, rest) = split(end)
      if let module = modules[name], !module.isLoading { return (module.value, rest) }
    }
    if case .table(let table) = modules.main.value, try !table[.string(parts[0])].isNil {
      return (modules.main.value, parts[...])
    }
    let global = try lua.globals.rawGet(.string(parts[0]))
    if !global.isNil { return (global, parts[1...]) }
    for end in ends {
      let (name, rest) = split(end)
      if try canRequire(name) { return (try require(name).value, rest) }
    }
    throw unresolved(parts[0], among: try functionNames())
  }

  private func canRequire(_ name: String) throws -> Bool {
    guard !name.contains("/"), !name.contains("\0") else { return false }
    if loader.libraries[name] != nil { return true }
    return try given(module: name) != nil || file(ofModule: name) != nil
  }

  private func function(
    in root: LuaValue, at path: ArraySlice<String>, of name: String
  ) throws -> LuaFunction {
    var value = root
    var way: [String] = []
    for part in path {
      guard case .table(let table) = value else {
        throw TideError(
          .wrongType,
          "cannot find the function \"\(name.inMessage)\": \(way.last ?? "the module") is a "
            + "\(value.typeName), which has no \"\(part.inMessage)\"")
      }
      let next = try table[.string(part)]
      if next.isNil {
        let names = try table.entries().filter { $0.value.function != nil }.compactMap(\.key.string)
        throw unresolved(part, among: names, in: name)
      }
      value = next
      way.append(part)
    }
    if case .function(let function) = value { return function }
    throw TideError(
      .wrongType, "cannot call \"\(name.inMessage)\": it is a \(value.typeName), not a function")
  }

  private func unresolved(
    _ part: String, among names: [String], in name: String? = nil
  ) -> TideError {
    let whole = name.map { " of \"\($0.inMessage)\"" } ?? ""
    return TideError(
      .unresolvedName,
      "there is no function or module \"\(part.inMessage)\"\(whole)"
        + NearestName.hint(for: part, in: names.sorted()))
  }

  /// The possible first parts of a function's path.
  private func functionNames() throws -> [String] {
    let globals = try lua.globals.entries().filter { $0.value.function != nil }
    var names = globals.compactMap(\.key.string)
    if case .table(let table) = modules.main.value {
      names += try table.entries().compactMap(\.key.string)
    }
    return names + modules.all.map(\.name).filter { !$0.isEmpty }
  }
}
