package import TideBindings
import TideGraph
import TideLua

/// Maps persisted objects to the classes of an app's scripts.
///
/// An object is restored with its persisted values; its class's `init` does not run. If the class
/// has changed, the rules of a reload apply: a new property gets its default, a removed one is
/// ignored, and one of another type is converted or gets its default.
final class ScriptSettingsClasses: SettingsClasses {
  private let home: Home
  /// Whether validators are called, as for values that other runtimes have written.
  private let validates: Bool

  init(_ home: Home, validating validates: Bool = false) {
    (self.home, self.validates) = (home, validates)
  }

  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind {
    guard let object = object as? ScriptObject else {
      throw TideError(.settings, "settings cannot hold functions or host objects")
    }
    let scriptClass = object.scriptClass
    // A class that a reload has removed keeps its name, since it may return.
    if let module = scriptClass.module { return .named(scriptClass.name, module: module) }
    let properties = scriptClass.shape.properties
    let isPlain = properties.allSatisfy {
      $0.derive == nil && $0.validate == nil && $0.cases == nil && !$0.isReadOnly
    }
    guard isPlain, scriptClass.superclass == nil, scriptClass.initializer == nil,
      (try? scriptClass.methods.entries().isEmpty) == true
    else {
      throw TideError(
        .settings,
        "\(object.label) has functions or properties with rules of its own, which no file can hold; "
          + "make it an object of a class that a script of the app declares")
    }
    return .anonymous(
      properties.map { .init($0.name, $0.type, isNullable: $0.isNullable) })
  }

  func make(
    _ kind: SettingsObjectKind, _ values: [String: Value]
  ) throws(TideError) -> DataObject? {
    let runtime = try home.requireRuntime()
    do {
      switch kind {
      case .named(let name, let module):
        guard let found = runtime.scriptClass(named: name, of: module) else { return nil }
        return try runtime.make(found, holding: values, validating: validates)
      case .anonymous(let properties):
        return try runtime.make(runtime.plainClass(properties), holding: values)
      }
    } catch {
      throw TideError(wrapping: error, graph: runtime.graph)
    }
  }
}

extension ScriptSettingsClasses {
  func fill(_ object: DataObject, _ values: [String: Value]) throws(TideError) {
    guard let object = object as? ScriptObject else { return }
    let runtime = try home.requireRuntime()
    do { try runtime.fill(object, values, validating: validates) } catch {
      throw TideError(wrapping: error, graph: runtime.graph)
    }
  }
}

extension Runtime {
  /// Serializes and restores objects of the app's classes.
  package var keptClasses: any SettingsClasses { ScriptSettingsClasses(home) }

  /// Whether a module of the app, or a prompt, declares a class with a name.
  package func declaresClass(_ name: String) -> Bool { !declaredClasses(named: name).isEmpty }

  /// Whether a class or a model of the app declares a property.
  package func declares(_ property: String, ofClass name: String) -> Bool {
    declaredClasses(named: name).contains { $0.shape.index(of: property) != nil }
      || graph.untracked { models[name]?.shape.index(of: property) } != nil
  }

  /// The class that a module declares, or else the only class of that name.
  func scriptClass(named name: String, of module: String) -> ScriptClass? {
    if let found = modules[module]?.classes[name] { return found }
    let others = declaredClasses(named: name)
    return others.count == 1 ? others[0] : nil
  }

  /// The class of anonymous objects with these properties.
  fileprivate func plainClass(_ properties: [SettingsObjectKind.Property]) throws -> ScriptClass {
    var declaration = ClassDeclaration()
    for property in properties.sorted(by: { $0.name < $1.name }) {
      var description = PropertyDescription(property.name, property.type)
      description.isNullable = property.isNullable
      declaration.properties.append(description)
    }
    guard let signature = declaration.signature else {
      return try makeClass("object", declaration, nil)
    }
    if let known = declarations.shapes[signature] { return known }
    // Classes are never released before the app ends.
    guard declarations.shapesFromElsewhere < Self.mostShapesFromElsewhere else {
      throw TideError(
        .limit,
        "there are objects of more than \(Self.mostShapesFromElsewhere) different sets of properties in what is "
          + "kept or shared; declare a class for those that are of one kind")
    }
    declarations.shapesFromElsewhere += 1
    let made = try makeClass("object", declaration, nil)
    declarations.shapes[signature] = made
    return made
  }

  private static let mostShapesFromElsewhere = 1000

  /// Makes an object with persisted values.
  ///
  /// - Parameter validating: whether validators are called. Values that they refuse are listed and
  ///   ignored.
  func make(
    _ scriptClass: ScriptClass, holding values: [String: Value], validating: Bool = false
  ) throws -> ScriptObject {
    try charge(Self.size(properties: scriptClass.shape.properties.count))
    let object = ScriptObject(scriptClass)
    noteMaking(of: object)
    try fill(object, values, validating: validating)
    return object
  }

  fileprivate func fill(
    _ object: ScriptObject, _ values: [String: Value], validating: Bool
  ) throws {
    for (index, property) in object.shape.propertiesByIndex.enumerated() where !property.isRetired {
      guard property.derive == nil, let value = values[property.name],
        var fitting = try? property.fitting(value)
      else { continue }
      if validating, property.validate != nil {
        do { fitting = try object.admitted(index, fitting) } catch {
          listKeptData(TideError(wrapping: error, graph: graph))
          continue
        }
      }
      _ = try object.store(index, fitting, settling: false)
    }
  }
}

extension PropertyDescription {
  fileprivate func fitting(_ value: Value) throws(TideError) -> Value {
    if let cases, value != .null { return try value.converted(toOneOf: cases) }
    return try value.converted(to: type, isNullable: isNullable, default: initial.value)
  }
}
