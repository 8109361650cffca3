/// Describes a Swift class for scripts: its properties, methods, operators, and the functions that
/// create its objects.
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
/// Objects of the class can then be arguments and results of registered functions. Scripts retain
/// the objects they hold; an object is always the same value to scripts. Calling a method on
/// another value is an error in Lua's wording ("calling 'withdraw' on bad self (Account expected,
/// got table)"). An error thrown by a method is raised at the calling line and available to the
/// host as `LuaError.cause`. Accessing an unknown property, or assigning to a read-only one, is an
/// error that names it.
///
/// A description is independent of states and may be registered in any number of them, each time
/// with its current members. Objects of subclasses have the members of their class and its
/// registered superclasses, regardless of the order of registration. A member of a subclass
/// overrides all inherited members of the same name. All functions are called on the thread of the
/// script's state.
public final class LuaUserType<Object: TideConvertible> {
  @usableFromInline typealias Body = (borrowing LuaCall) throws -> Void

  /// A getter or setter. It is a struct because calling a closure stored directly in a dictionary
  /// goes through two thunks.
  struct Access {
    let body: Body
  }

  /// The name in scripts and messages.
  public let name: String
  /// The class of the objects held by scripts.
  let `class`: AnyClass
  /// Reads an argument as an object of the class.
  let receive: (borrowing LuaCall, Int) throws -> Object
  private(set) var getters: [String: Access] = [:]
  private(set) var setters: [String: Access] = [:]
  private(set) var methods: [String: LuaOverloads] = [:]
  private(set) var operators: [Operator: LuaOverloads] = [:]
  /// Getters and setters for other keys: `get` and `set`.
  private(set) var fallbacks: [String: Body] = [:]
  private(set) var functions: [String: LuaOverloads] = [:]
  private(set) var constants: [String: (LuaState) throws -> LuaValue] = [:]
  private(set) var staticGetters: [String: Body] = [:]
  private(set) var staticSetters: [String: Body] = [:]
  /// The first name that was described twice.
  private(set) var repeated: String?

  init(
    _ name: String, holding class: AnyClass,
    receive: @escaping (borrowing LuaCall, Int) throws -> Object
  ) {
    self.name = name
    self.class = `class`
    self.receive = receive
  }

  /// Describes a class under a name for scripts.
  public convenience init(_ name: String) where Object: AnyObject {
    self.init(name, holding: Object.self) { call, index in
      try call.instance(index, of: Object.self)
    }
  }

  var key: ObjectIdentifier { ObjectIdentifier(`class`) }

  /// Throws if a method is called on another kind of value.
  var checkReceiver: Body { { [receive] call in _ = try receive(call, 0) } }

  /// Operations on objects other than method calls.
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
    /// `a & b`
    case bitAnd = "__band"
    /// `a | b`
    case bitOr = "__bor"
    /// `a ~ b`
    case bitXor = "__bxor"
    /// `~a`
    case bitNot = "__bnot"
    /// `a << b`
    case shiftLeft = "__shl"
    /// `a >> b`
    case shiftRight = "__shr"
    /// `#a`
    case length = "__len"
    /// `a(…)`
    case call = "__call"
    /// `tostring(a)`
    case description = "__tostring"
    /// `for key, value in pairs(a)`
    case pairs = "__pairs"
    /// The end of the block that declares `local a <close>`.
    case close = "__close"
  }
}

// MARK: Describing

extension LuaUserType {
  /// A read-only property for scripts.
  ///
  /// A key path is several times slower than an equivalent closure; describe frequently read
  /// properties as `accounts.property("balance") { $0.balance }`.
  @inlinable @inline(__always)
  public func property<Content: TideConvertible>(
    _ name: String, _ path: KeyPath<Object, Content>
  ) {
    property(name) { (object: Object) in object[keyPath: path] }
  }

  /// A read-only property with a getter function.
  public func property<Content: TideConvertible>(
    _ name: String, get: @escaping (Object) throws -> Content
  ) {
    addGetter(name) { [receive] call in
      try call.blamingCaller { try call.return(held: get(try receive(call, 0)), at: .string(name)) }
    }
  }

  /// Adds a getter; replaces an existing property of that name.
  @usableFromInline func addGetter(_ name: String, _ body: @escaping Body) {
    noteUse(ofMember: name)
    setters[name] = nil
    getters[name] = Access(body: body)
  }

  /// Adds a setter to an existing property.
  func addSetter<Content: TideConvertible>(
    _ name: String, _ set: @escaping (borrowing LuaCall, Content) throws -> Void
  ) {
    let label = "\(self.name).\(name)"
    addSetter(
      name,
      reading: { call in
        try call.blamingCaller { try set(call, try call.content(1, of: label)) }
      })
  }

  /// Adds a setter that reads its argument itself to an existing property.
  @usableFromInline func addSetter(_ name: String, reading body: @escaping Body) {
    setters[name] = Access(body: body)
  }

  /// A method with typed arguments and one result. Errors are raised at the calling line.
  ///
  /// Methods of one name are overloads that differ in their parameters; the first one that accepts
  /// the arguments is called:
  ///
  /// ```swift
  /// vectors.method("scaled") { (vector: Vector, factor: Double) in vector * factor }
  /// vectors.method("scaled") { (vector: Vector, by: Vector) in vector.scaled(by) }
  /// ```
  ///
  /// Describe `Int` before `Double`, which also accepts integers. An optional argument may be
  /// missing. Without overloads, extra arguments are ignored.
  public func method<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (Object, repeat each Argument) throws -> Result
  ) {
    addMethod(name, Self.types(repeat (each Argument).self)) { [receive] call in
      let object = try receive(call, 0)
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
    addMethod(name, Self.types(repeat (each Argument).self)) { [receive] call in
      let object = try receive(call, 0)
      var index = 1
      let results = try body(object, repeat call.next((each Argument).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// A static function, such as a factory: `Account.new("Ann")`.
  ///
  /// Functions of one name are overloads, as with methods. Subclasses do not inherit them.
  public func function<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> Result
  ) {
    addFunction(name, Self.types(repeat (each Argument).self)) { call in
      var index = 0
      try call.return(converting: body(repeat call.next((each Argument).self, &index)), 1)
    }
  }

  /// A static function with several results, or none.
  @_disfavoredOverload
  public func function<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String, _ body: @escaping (repeat each Argument) throws -> (repeat each Result)
  ) {
    addFunction(name, Self.types(repeat (each Argument).self)) { call in
      var index = 0
      let results = try body(repeat call.next((each Argument).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// A static constant: `Account.limit`. It is converted at registration; a mutable value, such as
  /// a table or a ``LuaStruct``, is converted at each read instead.
  ///
  /// ```swift
  /// vectors.constant("zero", Vector(x: 0, y: 0))
  /// ```
  public func constant<Content: TideConvertible>(_ name: String, _ content: Content) {
    noteUse(ofStatic: name)
    let label = "\(self.name).\(name)"
    constants[name] = { state in
      do { return try content.toLua(in: state) } catch let error as ValueMismatch {
        throw LuaError(.runtime, "bad value for \(label) (\(error))")
      }
    }
  }

  /// A read-only static property with a getter function.
  ///
  /// ```swift
  /// vectors.staticProperty("made") { Vector.madeCount }
  /// ```
  public func staticProperty<Content: TideConvertible>(
    _ name: String, get: @escaping () throws -> Content
  ) {
    noteUse(ofStatic: name)
    staticGetters[name] = { call in
      try call.blamingCaller { try call.return(held: get(), at: .string(name)) }
    }
  }

  /// A static property with a getter and a setter function.
  ///
  /// ```swift
  /// vectors.staticProperty("digits") { Vector.digits } set: { Vector.digits = $0 }
  /// ```
  public func staticProperty<Content: TideConvertible>(
    _ name: String, get: @escaping () throws -> Content, set: @escaping (Content) throws -> Void
  ) {
    staticProperty(name, get: get)
    let label = "\(self.name).\(name)"
    staticSetters[name] = { call in
      try call.blamingCaller { try set(try call.content(0, of: label)) }
    }
  }

  /// An operator with typed operands, in the order of the script's expression; unary operators
  /// (`negate`, `length`, `description`) have one operand.
  ///
  /// ```swift
  /// vectors.operator(.multiply) { (left: Vector, factor: Double) in left * factor }
  /// vectors.operator(.multiply) { (factor: Double, right: Vector) in right * factor }
  /// ```
  ///
  /// It is an error if the operands fit no overload. Lua calls `equal` only for two different
  /// objects.
  public func `operator`<each Operand: TideConvertible, Result: TideConvertible>(
    _ operator: Operator, _ body: @escaping (repeat each Operand) throws -> Result
  ) {
    addOperator(`operator`, Self.types(repeat (each Operand).self)) { call in
      var index = 0
      try call.return(converting: body(repeat call.next((each Operand).self, &index)), 1)
    }
  }

  /// An operator with several results or none, such as `call` and `close`.
  ///
  /// ```swift
  /// files.operator(.close) { (file: File) in file.close() }
  /// // in a script: local file <close> = File.open("a.txt")
  /// ```
  @_disfavoredOverload
  public func `operator`<each Operand: TideConvertible, each Result: TideConvertible>(
    _ operator: Operator, _ body: @escaping (repeat each Operand) throws -> (repeat each Result)
  ) {
    addOperator(`operator`, Self.types(repeat (each Operand).self)) { call in
      var index = 0
      let results = try body(repeat call.next((each Operand).self, &index))
      try call.return(converting: repeat each results)
    }
  }

  /// Elements that scripts read by a key that is not the name of a property or method.
  ///
  /// ```swift
  /// grids.subscript { (grid: Grid, index: Int) in grid.cells[index - 1] }
  /// // in a script: grid[1]
  /// ```
  ///
  /// A key of the wrong type counts as an unknown member. An optional element may be nil.
  public func `subscript`<Key: TideConvertible, Content: TideConvertible>(
    get: @escaping (Object, Key) throws -> Content
  ) {
    if fallbacks["get"] != nil { noteRepeat("[]") }
    let name = self.name
    fallbacks["get"] = { [receive] call in
      try call.blamingCaller {
        let object = try receive(call, 0)
        let key: Key = try call.key(1, of: name, "property or method")
        try call.return(held: get(object, key), at: call.value(1))
      }
    }
  }

  /// Elements that scripts read and write by a key that is not the name of a property or method.
  ///
  /// ```swift
  /// grids.subscript { (grid: Grid, index: Int) in
  ///   grid.cells[index - 1]
  /// } set: { (grid: Grid, index: Int, content: Double) in
  ///   grid.cells[index - 1] = content
  /// }
  /// ```
  ///
  /// The two functions may use different types: for example, the element read may be optional while
  /// the element written is not.
  public func `subscript`<
    Key: TideConvertible, Content: TideConvertible, Written: TideConvertible
  >(
    get: @escaping (Object, Key) throws -> Content,
    set: @escaping (Object, Key, Written) throws -> Void
  ) where Object: AnyObject {
    self.subscript(get: get)
    addSubscriptSetter { [receive] call, key, content in
      try set(try receive(call, 0), key, content)
    }
  }

  /// Adds a setter to an existing subscript.
  func addSubscriptSetter<Key: TideConvertible, Content: TideConvertible>(
    _ set: @escaping (borrowing LuaCall, Key, Content) throws -> Void
  ) {
    let name = self.name
    fallbacks["set"] = { call in
      try call.blamingCaller {
        let key: Key = try call.key(1, of: name, "property")
        try set(call, key, try call.content(2, of: "\(name)[\(call.keyText(1))]"))
      }
    }
  }
}

// MARK: Names

extension LuaUserType {
  static func types<each Argument: TideConvertible>(
    _ types: repeat (each Argument).Type
  ) -> [any TideConvertible.Type] {
    var all: [any TideConvertible.Type] = []
    for type in repeat each types { all.append(type) }
    return all
  }

  func addMethod(
    _ name: String, _ parameters: [any TideConvertible.Type], _ body: @escaping Body
  ) {
    if getters[name] != nil { noteRepeat(name) }
    if !methods[name, default: LuaOverloads()].add(parameters, body) { noteRepeat(name) }
  }

  func addFunction(
    _ name: String, _ parameters: [any TideConvertible.Type], _ body: @escaping Body
  ) {
    if constants[name] != nil || staticGetters[name] != nil { noteRepeat(name) }
    if !functions[name, default: LuaOverloads()].add(parameters, body) { noteRepeat(name) }
  }

  private func addOperator(
    _ sign: Operator, _ parameters: [any TideConvertible.Type], _ body: @escaping Body
  ) {
    if !operators[sign, default: LuaOverloads()].add(parameters, body) {
      noteRepeat(sign.rawValue)
    }
  }

  /// Records the first name that is described twice.
  private func noteRepeat(_ name: String) { repeated = repeated ?? name }

  private func noteUse(ofMember name: String) {
    if methods[name] != nil || getters[name] != nil { noteRepeat(name) }
  }

  private func noteUse(ofStatic name: String) {
    if functions[name] != nil || constants[name] != nil || staticGetters[name] != nil {
      noteRepeat(name)
    }
  }
}
