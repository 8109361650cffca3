public import TideValues

/// A Swift value type whose values are objects to scripts, as described by a ``LuaUserType``.
///
/// ```swift
/// struct Vector: LuaStruct {
///   var x = 0.0, y = 0.0
///   mutating func scale(by factor: Double) { x *= factor; y *= factor }
/// }
///
/// let vectors = LuaUserType<Vector>("Vector")
/// vectors.property("x", \.x)
/// vectors.mutating("scale") { (vector: inout Vector, factor: Double) in vector.scale(by: factor) }
/// vectors.function("new") { (x: Double, y: Double) in Vector(x: x, y: y) }
/// try state.register(vectors)
/// // in a script: local v = Vector.new(1, 2)  v.x = 3  v:scale(2)
/// ```
///
/// Swift receives copies, as with any value type, and each returned value becomes a new object. In
/// scripts a value has reference semantics, like a table: after `local w = v` both are the same
/// object. Property and subscript assignments and `mutating` methods change the script's value in
/// place. A value read from a property is also changed in place, as in `body.position.x = 3`; the
/// change is written back with the property's setter.
///
/// A `Codable` type that conforms to `LuaStruct` is passed as an object instead of a table.
public protocol LuaStruct: TideConvertible {}

extension LuaStruct {
  /// `any`.
  public static var valueType: ValueType { .any }

  /// Returns a copy of the value in a script's object.
  ///
  /// - Throws: `ValueMismatch` for any other value.
  public static func from(_ value: Value) throws -> Self { try copy(of: value) }

  /// A new object that holds the value.
  ///
  /// - Throws: nothing.
  public func toValue() throws -> Value { .object(LuaCell(self)) }

  fileprivate static func copy(of value: Value) throws -> Self {
    if case .object(let object) = value {
      if let cell = object as? LuaCell<Self> { return try cell.read() }
      if let cell = (object as? any ObjectStandIn)?.standsFor as? LuaCell<Self> {
        return try cell.read()
      }
    }
    throw ValueMismatch.expected("\(Self.self)", got: value)
  }
}

extension LuaStruct where Self: Codable {
  /// `any`.
  public static var valueType: ValueType { .any }

  /// Returns a copy of the value in a script's object.
  ///
  /// - Throws: `ValueMismatch` for any other value.
  public static func from(_ value: Value) throws -> Self { try copy(of: value) }

  /// A new object that holds the value.
  ///
  /// - Throws: nothing.
  public func toValue() throws -> Value { .object(LuaCell(self)) }
}

/// The base class of objects by which scripts hold value types.
class AnyLuaCell: HoldsContent {
  /// How a script's change to a contained value is applied.
  enum Origin {
    /// The changed value is assigned to its owner.
    case member(of: LuaValue, key: LuaValue)
    /// Not at all: the value is an element of a collection, which must be assigned as a whole.
    case element
  }

  /// The container of the value; nil for a script's own value.
  fileprivate(set) var origin: Origin?

  /// Makes the value immutable for scripts, because it is an element of a contained collection.
  func becomeElement() { origin = .element }

  func mayEqual(_ other: AnyObject) -> Bool { self === other }

  /// A new object with the same value, contained in an owner under a key.
  func copied(from owner: LuaValue, at key: LuaValue) throws -> AnyLuaCell { self }
}

/// The object by which scripts hold a value.
final class LuaCell<Content: LuaStruct>: AnyLuaCell {
  // Nil while a function changes it, because a second access would violate exclusivity.
  private var content: Content?

  init(_ content: Content) { self.content = content }

  override func copied(from owner: LuaValue, at key: LuaValue) throws -> AnyLuaCell {
    let copy = LuaCell(try read())
    copy.origin = .member(of: owner, key: key)
    return copy
  }

  override func mayEqual(_ other: AnyObject) -> Bool {
    guard let other = other as? LuaCell<Content> else { return false }
    guard let content, let held = other.content, let comparable = content as? any Equatable else {
      return true
    }
    return comparable.equals(held)
  }

  func read() throws -> Content {
    guard let content else { throw inUse }
    return content
  }

  /// Changes the value in place, and keeps the change even if the function throws. A contained
  /// value is then assigned to its owner; if the function or the assignment throws, it is restored.
  func change<Result>(
    in state: LuaState, _ body: (inout Content) throws -> Result
  ) throws -> Result {
    guard var taken = content.take() else { throw inUse }
    guard let origin else {
      defer { content = taken }
      return try body(&taken)
    }
    let before = taken
    defer { content = taken }
    do {
      let result = try body(&taken)
      try write(taken, to: origin, in: state)
      return result
    } catch {
      taken = before
      throw error
    }
  }

  private func write(_ changed: Content, to origin: Origin, in state: LuaState) throws {
    switch origin {
    case .member(let owner, let key):
      let value = try state.lower(.object(LuaCell(changed)))
      try state.memberAssignment().call([owner, key, value])
    case .element:
      throw LuaError(
        .runtime,
        "this \(Content.self) is a copy of an element of a Swift collection; assign another one "
          + "to the element")
    }
  }

  private var inUse: LuaError {
    LuaError(.runtime, "this \(Content.self) is being changed by a method that has not returned")
  }
}

extension LuaUserType where Object: LuaStruct {
  /// Describes a value type under a name for scripts.
  public convenience init(_ name: String) {
    self.init(name, holding: LuaCell<Object>.self) { call, index in
      try call.cell(index, of: Object.self).read()
    }
  }

  /// A property that scripts read and write in place. Values of the wrong type are errors.
  public func property<Content: TideConvertible>(
    _ name: String, _ path: WritableKeyPath<Object, Content>
  ) {
    property(name) {
      $0[keyPath: path]
    } set: { (object: inout Object, content: Content) in
      object[keyPath: path] = content
    }
  }

  /// A property that scripts access through functions; the setter may throw to reject a value.
  public func property<Content: TideConvertible>(
    _ name: String, get: @escaping (Object) throws -> Content,
    set: @escaping (inout Object, Content) throws -> Void
  ) {
    property(name, get: get)
    addSetter(name) { (call: borrowing LuaCall, content: Content) in
      try call.cell(0, of: Object.self).change(in: call.state) { try set(&$0, content) }
    }
  }

  /// A method that changes the script's value in place, with typed arguments and one result.
  ///
  /// ```swift
  /// rects.mutating("widen") { (rect: inout Rect, by: Double) in rect.width += by }
  /// ```
  ///
  /// It has exclusive access until it returns: scripts that it calls cannot read or change the
  /// value.
  public func mutating<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (inout Object, repeat each Argument) throws -> Result
  ) {
    addMethod(name, Self.types(repeat (each Argument).self)) { call in
      let cell = try call.cell(0, of: Object.self)
      var index = 1
      let arguments = (repeat try call.next((each Argument).self, &index))
      let result = try cell.change(in: call.state) { try body(&$0, repeat each arguments) }
      try call.return(converting: result, 1)
    }
  }

  /// A method that changes the script's value in place, with several results, or none.
  @_disfavoredOverload
  public func mutating<each Argument: TideConvertible, each Result: TideConvertible>(
    _ name: String,
    _ body: @escaping (inout Object, repeat each Argument) throws -> (repeat each Result)
  ) {
    addMethod(name, Self.types(repeat (each Argument).self)) { call in
      let cell = try call.cell(0, of: Object.self)
      var index = 1
      let arguments = (repeat try call.next((each Argument).self, &index))
      let results = try cell.change(in: call.state) { try body(&$0, repeat each arguments) }
      try call.return(converting: repeat each results)
    }
  }

  /// Elements that scripts read and write in place by a key that is not the name of a property or
  /// method.
  public func `subscript`<
    Key: TideConvertible, Content: TideConvertible, Written: TideConvertible
  >(
    get: @escaping (Object, Key) throws -> Content,
    set: @escaping (inout Object, Key, Written) throws -> Void
  ) {
    self.subscript(get: get)
    addSubscriptSetter { (call: borrowing LuaCall, key: Key, content: Written) in
      try call.cell(0, of: Object.self).change(in: call.state) { try set(&$0, key, content) }
    }
  }
}

extension LuaCall {
  /// The object that holds an argument of a value type.
  fileprivate func cell<Content: LuaStruct>(
    _ index: Int, of type: Content.Type
  ) throws(LuaError) -> LuaCell<Content> {
    if let cell = userdata(index, as: LuaCell<Content>.self) { return cell }
    throw wrongType(index, "\(type)")
  }
}
