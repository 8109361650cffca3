import TideGraph
package import TideValues

/// Converts objects for a settings file, and back.
package protocol SettingsClasses: AnyObject {
  /// Describes an object's class for a file. Throws the reason if the object cannot be stored.
  func kind(of object: DataObject) throws(TideError) -> SettingsObjectKind
  /// Makes an object of a class with values; nil while the app has no such class.
  func make(_ kind: SettingsObjectKind, _ values: [String: Value]) throws(TideError) -> DataObject?
  /// Stores values in an object that was made without them.
  func fill(_ object: DataObject, _ values: [String: Value]) throws(TideError)

  /// The reference that is written in place of an object that is stored elsewhere; nil for an
  /// object that is written inline.
  ///
  /// - Parameter depth: the number of values that enclose it.
  func reference(to object: DataObject, depth: Int) throws(TideError) -> SettingsReference?
  /// The object that a reference names; nil while the app does not have it or its class. A row or a
  /// property's list that the app does not have is left out of lists and dicts, and nil elsewhere.
  func object(of reference: SettingsReference) throws(TideError) -> DataObject?
  /// Unread entries that are written with an object in addition to its properties.
  func unread(of object: DataObject) -> [DictionaryKey: JSONTree]
  /// Whether entries without a property stay with their objects.
  var keepsEntries: Bool { get }
  /// Receives all entries from which an object was made.
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

/// A reference in a text to an object that is stored elsewhere.
package enum SettingsReference: Hashable {
  /// An object that the same store has written separately.
  case number(Int)
  /// A model, by its name.
  case model(String)
  /// The list or dict that a property of a model holds.
  case property(String, model: String)
  /// A row of a shared list, by its identity.
  case row(id: String, list: String, model: String)
}

/// An object's class as written in a settings file.
package enum SettingsObjectKind {
  case named(String, module: String)
  /// An object without a class: its properties, in order.
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
  /// The values of its properties, without computed ones.
  package var storedValues: [(name: String, value: Value)] {
    shape.properties.filter { $0.derive == nil }.map { ($0.name, self[$0.name]) }
  }
}
