import Synchronization
import TideGraph
import TideValues

/// What the objects of one class have in common: the class's name and its properties, in order.
///
/// ```swift
/// person.shape.properties.map(\.name)   // ["name", "age", "friends"]
/// ```
///
/// A class written in Swift is looked at once, when its first object is made; a script's class and
/// a view class bring their shape.
public final class Shape: @unchecked Sendable {
  // Unchecked, because a script's shape changes when it is declared again: on its graph's thread,
  // the only one that reads it.

  /// What messages call the class.
  public let name: String
  /// The properties of its objects by index, including retired ones, which are declared no more.
  // Nothing reads a shape while it is declared anew.
  @exclusivity(unchecked) package internal(set) final var propertiesByIndex: [PropertyDescription]
  /// Its properties, without those that were declared no more.
  public var properties: [PropertyDescription] {
    hasRetired ? propertiesByIndex.filter { !$0.isRetired } : propertiesByIndex
  }
  @exclusivity(unchecked) private final var hasRetired = false
  /// The class whose properties it has too; nil for none.
  public let superclass: Shape?
  /// A number that names the shape to the Lua side.
  package let number: UInt32
  /// The Swift class that it describes, and that class's superclasses; empty for a script's.
  package let swiftClasses: [ObjectIdentifier]
  @exclusivity(unchecked) final var indexes: [String: Int]
  /// Slots without a name, which come after the properties and begin as nil.
  package let hiddenSlots: Int

  /// Something that goes with the shape.
  package final var companion: AnyObject?

  private static let nextNumber = Atomic<UInt32>(1)
  /// Numbers of shapes that are gone and that nothing names any more.
  private static let unused = Guarded<[UInt32]>([])

  /// Gives the number of a shape that is gone to another one.
  package static func reuse(_ number: UInt32) { unused.withLock { $0.append(number) } }

  /// Makes a shape of its own properties, which come after those of the superclass.
  public convenience init(
    name: String, properties: [PropertyDescription], superclass: Shape? = nil
  ) {
    self.init(name: name, properties: properties, superclass: superclass, swiftClasses: [])
  }

  package init(
    name: String, properties: [PropertyDescription], superclass: Shape? = nil,
    swiftClasses: [ObjectIdentifier], hiddenSlots: Int = 0
  ) {
    self.name = name
    self.superclass = superclass
    self.swiftClasses = swiftClasses
    self.hiddenSlots = hiddenSlots + (superclass?.hiddenSlots ?? 0)
    var all = superclass?.propertiesByIndex ?? []
    var indexes = superclass?.indexes ?? [:]
    for property in properties {
      if let index = indexes[property.name] {
        all[index] = property
      } else {
        indexes[property.name] = all.count
        all.append(property)
      }
    }
    for property in properties {
      for alias in property.aliases { indexes[alias] = indexes[property.name] }
    }
    propertiesByIndex = all
    self.indexes = indexes
    number =
      Self.unused.withLock { $0.popLast() }
      ?? Self.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    remember()
  }

  deinit { forget() }

  /// The bytes of a shape with so many properties, inherited ones included, which it copies.
  package static func bytes(propertyCount count: Int) -> Int {
    // A name in a table of names, at most half of which is empty.
    let index = 2 * (MemoryLayout<(String, Int)>.stride + 1)
    return 640 + count * (MemoryLayout<PropertyDescription>.stride + index)
  }

  /// The index of a property, from 0, by its name or an alias.
  public func index(of name: String) -> Int? { indexes[name] }

  /// The names of its properties, those that it declares itself before inherited ones.
  package var namesOwnFirst: [String] {
    let inherited = Set(superclass?.properties.map(\.name) ?? [])
    let names = properties.map(\.name)
    return names.filter { !inherited.contains($0) } + names.filter { inherited.contains($0) }
  }

  /// Whether this is a shape, or inherits from it.
  public func inherits(from other: Shape) -> Bool {
    var shape: Shape? = self
    while let current = shape {
      if current === other { return true }
      shape = current.superclass
    }
    return false
  }
}

extension Shape {
  /// What a shape declares, to be put back.
  package struct Declaration {
    fileprivate let propertiesByIndex: [PropertyDescription]
    fileprivate let indexes: [String: Int]
    /// The names by index, with nil where a property was declared no more.
    package var names: [String?] { propertiesByIndex.map { $0.isRetired ? nil : $0.name } }

    /// Whether a property is declared at an index.
    package func has(_ index: Int) -> Bool {
      propertiesByIndex.indices.contains(index) && !propertiesByIndex[index].isRetired
    }

    /// Whether the property at an index admits the same values as another one.
    package func admits(_ index: Int, as other: PropertyDescription) -> Bool {
      let known = propertiesByIndex[index]
      return known.type == other.type && known.isNullable == other.isNullable
        && known.cases == other.cases
    }
  }

  package var declaration: Declaration {
    get { Declaration(propertiesByIndex: propertiesByIndex, indexes: indexes) }
    set {
      propertiesByIndex = newValue.propertiesByIndex
      indexes = newValue.indexes
      hasRetired = propertiesByIndex.contains { $0.isRetired }
    }
  }

  /// Whether properties come or go where these are declared anew.
  package func isOther(declaring properties: [PropertyDescription]) -> Bool {
    let wanted = wanted(properties)
    return wanted.count != propertiesByIndex.count(where: { !$0.isRetired })
      || wanted.values.contains { new in
        guard let index = indexes[new.name] else { return true }
        return (propertiesByIndex[index].derive == nil) != (new.derive == nil)
      }
  }

  /// What is declared with these properties, by name.
  private func wanted(_ properties: [PropertyDescription]) -> [String: PropertyDescription] {
    let all = (superclass?.properties ?? []) + properties
    return Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Declares the properties anew. One that stays keeps its index; one that goes leaves
  /// its index empty, for objects may be bound there; a new one gets an index at the end, for which
  /// existing objects have no room yet.
  package func redeclare(_ properties: [PropertyDescription]) {
    var wanted = wanted(properties)
    for (index, old) in propertiesByIndex.enumerated() {
      if !old.isRetired, let new = wanted[old.name], (new.derive == nil) == (old.derive == nil) {
        propertiesByIndex[index] = new
        wanted[old.name] = nil
      } else if !old.isRetired {
        propertiesByIndex[index].isRetired = true
        indexes[old.name] = nil
      }
    }
    for (name, new) in wanted.sorted(by: { $0.key < $1.key }) {
      indexes[name] = propertiesByIndex.count
      propertiesByIndex.append(new)
    }
    hasRetired = propertiesByIndex.contains { $0.isRetired }
  }

  // Not a weak reference, which would make every retain and release of a shape three times as slow;
  // a binding needs some twenty. Unchecked, because the pointer is only followed for an object that
  // keeps its shape alive.
  private struct KnownShape: @unchecked Sendable {
    let shape: Unmanaged<Shape>
  }

  private static let known = Guarded<[UInt32: KnownShape]>([:])

  func remember() {
    Self.known.withLock { $0[number] = KnownShape(shape: .passUnretained(self)) }
  }

  func forget() {
    Self.known.withLock { $0[number] = nil }
  }

  /// The shape of a number, which somebody must hold: an object that is there.
  package static func numbered(_ number: UInt32) -> Shape? {
    known.withLock { $0[number]?.shape.takeUnretainedValue() }
  }
}
