public import TideBindings
import TideGraph
public import TideLua

/// The Swift functions that scripts call as methods of the objects of a Swift class.
///
/// ```swift
/// let methods = runtime.methods(of: Person.self)
/// try methods.define("greet") { (person: Person, word: String) in "\(word), \(person.name)" }
/// // in a script: models.person:greet("Hello")
/// ```
///
/// Subclasses inherit them, unless they define a method of the same name. As with a script's
/// method, changes settle when the method returns, and errors are raised at the calling line.
public struct ObjectMethods<Object: DataObject> {
  private let runtime: Runtime

  init(_ runtime: Runtime) { self.runtime = runtime }

  /// Defines a method that reads its own arguments, counted from 1, and returns its own results.
  /// This is the fastest kind.
  ///
  /// - Throws: `LuaError` if the runtime is closed or its memory is exhausted.
  public func define(
    _ name: String, _ body: @escaping (Object, borrowing LuaCall) throws -> Void
  ) throws {
    let function = try runtime.lua.function(named: name) { [home = runtime.home] call in
      guard let object = call.instance(of: Object.self) else {
        throw call.wrongType(0, "\(Object.self)")
      }
      let done: Void? = try home.with { try $0.runMethod { try body(object, call) } }
      if done == nil { throw home.endedError }
    }
    try runtime.addMethod(name, function, of: Object.self)
  }

  /// Defines a method with typed arguments and a result.
  ///
  /// - Throws: `LuaError` if the runtime is closed or its memory is exhausted.
  @_disfavoredOverload
  public func define<each Argument: TideConvertible, Result: TideConvertible>(
    _ name: String, _ body: @escaping (Object, repeat each Argument) throws -> Result
  ) throws {
    try define(name) { (object: Object, call: borrowing LuaCall) in
      var index = 0
      let result = try body(object, repeat call.next((each Argument).self, &index))
      try call.return(result.toLua(in: call.state))
    }
  }

  /// Defines a method with typed arguments and no result.
  ///
  /// - Throws: `LuaError` if the runtime is closed or its memory is exhausted.
  @_disfavoredOverload
  public func define<each Argument: TideConvertible>(
    _ name: String, _ body: @escaping (Object, repeat each Argument) throws -> Void
  ) throws {
    try define(name) { (object: Object, call: borrowing LuaCall) in
      var index = 0
      try body(object, repeat call.next((each Argument).self, &index))
    }
  }
}

extension LuaCall {
  /// The receiver of the method call, if it is of the class. Comparing with the exact class first
  /// avoids most of the cost of a cast.
  fileprivate func instance<Object: DataObject>(of type: Object.Type) -> Object? {
    guard let object = object(0)?.header.block else { return nil }
    if Swift.type(of: object) == type { return unsafeDowncast(object, to: type) }
    return object as? Object
  }

  /// The next argument. The receiver is the first.
  fileprivate func next<Value: TideConvertible>(
    _ type: Value.Type, _ index: inout Int
  ) throws -> Value {
    index += 1
    return try argument(index)
  }
}

extension Runtime {
  /// The methods that scripts can call on objects of a Swift class; more can be defined.
  public func methods<Object: DataObject>(of type: Object.Type) -> ObjectMethods<Object> {
    ObjectMethods(self)
  }

  /// Runs a method as a batch, and retains the objects that it returns until Lua has taken them
  /// over.
  func runMethod(_ body: () throws -> Void) throws {
    if calls.callDepth == 0 && !calls.handedOver.isEmpty {
      calls.handedOver.removeAll(keepingCapacity: true)
    }
    calls.callDepth += 1
    graph.beginBatch()
    defer {
      graph.endBatch()
      calls.callDepth -= 1
    }
    try body()
  }

  func addMethod(_ name: String, _ function: LuaFunction, of type: DataObject.Type) throws {
    declarations.swiftMethods[ObjectIdentifier(type), default: [:]][name] = function
    // Scripts may already have used some of the classes.
    for layout in DeclaredLayout.all
    where lua.isClassDefined(layout.shape.number)
      && layout.shape.swiftClasses.contains(ObjectIdentifier(type))
    {
      try addSwiftMethods(to: lua.methods(ofClass: layout.shape.number), of: layout.shape)
    }
  }

  /// Adds the methods that the host has defined for a shape's class and its superclasses.
  func addSwiftMethods(to methods: LuaTable, of shape: Shape) throws {
    for type in shape.swiftClasses.reversed() {
      for (name, function) in declarations.swiftMethods[type] ?? [:] {
        try methods.rawSet(.string(name), .function(function))
      }
    }
  }
}

extension Runtime {
  /// The methods that scripts can call on an object.
  package func methodNames(of object: DataObject) -> [String] {
    var names: Set<String> = []
    var shape: Shape? = object.shape
    while let known = shape {
      // A class that no script has used yet has no methods.
      if lua.isClassDefined(known.number), let methods = try? lua.methods(ofClass: known.number) {
        for (key, _) in (try? methods.entries()) ?? [] {
          if let name = key.string { names.insert(name) }
        }
      }
      shape = known.superclass
    }
    return names.sorted()
  }
}
