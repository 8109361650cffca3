// The protocols by which objects of upper modules are converted to Swift values.

/// An object with elements: a table of the interpreter, or a list of the engine.
package protocol ElementSource: AnyObject {
  /// The elements in order.
  func sequenceValues() throws -> [Value]
  /// The elements as integers or floating-point numbers, without creating a `Value` for each; nil
  /// for any other type, or if they must be converted one by one.
  func numbers<Element>(as type: Element.Type) throws -> [Element]?
}

extension ElementSource {
  package func numbers<Element>(as type: Element.Type) throws -> [Element]? { nil }
}

/// An object with entries: a table of the interpreter, or an object of the engine.
package protocol EntrySource: AnyObject {
  /// The entries, in unspecified order.
  func entryValues() throws -> [(key: Value, value: Value)]
}

/// An object that decodes itself, which is faster than decoding its entries.
package protocol ValueDecodable: AnyObject {
  func decoded<Content: Decodable>(as type: Content.Type) throws -> Content
}

/// An object of the interpreter that represents a Swift object.
package protocol ObjectStandIn: AnyObject {
  /// The represented object; nil once it no longer exists.
  var standsFor: AnyObject? { get }
}

/// An object whose values are stored in a graph's memory, identified by the address of its header.
package protocol SlotOwner: AnyObject {
  var slotAddress: UnsafeMutableRawPointer { get }
}

/// An object that scripts know by a name other than its Swift class.
package protocol NamedKind: AnyObject {
  /// Its name in messages, such as `function`.
  var kindName: String { get }
}

/// Represents a data object that no longer exists.
package final class DisposedObject: NamedKind, Sendable {
  package static let shared = DisposedObject()
  package let kindName = "object that has been disposed of"
  private init() {}
}

/// An object that may be a plain table written by a script, including functions.
package protocol FunctionHolding: AnyObject {
  /// The name of a function in that table; nil if it has none, or if the object is not a plain
  /// table.
  var nameOfFunction: String? { get }
}
