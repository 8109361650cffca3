import TideBindings
import TideGraph
import TideLua

/// Observers of calls of an object's methods.
///
/// A watched method is replaced by a function that calls the method and then reports the call. The
/// method is restored when its last watch ends.
struct MethodWatches {
  private var watches: [Key: NumberedList<MethodWatch>] = [:]
  /// The functions that replace methods, and the methods.
  private var wrapped: [Key: (wrapper: LuaFunction, original: LuaValue)] = [:]
  /// Creates a function that calls a method and then reports the call.
  var wrap: LuaFunction?

  private struct Key: Hashable {
    let shape: UInt32
    let name: String
  }

  /// Whether the method is already replaced.
  func isWrapped(_ name: String, of shape: Shape) -> Bool {
    watches[Key(shape: shape.number, name: name)] != nil
  }

  mutating func noteWrapped(
    _ name: String, of shape: Shape, by wrapper: LuaFunction, _ original: LuaValue
  ) {
    let key = Key(shape: shape.number, name: name)
    watches[key] = NumberedList()
    wrapped[key] = (wrapper, original)
  }

  /// The replacement to undo if a method is no longer watched; nil while it is.
  mutating func takeUnwatched(
    _ name: String, of shape: Shape
  ) -> (wrapper: LuaFunction, original: LuaValue)? {
    let key = Key(shape: shape.number, name: name)
    guard watches[key]?.isEmpty == true else { return nil }
    watches[key] = nil
    return wrapped.removeValue(forKey: key)
  }

  /// Returns the number that removes the watch.
  mutating func add(_ watch: MethodWatch, of name: String, in shape: Shape) -> Int {
    watches[Key(shape: shape.number, name: name), default: NumberedList()].append(watch)
  }

  mutating func remove(_ watch: Int, of name: String, in shape: Shape) {
    watches[Key(shape: shape.number, name: name)]?.remove(watch)
  }

  func watches(of name: String, in shape: Shape) -> NumberedList<MethodWatch> {
    watches[Key(shape: shape.number, name: name)] ?? NumberedList()
  }

  /// The number of watches.
  var count: Int { watches.values.reduce(0) { $0 + $1.count } }
}

final class MethodWatch {
  let object: ObjectHandle
  let called: () -> Void

  init(_ object: DataObject, _ called: @escaping () -> Void) {
    self.object = ObjectHandle(object)
    self.called = called
  }
}

extension Runtime {
  /// Calls a function after each call of an object's method. The returned function ends that.
  func watch(
    _ object: DataObject, _ name: String, _ called: @escaping () -> Void
  ) throws -> () -> Void {
    let shape = try owner(ofMethod: name, of: object)
    if !declarations.methodWatches.isWrapped(name, of: shape) { try wrap(name, of: shape) }
    let watch = declarations.methodWatches.add(MethodWatch(object, called), of: name, in: shape)
    return { [home] in home.runtime?.end(watch, of: name, in: shape) }
  }

  private func end(_ watch: Int, of name: String, in shape: Shape) {
    declarations.methodWatches.remove(watch, of: name, in: shape)
    guard let (wrapper, original) = declarations.methodWatches.takeUnwatched(name, of: shape),
      let methods = try? lua.methods(ofClass: shape.number),
      // A script may have replaced the function.
      (try? methods.rawGet(.string(name))) == .function(wrapper)
    else { return }
    do { try methods.rawSet(.string(name), original) } catch { list(error) }
  }

  /// The class that defines an object's method. Throws an error with the nearest name.
  func owner(ofMethod name: String, of object: DataObject) throws -> Shape {
    try defineClass(object.shape)
    var names: [String] = []
    var current: Shape? = object.shape
    while let shape = current {
      let methods = try lua.methods(ofClass: shape.number)
      if case .function = try methods.rawGet(.string(name)) { return shape }
      names += try methods.entries().compactMap(\.key.string)
      current = shape.superclass
    }
    throw TideError(
      .unknownProperty,
      "\(object.label) has no method \"\(name.inMessage)\"\(NearestName.hintOrNames(for: name, in: names))"
    )
  }

  private func wrap(_ name: String, of shape: Shape) throws {
    let wrap =
      try declarations.methodWatches.wrap
      ?? lua.load(
        """
        local original, called = ...
        local function pass(object, ...) called(object) return ... end
        return function(self, ...) return pass(self, original(self, ...)) end
        """, name: LuaState.ownChunk("tidelock"))
    declarations.methodWatches.wrap = wrap
    let called = try function(named: name) { [unowned self] call in
      guard let object = call.object(0)?.dataObject else { return }
      for watch in declarations.methodWatches.watches(of: name, in: shape)
      where watch.object.object === object {
        watch.called()
      }
    }
    let methods = try lua.methods(ofClass: shape.number)
    let original = try methods.rawGet(.string(name))
    let wrapped = try wrap.call([original, .function(called)])
    guard case .function(let function)? = wrapped.first else { return }
    try methods.rawSet(.string(name), .function(function))
    declarations.methodWatches.noteWrapped(name, of: shape, by: function, original)
  }
}
