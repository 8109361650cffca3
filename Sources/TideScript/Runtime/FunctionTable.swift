import TideBindings
public import TideLua

/// The functions that the host gives scripts, by name; to a script each is a global.
///
/// ```swift
/// runtime.functions["half"] = { (n: Int) in n / 2 }
/// runtime.functions["fetch"] = { (url: String) async throws -> String in
///   try await download(url)
/// }
/// // in a script: print(fetch("https://…"))
/// ```
///
/// Arguments that do not fit are errors in Lua's words, and what a function throws is raised at the
/// calling line with its message. An asynchronous function runs on the concurrency pool, or on its
/// actor, while the script that called it waits; its result comes back through the runtime's inbox.
/// It is cancelled together with what waits for it. A script can wait in its main part, in
/// handlers, timers, transformers and feeds, and in what it spawned; elsewhere calling an asynchronous
/// function is an error.
///
/// A name that Lua or Tidelock already uses is refused, and listed as an error of code `duplicate`:
/// scripts that call `bind` must get what they expect.
///
/// While `Runtime.run` waits on an actor, that actor is free for such functions. `evaluate` is not
/// asynchronous and keeps the actor: what needs that actor cannot come, which is an error of code
/// `deadlock`.
public final class FunctionTable {
  private let home: Home
  /// The functions as they were given.
  private var given: [String: Any] = [:]

  init(_ home: Home) { self.home = home }

  /// All names, sorted.
  public var names: [String] { given.keys.sorted() }

  /// Takes a function away from scripts that have not read it yet.
  public func remove(_ name: String) {
    if given.removeValue(forKey: name) != nil { put(.nil, as: name) }
  }

  /// A function with a result; nil takes it away.
  public subscript<each Argument: LuaConvertible, Result: LuaConvertible>(
    name: String
  ) -> ((repeat each Argument) throws -> Result)? {
    get { (given[name] as? GivenFunction<Result, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      give(name, GivenFunction(body: body)) { (call: borrowing LuaCall, _) in
        var index = 0
        let result = try body(repeat call.next((each Argument).self, &index))
        call.return(try result.lowered(in: call.state, of: name))
      }
    }
  }

  /// A function without a result.
  public subscript<each Argument: LuaConvertible>(
    name: String
  ) -> ((repeat each Argument) throws -> Void)? {
    get { (given[name] as? GivenFunction<Void, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      give(name, GivenFunction(body: body)) { (call: borrowing LuaCall, _) in
        var index = 0
        try body(repeat call.next((each Argument).self, &index))
      }
    }
  }

  /// An asynchronous function with a result.
  public subscript<
    each Argument: LuaConvertible & Sendable, Result: LuaConvertible & Sendable
  >(
    name: String
  ) -> (@Sendable (repeat each Argument) async throws -> Result)? {
    get { (given[name] as? GivenAsyncFunction<Result, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      giveWaiting(name, GivenAsyncFunction(body: body), body) { runtime, result in
        [try result.lowered(in: runtime.lua, of: name)]
      }
    }
  }

  /// An asynchronous function without a result.
  public subscript<each Argument: LuaConvertible & Sendable>(
    name: String
  ) -> (@Sendable (repeat each Argument) async throws -> Void)? {
    get { (given[name] as? GivenAsyncFunction<Void, repeat each Argument>)?.body }
    set {
      guard let body = newValue else { return remove(name) }
      giveWaiting(name, GivenAsyncFunction(body: body), body) { _, _ in [] }
    }
  }

  private func giveWaiting<each Argument: LuaConvertible & Sendable, Result: Sendable>(
    _ name: String, _ given: Any,
    _ body: @escaping @Sendable (repeat each Argument) async throws -> Result,
    lowering: @escaping (Runtime, Result) throws -> [LuaValue]
  ) {
    give(name, given) { (call: borrowing LuaCall, runtime) in
      var index = 0
      let arguments = (repeat try call.next((each Argument).self, &index))
      try runtime.wait(call, in: name) { task in
        HostOperation.start(
          in: runtime, for: task, { try await body(repeat each arguments) }, lowering: lowering)
      }
    }
  }

  private func give(
    _ name: String, _ body: Any, _ function: @escaping (borrowing LuaCall, Runtime) throws -> Void
  ) {
    guard let runtime = home.runtime else { return }
    guard !runtime.reservedNames.contains(name) else {
      runtime.list(
        TideError(
          .duplicate,
          "the host's function \"\(name)\" would take the place of one of Lua's or Tidelock's names; "
            + "give it another name"))
      return
    }
    given[name] = body
    do {
      let made = try runtime.function(named: name) { [home] call in
        guard let runtime = home.runtime else { return }
        try function(call, runtime)
      }
      put(.function(made), as: name)
    } catch {
      runtime.list(TideError(script: error))
    }
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

// Functions of any number of arguments can be kept only inside of something.

private struct GivenFunction<Result, each Argument> {
  let body: (repeat each Argument) throws -> Result
}

private struct GivenAsyncFunction<Result, each Argument> {
  let body: @Sendable (repeat each Argument) async throws -> Result
}

extension LuaCall {
  fileprivate func next<Value: LuaConvertible>(
    _ type: Value.Type, _ index: inout Int
  ) throws -> Value {
    defer { index += 1 }
    return try argument(index)
  }
}

extension LuaConvertible {
  /// The value as scripts see it, or an error in Lua's words.
  fileprivate func lowered(in state: LuaState, of function: String) throws -> LuaValue {
    do {
      return try toLua(in: state)
    } catch let error as LuaMismatch {
      throw LuaError(.runtime, "bad result #1 of '\(function)' (\(error))")
    }
  }
}
