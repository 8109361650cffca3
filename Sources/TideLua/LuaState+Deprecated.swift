// Deprecated names of `register`. They also replace existing globals.

extension LuaState {
  /// Registers a function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  public func define(
    _ name: String, _ body: @escaping (borrowing LuaCall) throws -> Void
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(function(named: name, body)))
  }

  /// Registers a function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func define<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> Result
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(function(named: name, body)))
  }

  /// Registers a function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func define<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(function(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  public func defineAsync(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (LuaArguments) async throws -> [LuaValue]
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<Result: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping () async throws -> Result
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping () async throws -> Void
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<A: TideConvertible, Result: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A) async throws -> Result
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<A: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A) async throws -> Void
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<A: TideConvertible, B: TideConvertible, Result: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B) async throws -> Result
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<A: TideConvertible, B: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B) async throws -> Void
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, Result: TideConvertible
  >(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C) async throws -> Result
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<A: TideConvertible, B: TideConvertible, C: TideConvertible>(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C) async throws -> Void
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, D: TideConvertible,
    Result: TideConvertible
  >(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C, D) async throws -> Result
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }

  /// Registers an asynchronous function as a global, replacing any existing value.
  ///
  /// - Throws: `LuaError` of kind `memory` or `closed`.
  @available(*, deprecated, renamed: "register(_:_:)")
  @_disfavoredOverload
  public func defineAsync<
    A: TideConvertible, B: TideConvertible, C: TideConvertible, D: TideConvertible
  >(
    _ name: String,
    _ body: nonisolated(nonsending) @escaping (A, B, C, D) async throws -> Void
  ) throws(LuaError) {
    try globals.rawSet(.string(name), .function(asyncFunction(named: name, body)))
  }
}
