import TideBindings
import TideGraph
import TideLua

/// The contents of a class declaration in a script, before the class is made.
struct ClassDeclaration {
  var properties: [PropertyDescription] = []
  var methods: [(name: String, function: LuaFunction)] = []
  var initializer: LuaFunction?
  /// Properties whose default was declared with `property {…}`. The default belongs to the class
  /// even if each object has its own values.
  private var declared: Set<String> = []

  init() {}

  /// Reads a table of fields: defaults, declared and computed properties, methods and `init`.
  init(_ fields: LuaTable, in runtime: Runtime, isClass: Bool) throws {
    let entries = try fields.entries().map { key, value in
      guard case .string(let name) = key else {
        throw TideError(
          .wrongType, "a data object's fields have names; found the key \(key.preview)")
      }
      try TextLimit.check(name, "a property's name")
      return (name, value)
    }
    // A table has no order; sorting by name makes every run the same.
    for (name, value) in entries.sorted(by: { $0.0 < $1.0 }) {
      switch value {
      case .function(let function) where name == "init" && isClass: initializer = function
      case .function(let function): methods.append((name, function))
      case .userdata(let userdata):
        if let declaration = userdata.object as? PropertyDeclaration {
          let description = declaration.description(
            named: name, copies: isClass, in: runtime)
          properties.append(description)
          if description.initial.isScalar { declared.insert(name) }
        } else {
          properties.append(try plain(name, value, copies: isClass, in: runtime))
        }
      default: properties.append(try plain(name, value, copies: isClass, in: runtime))
      }
    }
  }

  private func plain(
    _ name: String, _ value: LuaValue, copies: Bool, in runtime: Runtime
  ) throws -> PropertyDescription {
    if case .string(let text) = value { try runtime.admitText(text.utf8.count) }
    return try PropertyDeclaration(default: value, copies: copies, in: runtime).description(
      named: name, copies: copies, in: runtime)
  }

  /// The same declaration without defaults, shared by objects of one shape.
  var withoutValues: ClassDeclaration {
    var bare = self
    for index in bare.properties.indices where !declared.contains(bare.properties[index].name) {
      bare.properties[index].initial = .null
    }
    return bare
  }

  /// The scalar defaults, by property index; nil if there are none.
  var scalars: [Value]? {
    let values = properties.map { $0.initial.isScalar ? $0.initial.value : .null }
    return values.allSatisfy(\.isNil) ? nil : values
  }

  /// A key that identifies the shape of anonymous objects; nil if functions make the shape unique.
  var signature: String? {
    guard methods.isEmpty, initializer == nil else { return nil }
    var parts: [String] = []
    for property in properties {
      if property.derive != nil || property.validate != nil || property.cases != nil { return nil }
      // Prefixed with the length, because a name may contain any character.
      parts.append(
        "\(property.name.utf8.count):\(property.name):\(property.type.name):\(property.isNullable)")
      if declared.contains(property.name) { parts.append(property.initial.value.literal) }
    }
    return parts.joined(separator: ",")
  }
}
