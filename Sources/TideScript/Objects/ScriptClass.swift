import TideBindings
import TideGraph
import TideLua

/// A class of data objects that a script has declared: properties, methods, and an initializer.
///
/// A reload that declares it again updates it in place.
final class ScriptClass {
  let name: String
  let shape: Shape
  let superclass: ScriptClass?
  /// Whether it is the class of anonymous objects.
  let isAnonymous: Bool
  /// The methods of its objects.
  let methods: LuaTable
  /// Runs after an object's fields are set.
  var initializer: LuaFunction?
  /// Hashes of a model's declared defaults, by property. A reload resets the properties whose
  /// default has changed.
  var fingerprints: [String: Int] = [:]
  /// The module that declares it by name; nil for the class of a model or an anonymous object, or a
  /// class of the host.
  var module: String?

  init(
    name: String, shape: Shape, superclass: ScriptClass?, methods: LuaTable,
    initializer: LuaFunction?, isAnonymous: Bool = false
  ) {
    self.isAnonymous = isAnonymous
    self.name = name
    self.shape = shape
    self.superclass = superclass
    self.methods = methods
    self.initializer = initializer
  }

  func inherits(from other: ScriptClass) -> Bool {
    var current: ScriptClass? = self
    while let known = current {
      if known === other { return true }
      current = known.superclass
    }
    return false
  }

  func inherits(from name: String) -> Bool {
    var current: ScriptClass? = self
    while let known = current {
      if known.name == name { return true }
      current = known.superclass
    }
    return false
  }
}
