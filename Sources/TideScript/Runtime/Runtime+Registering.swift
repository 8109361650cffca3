public import TideBindings
public import TideLua
public import TideViews

/// Registration of a host's functions and objects for scripts. A name that Lua, Tidelock or the
/// host already uses is an error and is never silently replaced.
extension Runtime {
  /// Registers a function with typed arguments and a result, as a global of scripts.
  ///
  /// ```swift
  /// try runtime.register("half") { (n: Int) in n / 2 }
  /// ```
  ///
  /// A function registered earlier under the name is replaced. The function runs on the runtime's
  /// thread; errors that it throws are raised at the calling line. See ``FunctionTable``.
  ///
  /// - Throws: `duplicate` for a name that Lua or Tidelock uses.
  public func register<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ function: @escaping (repeat each Argument) throws -> Result
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Registers a function with typed arguments and several results, or none, as a global of
  /// scripts.
  ///
  /// ```swift
  /// try runtime.register("divide") { (a: Int, b: Int) in (a / b, a % b) }
  /// // in a script: local quotient, rest = divide(17, 5)
  /// ```
  ///
  /// - Throws: `duplicate` for a name that Lua or Tidelock uses.
  @_disfavoredOverload
  public func register<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ function: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Registers an asynchronous function. A script that calls it waits for the result.
  ///
  /// ```swift
  /// try runtime.register("fetch") { (url: String) async throws -> String in
  ///   try await download(url)
  /// }
  /// ```
  ///
  /// It runs on the concurrency pool, or on its actor, and is cancelled with the waiting task.
  ///
  /// - Throws: `duplicate` for a name that Lua or Tidelock uses.
  public func register<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String, _ function: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Registers an asynchronous function with several results, or none.
  ///
  /// - Throws: `duplicate` for a name that Lua or Tidelock uses.
  @_disfavoredOverload
  public func register<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ function: @escaping @Sendable (repeat each Argument) async throws -> (repeat each Result)
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Registers a model, which scripts find as `models.` and its name. The runtime retains it.
  ///
  /// ```swift
  /// try runtime.register("person", person)
  /// ```
  ///
  /// It replaces a model that the host has registered under the name, and paths that begin with the
  /// name follow.
  ///
  /// - Throws: `duplicate` if a script has declared a model of that name; `graph` for an object of
  ///   another runtime or thread.
  public func register(_ name: String, _ model: DataObject) throws(TideError) {
    try models.register(model, as: name)
  }

  /// Registers a transformer for binding expressions.
  ///
  /// ```swift
  /// try runtime.register("initials", Transformer { (name: String) in
  ///   String(name.split(separator: " ").compactMap(\.first))
  /// })
  /// // in a script: bind("name -> text | initials", person, label)
  /// ```
  ///
  /// - Throws: `duplicate` for the name of a built-in transformer.
  public func register<Input: TideConvertible, Output: TideConvertible>(
    _ name: String, _ transformer: Transformer<Input, Output>
  ) throws(TideError) {
    try register(name, AnyTransformer(name, transformer))
  }

  /// Registers a transformer of engine values for binding expressions.
  ///
  /// - Throws: `duplicate` for the name of a built-in transformer; `badArgument` for a name that is
  ///   not a Lua identifier.
  public func register(_ name: String, _ transformer: AnyTransformer) throws(TideError) {
    try requireHere()
    try requireWritable(name, as: "transformer")
    if transformers.hasBuiltIn(name) { throw Self.taken(name, "transformer", by: "a built-in one") }
    transformers.register(name, transformer)
  }

  /// Registers a class of views.
  ///
  /// ```swift
  /// let gauge = ViewClass(properties: ["value": .number(default: 0)]) { view, canvas in
  ///   canvas.write("\(view["value"])", x: 0, y: 0)
  /// }
  /// try runtime.register("gauge", gauge)
  /// // in a script: view.gauge { value = 0.5 }
  /// ```
  ///
  /// - Throws: `duplicate` for the name of a built-in class; `badArgument` for a name that is not a
  ///   Lua identifier.
  public func register(_ name: String, _ viewClass: ViewClass) throws(TideError) {
    try requireHere()
    try requireWritable(name, as: "view class")
    try viewClasses.register(name, viewClass)
  }

  /// Registers a Swift class other than a data object. Its functions become a global table of its
  /// name, and its described members are available on its objects.
  ///
  /// - Throws: `duplicate` for a name that Lua or Tidelock uses, and a script's error if the
  ///   runtime has no memory left.
  public func register<Object>(_ type: LuaUserType<Object>) throws(TideError) {
    try requireHere()
    try requireFree(type.name, for: "type")
    do { try lua.register(type) } catch { throw TideError(script: error) }
  }

  /// Throws if scripts rely on a global of this name.
  func requireFree(_ name: String, for what: String) throws(TideError) {
    try requireWritable(name, as: what)
    if api.reservedNames.contains(name) {
      throw Self.taken(name, what, by: "one of Lua's or Tidelock's names")
    }
  }

  private func requireWritable(_ name: String, as what: String) throws(TideError) {
    guard LuaState.isName(name) else {
      throw TideError(
        .badArgument,
        "invalid name of a \(what) \"\(name.inMessage)\": a name has letters, digits and _, does "
          + "not begin with a digit, and is no word of Lua's")
    }
  }

  private static func taken(_ name: String, _ what: String, by other: String) -> TideError {
    TideError(
      .duplicate,
      "the host's \(what) \"\(name.inMessage)\" would take the place of \(other); give it another "
        + "name")
  }
}
