import TideBindings
public import TideLua

/// The host's functions for scripts, by name. In scripts each is a global.
///
/// ```swift
/// try runtime.register("half") { (n: Int) in n / 2 }
/// try runtime.register("fetch") { (url: String) async throws -> String in
///   try await download(url)
/// }
/// // in a script: print(fetch("https://…"))
/// ```
///
/// Arguments that do not fit raise the usual Lua errors. An error that a function throws is raised
/// at the calling line with its message. An asynchronous function runs on the concurrency pool, or
/// on its actor, while the calling script waits; its result is posted to the runtime's inbox.
/// Cancelling the waiting task cancels it. A script can wait in its main chunk, in handlers,
/// timers, transformers and feeds, and in tasks that it spawns. Anywhere else, calling an
/// asynchronous function is an error.
///
/// A name that Lua or Tidelock already uses is refused with an error of code `duplicate`, since
/// scripts rely on these names. (The subscripts list the error.)
///
/// While `Runtime.run` waits on an actor, that actor is free for such functions. `evaluate` is
/// synchronous and blocks the actor. A function that needs the same actor then cannot finish, which
/// is an error of code `deadlock`.
public final class FunctionTable {
  private let home: Home
  /// The functions as the host passed them.
  private var given: [String: Any] = [:]

  init(_ home: Home) { self.home = home }

  /// All names, sorted.
  public var names: [String] { given.keys.sorted() }

  /// Removes a function for scripts that have not read it yet. On another actor or thread it
  /// removes nothing and lists an error there.
  public func remove(_ name: String) {
    do throws(TideError) { try home.runtime?.requireHere() } catch {
      BindingTable.current.list(error)
      return
    }
    if given.removeValue(forKey: name) != nil { put(.nil, as: name) }
  }

  /// Registers a function with one result.
  func register<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> Result
  ) throws(TideError) {
    try give(name, GivenFunction(body: body)) { (call: borrowing LuaCall, _) in
      var index = 0
      try call.return(converting: body(repeat call.next((each Argument).self, &index)), 1)
    }
  }

  /// Registers a function with several results, or none.
  @_disfavoredOverload
  func register<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) throws(TideError) {
    try give(name, GivenFunction(body: body)) { (call: borrowing LuaCall, _) in
      var index = 0
      let results = try body(repeat call.next((each Argument).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// Registers an asynchronous function with one result.
  func register<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String, _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) throws(TideError) {
    try giveWaiting(name, GivenAsyncFunction(body: body), body) { runtime, result in
      try runtime.lua.lowerResults(of: name, result)
    }
  }

  /// Registers an asynchronous function with several results, or none.
  @_disfavoredOverload
  func register<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (repeat each Argument) async throws -> (repeat each Result)
  ) throws(TideError) {
    try giveWaiting(name, GivenAsyncFunction(body: body), body) { runtime, results in
      try runtime.lua.lowerResults(of: name, repeat each results)
    }
  }

  private func giveWaiting<each Argument: TideConvertible & Sendable, Result: Sendable>(
    _ name: String, _ given: Any,
    _ body: @escaping @Sendable (repeat each Argument) async throws -> Result,
    lowering: @escaping (Runtime, Result) throws -> [LuaValue]
  ) throws(TideError) {
    try give(name, given) { (call: borrowing LuaCall, runtime) in
      var index = 0
      let arguments = (repeat try call.next((each Argument).self, &index))
      try runtime.wait(
        call, in: name, for: { try await body(repeat each arguments) }, lowering: lowering)
    }
  }

  private func give(
    _ name: String, _ body: Any, _ function: @escaping (borrowing LuaCall, Runtime) throws -> Void
  ) throws(TideError) {
    let runtime = try home.requireRuntime()
    try runtime.requireHere()
    try runtime.requireFree(name, for: "function")
    do {
      let made = try runtime.function(named: name) { [home] call in
        guard let runtime = home.runtime else { return }
        try function(call, runtime)
      }
      try runtime.lua.globals.rawSet(.string(name), .function(made))
    } catch {
      throw TideError(script: error)
    }
    given[name] = body
  }

  private func put(_ value: LuaValue, as name: String) {
    guard let runtime = home.runtime else { return }
    do {
      try runtime.lua.globals.rawSet(.string(name), value)
    } catch {
      runtime.list(TideError(script: error))
    }
  }
}

// MARK: Deprecated subscripts

extension FunctionTable {
  /// A function with one result. Set it to nil to remove the function.
  @available(*, deprecated, message: "use Runtime.register, which throws where a name is taken")
  public subscript<each Argument: TideConvertible, Result: TideConvertible>(
    name: String
  ) -> ((repeat each Argument) throws -> Result)? {
    get { (given[name] as? GivenFunction<Result, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      listing { () throws(TideError) in try register(name, body) }
    }
  }

  /// A function without a result.
  @available(*, deprecated, message: "use Runtime.register, which throws where a name is taken")
  public subscript<each Argument: TideConvertible>(
    name: String
  ) -> ((repeat each Argument) throws -> Void)? {
    get { (given[name] as? GivenFunction<Void, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      listing { () throws(TideError) in try register(name, body) }
    }
  }

  /// An asynchronous function with a result.
  @available(*, deprecated, message: "use Runtime.register, which throws where a name is taken")
  public subscript<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    name: String
  ) -> (@Sendable (repeat each Argument) async throws -> Result)? {
    get { (given[name] as? GivenAsyncFunction<Result, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      listing { () throws(TideError) in try register(name, body) }
    }
  }

  /// An asynchronous function without a result.
  @available(*, deprecated, message: "use Runtime.register, which throws where a name is taken")
  public subscript<each Argument: TideConvertible & Sendable>(
    name: String
  ) -> (@Sendable (repeat each Argument) async throws -> Void)? {
    get { (given[name] as? GivenAsyncFunction<Void, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      listing { () throws(TideError) in try register(name, body) }
    }
  }

  private func listing(_ body: () throws(TideError) -> Void) {
    do throws(TideError) { try body() } catch { home.runtime?.list(error) }
  }
}

// A function with a parameter pack can only be stored as a property.

private struct GivenFunction<Result, each Argument> {
  let body: (repeat each Argument) throws -> Result
}

private struct GivenAsyncFunction<Result, each Argument> {
  let body: @Sendable (repeat each Argument) async throws -> Result
}
