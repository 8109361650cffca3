public import TideGraph
import TideValues

/// An ordered, observable collection of Swift values: a typed view of a `ValueList`.
///
/// ```swift
/// final class Person: DataObject {
///   @Property var name = ""
///   @Property var friends = ObservableList<Person>()
/// }
/// person.friends.append(other)
/// context.observe(person.friends) { change in print(change.kind, change.indexes) }
/// ```
///
/// It is a reference to the list: copies share the contents, and scripts see the same list.
/// Positions count from 0 here and in the changes; in paths and scripts they count from 1. A script
/// that adds a value of another type gets an error of code `wrongType`.
public struct ObservableList<Element: TideConvertible> {
  /// The list that scripts and paths see.
  public let values: ValueList

  /// Makes an empty list.
  public init() {
    values = ValueList()
    values.elementType = Self.elementType
  }

  /// Makes a list of some elements.
  public init(_ elements: some Sequence<Element>) {
    values = ValueList(elements.map { $0.makeValue() })
    values.elementType = Self.elementType
  }

  /// Makes a typed view of an existing list. Elements of another type are missing in `elements`,
  /// and read as nil by position.
  public init(_ values: ValueList) {
    self.values = values
  }

  /// Nil if every value can be an element.
  private static var elementType: ListElementType? {
    if Element.self == Value.self { return nil }
    return ListElementType(type: Element.self) { value in
      if Element.make(from: value) != nil { return }
      _ = try Element.held(value)
      throw ValueMismatch.expected("\(Element.self)", got: value)
    }
  }

  /// The number of elements.
  public var count: Int { values.count }
  /// Whether it has no elements.
  public var isEmpty: Bool { count == 0 }

  /// The element at a position, from 0; nil outside the list.
  public subscript(position: Int) -> Element? {
    values[position].flatMap(Element.make(from:))
  }

  /// The elements as an array. The read is recorded.
  public var elements: [Element] { values.values.compactMap(Element.make(from:)) }

  /// The position of the first equal element, from 0; nil if there is none.
  public func firstIndex(of element: Element) -> Int? {
    values.index(of: element.makeValue())
  }

  // MARK: Editing

  /// Adds an element at the end. A list that follows another one does not change, but lists an
  /// error.
  public func append(_ element: Element) {
    listingErrors { () throws(TideError) in try values.append(element.makeValue()) }
  }

  /// Adds elements at the end.
  public func append(contentsOf elements: some Sequence<Element>) {
    let added = elements.map { $0.makeValue() }
    listingErrors { () throws(TideError) in try values.append(contentsOf: added) }
  }

  /// Inserts an element at an index from 0. An index equal to the count appends.
  ///
  /// - Throws: `outOfRange`, `readOnly` or `graph`; the list then stays unchanged.
  public func insert(_ element: Element, at position: Int) throws(TideError) {
    try values.insert(element.makeValue(), at: position)
  }

  /// Removes the element at an index from 0.
  ///
  /// - Throws: as `insert(_:at:)` does.
  @discardableResult
  public func remove(at position: Int) throws(TideError) -> Element? {
    try values.remove(at: position).first.flatMap(Element.make(from:))
  }

  /// Removes the first element that equals this one, or is this object; false when there is none.
  @discardableResult
  public func remove(_ element: Element) -> Bool {
    var isRemoved = false
    listingErrors { () throws(TideError) in isRemoved = try values.removeObject(element.makeValue())
    }
    return isRemoved
  }

  /// Replaces the element at an index from 0.
  ///
  /// - Throws: as `insert(_:at:)` does.
  public func replace(at position: Int, with element: Element) throws(TideError) {
    try values.replace(at: position, with: element.makeValue())
  }

  /// Moves an element. Indexes count from 0; `to` is the element's index afterwards.
  ///
  /// - Throws: as `insert(_:at:)` does.
  public func move(from: Int, to: Int) throws(TideError) {
    try values.move(from: from, to: to)
  }

  /// Removes all elements.
  public func removeAll() {
    listingErrors { () throws(TideError) in try values.clear() }
  }

  /// Sets the contents to those of an array, by the smallest edits, which alone are reported.
  public func set(_ elements: some Sequence<Element>) {
    let wanted = elements.map { $0.makeValue() }
    listingErrors { () throws(TideError) in try values.set(wanted) }
  }

  private func listingErrors(_ edit: () throws(TideError) -> Void) {
    do {
      try edit()
    } catch {
      BindingTable.listing(error, at: values.firstSlot)
    }
  }
}

extension ObservableList: Sequence {
  /// Iterates over the present elements; later edits have no effect. The read is recorded.
  public func makeIterator() -> some IteratorProtocol<Element> { elements.makeIterator() }
}

extension ObservableList: ExpressibleByArrayLiteral {
  /// Makes a list of the elements of an array literal.
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ObservableList: TideConvertible {
  /// A list.
  public static var valueType: ValueType { .list }

  /// Accepts a list as it is, and makes a list of a script's table.
  ///
  /// - Throws: `ValueMismatch` for anything but a list, or for an element that does not fit.
  public static func from(_ value: Value) throws -> ObservableList {
    guard case .object(let object) = value else {
      throw ValueMismatch.expected("table", got: value)
    }
    if let list = object as? ValueList {
      try adopt(list)
      return ObservableList(list)
    }
    guard !(object is DataObject) else { throw ValueMismatch.expected("table", got: value) }
    return ObservableList(try [Element].from(value))
  }

  /// Restricts a list that a script has made to elements of this type, so that Swift never reads
  /// others. A list that is restricted to another type is refused.
  private static func adopt(_ list: ValueList) throws {
    if list.isReadOnly { return }
    guard let elementType else { return }
    if let other = list.elementType {
      if other.type is Element.Type { return }
      throw ValueMismatch.unsuitable("list of \(Element.self) expected, got one of \(other.type)")
    }
    for (index, value) in Graph.untracked(at: list.firstSlot, { list.values }).enumerated() {
      do { try elementType.check(value) } catch let error as ValueMismatch {
        throw error.inside("[\(index + 1)]")
      }
    }
    list.elementType = elementType
  }

  /// The list that scripts and paths see; the contents are shared, not copied.
  public func toValue() -> Value { .object(values) }
}
