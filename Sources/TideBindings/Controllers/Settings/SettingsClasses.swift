import TideGraph
package import TideValues

/// Takes objects apart for a file of settings, and makes them again.
package protocol SettingsClasses: AnyObject {
  /// What a file has to say of the class of an object. Throws why the object cannot be kept.
  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind
  /// An object of a class, which holds the values; nil while the app has no such class.
  func make(_ kind: SettingsObjectKind, _ values: [String: Value]) throws(TideError) -> DataObject?
  /// Stores values in an object that was made without them.
  func fill(_ object: DataObject, _ values: [String: Value]) throws(TideError)

  /// What is written in place of an object that has a place of its own; nil for one that is written
  /// where it stands.
  ///
  /// - Parameter depth: how many values it lies within.
  func reference(to object: DataObject, depth: Int) throws(TideError) -> SettingsReference?
  /// The object that a reference names; nil while the app does not have it or its class. A row or
  /// a property's list that the app does not have is left out of lists and dicts, and nil elsewhere.
  func object(of reference: SettingsReference) throws(TideError) -> DataObject?
  /// Entries that are written with an object, although they are not its properties' values.
  func unread(of object: DataObject) -> [DictionaryKey: JSONTree]
  /// Whether entries that are no properties stay with their objects.
  var keepsEntries: Bool { get }
  /// Receives all entries that an object was made of.
  func noteEntries(_ entries: [DictionaryKey: JSONTree], of object: DataObject)
}

extension SettingsClasses {
  package func reference(
    to object: DataObject, depth: Int
  ) throws(TideError) -> SettingsReference? { nil }
  package func object(of reference: SettingsReference) throws(TideError) -> DataObject? { nil }
  package func unread(of object: DataObject) -> [DictionaryKey: JSONTree] { [:] }
  package var keepsEntries: Bool { false }
  package func noteEntries(_ entries: [DictionaryKey: JSONTree], of object: DataObject) {}
}

/// What stands in a text for an object that is elsewhere.
package enum SettingsReference: Hashable {
  /// One that the same store has written by itself.
  case number(Int)
  /// A model, by its name.
  case model(String)
  /// The list or dict that a property of a model holds.
  case property(String, model: String)
  /// A row of a shared list, by its identity.
  case row(id: String, list: String, model: String)
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
