/// A Swift class as scripts see it: its properties, methods, operators, and the functions that make
/// objects of it.
///
/// ```swift
/// final class Account: TideConvertible {
///   let owner: String
///   var balance = 0
///   init(owner: String) { self.owner = owner }
///   func withdraw(_ amount: Int) throws {
///     guard amount <= balance else { throw Overdrawn(by: amount - balance) }
///     balance -= amount
///   }
/// }
///
/// let accounts = LuaUserType<Account>("Account")
/// accounts.property("owner", \.owner)
/// accounts.property("balance", \.balance)
/// accounts.method("withdraw") { (account: Account, amount: Int) in try account.withdraw(amount) }
/// accounts.function("new") { (owner: String) in Account(owner: owner) }
/// accounts.operator(.equal) { (left: Account, right: Account) in left.owner == right.owner }
/// try state.register(accounts)
/// // in a script: local a = Account.new("Ann")  a.balance = 5  pcall(a.withdraw, a, 7)
/// ```
///
/// An object of the class is then an argument and a result of registered functions like any other
/// value. It lives at least as long as scripts hold it; the same object is the same value to them.
/// What is called on something else is an error in Lua's words ("calling 'withdraw' on bad self
/// (Account expected, got table)"), what a method throws is raised at the calling line and comes
/// out of the host's call as `LuaError.cause`, and a property that the class does not have, or
/// whose key path is not writable, is an error that names it.
///
/// Describing a type needs no state; it may be registered in any number of them, each time as it is
/// described at that moment. Objects of subclasses have what their nearest registered class has.
/// Everything is called on the thread of the state that the script runs in.
public final class LuaUserType<Object: AnyObject & TideConvertible> {
  typealias Body = (borrowing LuaCall) throws -> Void

  /// What scripts and messages call it.
  public let name: String
  private var getters: [String: Body] = [:]
  private var setters: [String: Body] = [:]
  private var methods: [String: Body] = [:]
  private var functions: [String: Body] = [:]
  /// The first name that was described twice.
  fileprivate var repeatedName: String?
  fileprivate var repeatedOperator: Operator?
  private var operators: [Operator: Body] = [:]

  /// Describes a class that scripts know by a name.
  public init(_ name: String) { self.name = name }

  /// What scripts can do with objects besides calling their methods.
  ///
  /// ```swift
  /// vectors.operator(.multiply) { (vector: Vector, factor: Double) in vector * factor }
  /// ```
  public enum Operator: String, Sendable, CaseIterable {
    /// `a + b`
    case add = "__add"
    /// `a - b`
    case subtract = "__sub"
    /// `a * b`
    case multiply = "__mul"
    /// `a / b`
    case divide = "__div"
    /// `a // b`
    case floorDivide = "__idiv"
    /// `a % b`
    case modulo = "__mod"
    /// `a ^ b`
    case power = "__pow"
    /// `-a`
    case negate = "__unm"
    /// `a .. b`
    case concatenate = "__concat"
    /// `a == b`
    case equal = "__eq"
    /// `a < b`, and `b > a`
    case lessThan = "__lt"
    /// `a <= b`, and `b >= a`
    case lessOrEqual = "__le"
    /// `#a`
    case length = "__len"
    /// `a(…)`
    case call = "__call"
    /// `tostring(a)`
    case description = "__tostring"
  }
}

// MARK: Describing

extension LuaUserType {
  /// A property that scripts read.
  public func property<Content: TideConvertible>(
    _ name: String, _ path: KeyPath<Object, Content>
  ) {
    property(name) { (object: Object) in object[keyPath: path] }
  }

  /// A property that scripts read and write. What does not fit its type is an error.
  public func property<Content: TideConvertible>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Content>
  ) {
    property(name) { (object: Object) in
      object[keyPath: path]
    } set: { (object: Object, content: Content) in
      object[keyPath: path] = content
    }
  }

  /// A property that scripts read by a function.
  public func property<Content: TideConvertible>(
    _ name: String, get: @escaping (Object) throws -> Content
  ) {
    noteUse(ofMember: name)
    setters[name] = nil
    getters[name] = { call in
      try call.blamingCaller { try call.return(converting: get(try call.receiver()), 1) }
    }
  }

  /// A property that scripts read and write by functions; what the second throws refuses a value.
  public func property<Content: TideConvertible>(
    _ name: String, get: @escaping (Object) throws -> Content,
    set: @escaping (Object, Content) throws -> Void
  ) {
    property(name, get: get)
    let label = "\(self.name).\(name)"
    setters[name] = { call in
      try call.blamingCaller {
        let object: Object = try call.receiver()
        let content: Content
        do { content = try Content.fromLua(try call.value(1)) } catch {
          guard let reason = ValueMismatch.reason(error, of: call.typeName(1)) else { throw error }
          throw LuaError(.runtime, "bad value for \(label) (\(reason))")
        }
        try set(object, content)
      }
    }
  }

  /// A method with typed arguments and a result. What it throws is raised at the calling line.
  public func method<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (Object, repeat each Argument) throws -> Result
  ) {
    noteUse(ofMember: name)
    methods[name] = { call in
      let object: Object = try call.receiver()
      var index = 1
      try call.return(
        converting: body(object, repeat call.next((each Argument).self, &index)), 1)
    }
  }

  /// A method with typed arguments and several results, or none.
  ///
  /// ```swift
  /// points.method("position") { (point: Point) in (point.x, point.y) }
  /// ```
  @_disfavoredOverload
  public func method<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ body: @escaping (Object, repeat each Argument) throws -> (repeat each Result)
  ) {
    noteUse(ofMember: name)
    methods[name] = { call in
      let object: Object = try call.receiver()
      var index = 1
      let results = try body(object, repeat call.next((each Argument).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// An asynchronous method with typed arguments and a result, which the script that calls it waits
  /// for.
  ///
  /// ```swift
  /// stores.method("read") { (store: Store, key: String) async throws -> String in
  ///   try await store.read(key)   // an actor's
  /// }
  /// ```
  ///
  /// It runs on the concurrency pool, or on its actor, so the class has to be `Sendable`. When the
  /// script that waits is cancelled, so is its task.
  public func method<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (Object, repeat each Argument) async throws -> Result
  ) where Object: Sendable {
    let label = "\(self.name).\(name)"
    noteUse(ofMember: name)
    methods[name] = { call in
      let object: Object = try call.receiver()
      var index = 1
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(object, repeat each arguments)
      } lowering: { result, state in
        try state.lowerResults(of: label, result)
      }
    }
  }

  /// An asynchronous method with typed arguments and several results, or none.
  @_disfavoredOverload
  public func method<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (Object, repeat each Argument) async throws -> (repeat each Result)
  ) where Object: Sendable {
    let label = "\(self.name).\(name)"
    noteUse(ofMember: name)
    methods[name] = { call in
      let object: Object = try call.receiver()
      var index = 1
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(object, repeat each arguments)
      } lowering: { results, state in
        try state.lowerResults(of: label, repeat each results)
      }
    }
  }

  /// A function of the class itself, such as one that makes an object: `Account.new("Ann")`.
  public func function<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> Result
  ) {
    noteUse(ofFunction: name)
    functions[name] = { call in
      var index = 0
      try call.return(converting: body(repeat call.next((each Argument).self, &index)), 1)
    }
  }

  /// A function of the class itself with several results, or none.
  @_disfavoredOverload
  public func function<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) {
    noteUse(ofFunction: name)
    functions[name] = { call in
      var index = 0
      let results = try body(repeat call.next((each Argument).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// An asynchronous function of the class itself, which the script that calls it waits for.
  ///
  /// ```swift
  /// stores.function("open") { (path: String) async throws -> Store in try await Store(path) }
  /// ```
  public func function<
    each Argument: TideConvertible & Sendable, Result: TideConvertible & Sendable
  >(
    _ name: String, _ body: @escaping @Sendable (repeat each Argument) async throws -> Result
  ) {
    let label = "\(self.name).\(name)"
    noteUse(ofFunction: name)
    functions[name] = { call in
      var index = 0
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(repeat each arguments)
      } lowering: { result, state in
        try state.lowerResults(of: label, result)
      }
    }
  }

  /// An asynchronous function of the class itself with several results, or none.
  @_disfavoredOverload
  public func function<
    each Argument: TideConvertible & Sendable, each Result: TideConvertible & Sendable
  >(
    _ name: String,
    _ body: @escaping @Sendable (repeat each Argument) async throws -> (repeat each Result)
  ) {
    let label = "\(self.name).\(name)"
    noteUse(ofFunction: name)
    functions[name] = { call in
      var index = 0
      let arguments = (repeat try call.next((each Argument).self, &index))
      try call.wait(named: label) {
        try await body(repeat each arguments)
      } lowering: { results, state in
        try state.lowerResults(of: label, repeat each results)
      }
    }
  }

  /// An operator with typed operands, in the order in which the script writes them; of one operand
  /// (`negate`, `length`, `description`) that alone.
  ///
  /// ```swift
  /// vectors.operator(.multiply) { (left: Vector, factor: Double) in left * factor }
  /// ```
  ///
  /// Operands that do not fit are errors: an operator has one meaning. Lua asks `equal` only for
  /// two objects that are not the same.
  public func `operator`<each Operand: TideConvertible, Result: TideConvertible>(
    _ operator: Operator, _ body: @escaping (repeat each Operand) throws -> Result
  ) {
    if operators[`operator`] != nil { repeatedOperator = repeatedOperator ?? `operator` }
    operators[`operator`] = { call in
      var index = 0
      try call.return(converting: body(repeat call.next((each Operand).self, &index)), 1)
    }
  }
}

// MARK: Registering

extension LuaUserType {
  /// Remembers a name that is described a second time.
  private func noteUse(ofMember name: String) {
    guard methods[name] != nil || getters[name] != nil else { return }
    repeatedName = repeatedName ?? name
  }

  private func noteUse(ofFunction name: String) {
    if functions[name] != nil { repeatedName = repeatedName ?? name }
  }

  /// Makes what scripts see of objects, and of the class itself.
  fileprivate func install(in state: LuaState) throws -> (objects: LuaTable, type: LuaTable) {
    if let repeatedName {
      throw LuaError(
        .runtime,
        "\(name).\(repeatedName) is described twice, and only one of them could be called; give one "
          + "another name")
    }
    if let repeatedOperator {
      throw LuaError(
        .runtime,
        "\(name).\(repeatedOperator.rawValue) is described twice, and an operator has one meaning; "
          + "describe it once, for operands of a type that takes all of them")
    }
    func table(_ bodies: [String: Body]) throws -> LuaTable {
      let table = try state.table(fields: bodies.count)
      for (name, body) in bodies {
        try table.rawSet(.string(name), .function(state.function(named: name, body)))
      }
      return table
    }
    let objects = try state.table(["__name": .string(name), "__metatable": false])
    for (sign, body) in operators {
      let name = String(sign.rawValue.dropFirst(2))
      try objects.rawSet(.string(sign.rawValue), .function(state.function(named: name, body)))
    }
    let access = try state.load(Self.access, name: LuaState.ownChunk(name)).call([
      .string(name), .table(table(methods)), .table(table(getters)), .table(table(setters)),
    ])
    try objects.rawSet("__index", access.first ?? .nil)
    try objects.rawSet("__newindex", access.count > 1 ? access[1] : .nil)
    return (objects, try table(functions))
  }

  /// Finds what a script asks an object for. In Lua, so that a method costs no call of Swift.
  private static var access: String {
    """
    local name, methods, getters, setters = ...
    local error, tostring = error, tostring
    return function(object, key)
      local method = methods[key]
      if method then return method end
      local get = getters[key]
      if get then return get(object) end
      error(name .. " has no property or method '" .. tostring(key) .. "'", 2)
    end, function(object, key, value)
      local set = setters[key]
      if set then return set(object, value) end
      local known = getters[key] or methods[key]
      error(known and name .. "." .. tostring(key) .. " is read only"
        or name .. " has no property '" .. tostring(key) .. "'", 2)
    end
    """
  }
}

extension LuaState {
  /// Gives scripts a Swift class: its functions as a global table of its name, and to its objects
  /// what it describes.
  ///
  /// - Throws: `LuaError` for a name of Lua's own, for exhausted memory, or for a closed state.
  public func register<Object>(_ type: LuaUserType<Object>) throws {
    let (objects, functions) = try type.install(in: self)
    try register(type.name, .table(functions.sealed(as: type.name)))
    userTypes[ObjectIdentifier(Object.self)] = objects
  }

  /// What scripts see of an object of a registered class, or of a subclass of one.
  package func metatable(for object: AnyObject) -> LuaTable? {
    if userTypes.isEmpty { return nil }
    var type: AnyClass? = Swift.type(of: object)
    while let current = type {
      if let found = userTypes[ObjectIdentifier(current)] { return found }
      type = _getSuperclass(current)
    }
    return nil
  }
}

extension LuaCall {
  /// Raises what a property's function throws at the script's line, which called by way of the
  /// metatable's function.
  fileprivate func blamingCaller(_ body: () throws -> Void) throws {
    do { try body() } catch let error as LuaError {
      guard error.location == nil else { throw error }
      throw LuaError(error.kind, error.message, at: location(level: 2), cause: error.cause)
    } catch {
      throw LuaError(.host, state.errorMessage(error), at: location(level: 2), cause: error)
    }
  }

  /// What the method is called on.
  fileprivate func receiver<Object: AnyObject>() throws -> Object {
    try instance(0, of: Object.self)
  }
}
