public import TideBindings
public import TideLua
public import TideViews

/// What a host gives its scripts. A name that Lua, Tidelock or the host has given another meaning
/// is an error, never replaced in silence.
extension Runtime {
  /// Gives scripts a function with typed arguments and a result, as a global.
  ///
  /// ```swift
  /// try runtime.register("half") { (n: Int) in n / 2 }
  /// ```
  ///
  /// A function that was registered under the name before is replaced. It runs on the runtime's
  /// thread; what it throws is raised at the calling line. See ``FunctionTable``.
  ///
  /// - Throws: `duplicate` for a name of Lua's or Tidelock's.
  public func register<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ function: @escaping (repeat each Argument) throws -> Result
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Gives scripts a function with typed arguments and several results, or none, as a global.
  ///
  /// ```swift
  /// try runtime.register("divide") { (a: Int, b: Int) in (a / b, a % b) }
  /// // in a script: local quotient, rest = divide(17, 5)
  /// ```
  ///
  /// - Throws: `duplicate` for a name of Lua's or Tidelock's.
  @_disfavoredOverload
  public func register<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ function: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Gives scripts an asynchronous function, which the script that calls it waits for.
  ///
  /// ```swift
  /// try runtime.register("fetch") { (url: String) async throws -> String in
  ///   try await download(url)
  /// }
  /// ```
  ///
  /// It runs on the concurrency pool, or on its actor, and is cancelled together with what waits.
  ///
  /// - Throws: `duplicate` for a name of Lua's or Tidelock's.
  public func register<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String, _ function: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Gives scripts an asynchronous function with several results, or none.
  ///
  /// - Throws: `duplicate` for a name of Lua's or Tidelock's.
  @_disfavoredOverload
  public func register<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ function: @escaping @Sendable (repeat each Argument) async throws -> (repeat each Result)
  ) throws(TideError) {
    try functions.register(name, function)
  }

  /// Gives scripts a model, as `models.` and its name. It is kept as long as it is registered.
  ///
  /// ```swift
  /// try runtime.register("person", person)
  /// ```
  ///
  /// Another model of the name that the host gave is replaced, and paths that begin with it follow.
  ///
  /// - Throws: `duplicate` where a script has declared a model of that name, `graph` for an object
  ///   of another runtime or thread.
  public func register(_ name: String, _ model: DataObject) throws(TideError) {
    try models.register(model, as: name)
  }

  /// Gives binding expressions a transformer.
  ///
  /// ```swift
  /// try runtime.register("initials", Transformer { (name: String) in
  ///   String(name.split(separator: " ").compactMap(\.first))
  /// })
  /// // in a script: bind("name -> text | initials", person, label)
  /// ```
  ///
  /// - Throws: `duplicate` for the name of a built-in one.
  public func register<Input: TideConvertible, Output: TideConvertible>(
    _ name: String, _ transformer: Transformer<Input, Output>
  ) throws(TideError) {
    try register(name, AnyTransformer(name, transformer))
  }

  /// Gives binding expressions a transformer on engine values.
  ///
  /// - Throws: `duplicate` for the name of a built-in one, and `badArgument` for one that scripts
  ///   cannot write.
  public func register(_ name: String, _ transformer: AnyTransformer) throws(TideError) {
    try requireHere()
    try requireWritable(name, as: "transformer")
    if transformers.hasBuiltIn(name) { throw Self.taken(name, "transformer", by: "a built-in one") }
    transformers.register(name, transformer)
  }

  /// Gives scripts a class of views.
  ///
  /// ```swift
  /// let gauge = ViewClass(properties: ["value": .number(default: 0)]) { view, canvas in
  ///   canvas.write("\(view["value"])", x: 0, y: 0)
  /// }
  /// try runtime.register("gauge", gauge)
  /// // in a script: view.gauge { value = 0.5 }
  /// ```
  ///
  /// - Throws: `duplicate` for the name of a built-in one, and `badArgument` for one that scripts
  ///   cannot write.
  public func register(_ name: String, _ viewClass: ViewClass) throws(TideError) {
    try requireHere()
    try requireWritable(name, as: "view class")
    try viewClasses.register(name, viewClass)
  }

  /// Gives scripts a Swift class other than a data object: its functions as a global table of its
  /// name, and to its objects what it describes.
  ///
  /// - Throws: `duplicate` for a name of Lua's or Tidelock's, and the error of a script where the
  ///   runtime has no memory left.
  public func register<Object>(_ type: LuaUserType<Object>) throws(TideError) {
    try requireHere()
    try requireFree(type.name, for: "type")
    do { try lua.register(type) } catch { throw TideError(script: error) }
  }

  /// Throws where scripts rely on a global of a name.
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
