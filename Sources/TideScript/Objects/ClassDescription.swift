package import TideBindings
package import TideLua

/// What objects of a script's class have, for completion and help.
///
/// ```swift
/// ClassDescription(try lua.globals.rawGet("Person"))?.shape.properties.map(\.name)   // ["age", "name"]
/// ```
package struct ClassDescription {
  package let name: String
  /// The properties of its objects.
  package let shape: Shape
  /// The functions that its objects have as methods, those of its superclasses included.
  package let methods: [String]

  /// Nil for a value that is no class.
  package init?(_ value: LuaValue) {
    guard case .userdata(let userdata) = value, let known = userdata.object as? ScriptClass else {
      return nil
    }
    name = known.name
    shape = known.shape
    var methods: Set<String> = []
    var current: ScriptClass? = known
    while let each = current {
      for (key, _) in (try? each.methods.entries()) ?? [] {
        if let name = key.string { methods.insert(name) }
      }
      current = each.superclass
    }
    self.methods = methods.sorted()
  }

  /// The names of all classes that the app has declared, and of those of its views.
  package static func names(in runtime: Runtime) -> [String] {
    runtime.declaredClassNames + runtime.viewClassNames
  }

  /// The shape of objects of a class that the app has declared.
  package static func shape(named name: String, in runtime: Runtime) -> Shape? {
    runtime.declaredClasses(named: name).first?.shape
  }
}
