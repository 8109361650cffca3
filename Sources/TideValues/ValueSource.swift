// What the modules above say of their objects, so that Swift values can be made of them.

/// An object that has elements: a table of the interpreter, a list of the engine.
package protocol ElementSource: AnyObject {
  /// The elements in order.
  func sequenceValues() throws -> [Value]
  /// The elements as integers or floating-point numbers, without a value for each; nil where they
  /// are to be converted one by one, or for any other type.
  func numbers<Element>(as type: Element.Type) throws -> [Element]?
}

extension ElementSource {
  package func numbers<Element>(as type: Element.Type) throws -> [Element]? { nil }
}

/// An object that has entries: a table of the interpreter, an object of the engine.
package protocol EntrySource: AnyObject {
  /// The entries in no order.
  func entryValues() throws -> [(key: Value, value: Value)]
}

/// An object that decodes itself, faster than by way of its entries.
package protocol ValueDecodable: AnyObject {
  func decoded<Content: Decodable>(as type: Content.Type) throws -> Content
}

/// An object of the interpreter that stands for one of Swift.
package protocol ObjectStandIn: AnyObject {
  /// The object, while it exists.
  var standsFor: AnyObject? { get }
}

/// An object whose values lie in a graph's memory, where it is known by the address of its header.
package protocol SlotOwner: AnyObject {
  var slotAddress: UnsafeMutableRawPointer { get }
}

/// An object of the program that scripts know under another name than its Swift class.
package protocol NamedKind: AnyObject {
  /// What messages call it: `function`.
  var kindName: String { get }
}

/// Stands for a data object that is gone.
package final class DisposedObject: NamedKind, Sendable {
  package static let shared = DisposedObject()
  package let kindName = "object that has been disposed of"
  private init() {}
}

/// An object that may be no more than the table that a script wrote, functions and all.
package protocol FunctionHolding: AnyObject {
  /// The name of a function in that table; nil for none, and for objects that are more.
  var nameOfFunction: String? { get }
}
