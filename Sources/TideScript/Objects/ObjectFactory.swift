package import TideBindings
import TideGraph
import TideLua

/// Makes objects of one class for values from outside, such as rows of a query.
///
/// ```swift
/// let factory = try runtime.objectFactory(ofClass: "entry")
/// let entry = try factory.make(["payee": "baker"])
/// ```
package struct ObjectFactory {
  private let home: Home
  private let scriptClass: ScriptClass

  fileprivate init(_ scriptClass: ScriptClass, _ home: Home) {
    self.scriptClass = scriptClass
    self.home = home
  }

  package var shape: Shape { scriptClass.shape }

  /// Whether both factories make objects of the same class.
  package func makesSame(as other: ObjectFactory) -> Bool { scriptClass === other.scriptClass }

  /// Makes an object with the given values. The class's `init` does not run.
  package func make(_ values: [String: Value]) throws -> DataObject {
    try home.requireRuntime().make(scriptClass, holding: values)
  }
}

extension Runtime {
  /// A factory for a class that one of the app's scripts has declared.
  package func objectFactory(ofClass name: String) throws -> ObjectFactory {
    guard let found = declaredClasses(named: name).first else {
      let names = Set(declaredClassNames).sorted()
      throw TideError(
        .badArgument,
        "no script has declared a class \"\(name.inMessage)\"\(NearestName.hint(for: name, in: names))"
      )
    }
    return ObjectFactory(found, home)
  }

  /// A factory for objects with a read-only property for each column.
  package func objectFactory(ofColumns names: [String]) throws -> ObjectFactory {
    var declaration = ClassDeclaration()
    for name in Set(names).sorted() {
      declaration.properties.append(PropertyDescription(name, isReadOnly: true))
    }
    let signature = "row \(declaration.signature ?? "")"
    let known = try declarations.shapes[signature] ?? makeClass("row", declaration, nil)
    declarations.shapes[signature] = known
    return ObjectFactory(known, home)
  }

  /// Serializes a value for a database, with its class if it is an object.
  ///
  /// - Throws: `settings` with the reason if the value cannot be stored.
  package func keptBytes(of value: Value) throws(TideError) -> [UInt8] {
    try KeptValues.bytes(of: value, classes: ScriptSettingsClasses(home))
  }

  /// Deserializes a value; nil if the app does not declare its class.
  package func keptValue(in bytes: [UInt8]) throws(TideError) -> Value? {
    try KeptValues.value(in: bytes, classes: ScriptSettingsClasses(home))
  }
}
