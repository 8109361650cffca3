import TideBindings
import TideGraph
import TideLua

/// A class of data objects as a script declared it: properties, methods, and what makes its
/// objects.
///
/// Declared again by a new version of its module it is the same class, with other contents.
final class ScriptClass {
  let name: String
  let shape: Shape
  let superclass: ScriptClass?
  /// Whether it is no more than what objects without a name have in common.
  let isAnonymous: Bool
  /// The functions that its objects have as methods.
  let methods: LuaTable
  /// Runs after an object's fields are set.
  var initializer: LuaFunction?
  /// What the defaults of a model were when it was declared, by property: kept values give way to a
  /// default that has changed.
  var fingerprints: [String: Int] = [:]
  /// The module that has declared it by its name; nil for a model's, an anonymous object's and one
  /// of the host.
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
