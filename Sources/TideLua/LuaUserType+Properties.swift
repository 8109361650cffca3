// Properties of classes, the most frequent operations. They are inlinable, so that the describing
// module specializes them.

extension LuaUserType where Object: AnyObject {
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

  /// A property that scripts read and write. Values of the wrong type are errors.
  @inlinable @inline(__always)
  public func property<Content: TideConvertible>(
    _ name: String, _ path: ReferenceWritableKeyPath<Object, Content>
  ) {
    property(name) { (object: Object) in
      object[keyPath: path]
    } set: { (object: Object, content: Content) in
      object[keyPath: path] = content
    }
  }

  /// A read-only property with a getter function.
  @inlinable
  public func property<Content: TideConvertible>(
    _ name: String, get: @escaping (Object) throws -> Content
  ) {
    addGetter(name) { (call: borrowing LuaCall) in
      do {
        try call.give(
          try call.withReceiver(of: Object.self) { (object: Object) in try get(object) }, as: name)
      } catch { throw call.blamedOnCaller(error) }
    }
  }

  /// A property that scripts access through functions; the setter may throw to reject a value.
  @inlinable
  public func property<Content: TideConvertible>(
    _ name: String, get: @escaping (Object) throws -> Content,
    set: @escaping (Object, Content) throws -> Void
  ) {
    property(name, get: get)
    let type = self.name
    addSetter(
      name,
      reading: { (call: borrowing LuaCall) in
        do {
          let content = try call.assigned(Content.self, to: name, of: type)
          try call.withReceiver(of: Object.self) { (object: Object) in try set(object, content) }
        } catch { throw call.blamedOnCaller(error) }
      })
  }
}

extension LuaCall {
  /// Calls a function with the object whose property a script accesses.
  @inlinable
  func withReceiver<Object: AnyObject, Result>(
    of type: Object.Type, _ body: (Object) throws -> Result
  ) throws -> Result {
    guard let found = hostObject(0) else { return try body(try instance(0, of: type)) }
    // The script's call retains the object.
    return try Unmanaged<AnyObject>.fromOpaque(found)._withUnsafeGuaranteedRef { object in
      if Swift.type(of: object) == type { return try body(unsafeDowncast(object, to: type)) }
      return try body(try instance(0, of: type))
    }
  }

  /// Adds the value of a property as the result.
  @inlinable
  func give<Content: TideConvertible>(_ content: Content, as name: String) throws {
    if Content.self == Double.self { return self.return(unsafeBitCast(content, to: Double.self)) }
    if Content.self == Int.self { return self.return(unsafeBitCast(content, to: Int.self)) }
    if Content.self == Bool.self { return self.return(unsafeBitCast(content, to: Bool.self)) }
    if Content.self == String.self { return self.return(unsafeBitCast(content, to: String.self)) }
    try give(held: content, as: name)
  }

  /// The value that a script assigns to a property.
  @inlinable
  func assigned<Content: TideConvertible>(
    _ type: Content.Type, to name: String, of typeName: String
  ) throws -> Content {
    if type == Double.self, let number = plainNumber(1) {
      return unsafeBitCast(number, to: type)
    }
    if type == Int.self, let integer = plainInteger(1) { return unsafeBitCast(integer, to: type) }
    if type == Bool.self, let flag = plainFlag(1) { return unsafeBitCast(flag, to: type) }
    return try content(assignedTo: name, of: typeName)
  }
}
