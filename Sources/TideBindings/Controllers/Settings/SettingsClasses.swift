import TideGraph
package import TideValues

/// Takes objects apart for a file of settings, and makes them again.
package protocol SettingsClasses: AnyObject {
  /// What a file has to say of the class of an object. Throws why the object cannot be kept.
  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind
  /// An object of a class, which holds the values; nil while the app has no such class.
  func make(_ kind: SettingsObjectKind, _ values: [String: Value]) throws(TideError) -> DataObject?
}

/// What a file of settings says of an object's class.
package enum SettingsObjectKind {
  case named(String, module: String)
  /// Of no class: its properties, in order.
  case anonymous([Property])

  package struct Property {
    package let name: String
    package let type: ValueType
    package let isNullable: Bool

    package init(_ name: String, _ type: ValueType, isNullable: Bool) {
      self.name = name
      self.type = type
      self.isNullable = isNullable
    }
  }
}

extension DataObject {
  /// What it holds beside what is computed.
  package var storedValues: [(name: String, value: Value)] {
    shape.properties.filter { $0.derive == nil }.map { ($0.name, self[$0.name]) }
  }
}
