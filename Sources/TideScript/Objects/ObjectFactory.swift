package import TideBindings
import TideGraph
import TideLua

/// Makes objects that hold what comes from elsewhere, of one class.
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

  /// Whether both make objects of one class.
  package func makesSame(as other: ObjectFactory) -> Bool { scriptClass === other.scriptClass }

  /// An object that holds some values by name; its class's `init` does not run.
  package func make(_ values: [String: Value]) throws -> DataObject {
    try home.requireRuntime().make(scriptClass, holding: values)
  }
}

extension Runtime {
  /// Makes objects of a class that a script of the app has declared.
  package func objectFactory(ofClass name: String) throws -> ObjectFactory {
    guard let found = modules.all.compactMap({ $0.classes[name] }).first else {
      let names = Array(Set(modules.all.flatMap { $0.classes.keys })).sorted()
      throw TideError(
        .badArgument,
        "no script has declared a class \"\(name.inMessage)\"\(NearestName.hint(for: name, in: names))"
      )
    }
    return ObjectFactory(found, home)
  }

  /// Makes objects with a property for each column, which scripts can only read.
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

  /// A value as bytes for a database, with its class where it is an object's.
  ///
  /// - Throws: `settings` with why no file can hold it.
  package func keptBytes(of value: Value) throws(TideError) -> [UInt8] {
    try KeptValues.bytes(of: value, classes: ScriptSettingsClasses(home))
  }

  /// The value that bytes stand for; nil while it is of a class that the app does not have.
  package func keptValue(in bytes: [UInt8]) throws(TideError) -> Value? {
    try KeptValues.value(in: bytes, classes: ScriptSettingsClasses(home))
  }
}
