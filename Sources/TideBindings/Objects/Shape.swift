import Synchronization
import TideGraph
import TideValues

/// The description that the objects of one class share: the class's name and its properties, in
/// order.
///
/// ```swift
/// person.shape.properties.map(\.name)   // ["name", "age", "friends"]
/// ```
///
/// A Swift class is reflected once, when its first object is made. Script classes and view classes
/// provide their shapes.
public final class Shape: @unchecked Sendable {
  // Unchecked, because a script's shape changes when it is redeclared, but only on its graph's
  // thread, which alone reads it.

  /// The class's name in messages.
  public let name: String
  /// All properties by index, including retired ones, which are no longer declared.
  // Nothing reads a shape while it is redeclared.
  @exclusivity(unchecked) package internal(set) final var propertiesByIndex: [PropertyDescription]
  /// Its properties, without retired ones.
  public var properties: [PropertyDescription] {
    hasRetired ? propertiesByIndex.filter { !$0.isRetired } : propertiesByIndex
  }
  @exclusivity(unchecked) private final var hasRetired = false
  /// The class whose properties it inherits; nil for none.
  public let superclass: Shape?
  /// A number that identifies the shape on the Lua side.
  package let number: UInt32
  /// The Swift class that it describes, and that class's superclasses; empty for a script's.
  package let swiftClasses: [ObjectIdentifier]
  @exclusivity(unchecked) final var indexes: [String: Int]
  /// Slots without a name, which follow the properties and are nil at first.
  package let hiddenSlots: Int

  /// An object that is attached to the shape.
  package final var companion: AnyObject?

  private static let nextNumber = Atomic<UInt32>(1)
  /// Numbers of shapes that are gone, for reuse.
  private static let unused = Guarded<[UInt32]>([])

  /// Allows the number of a shape that is gone to be reused.
  package static func reuse(_ number: UInt32) { unused.withLock { $0.append(number) } }

  /// Makes a shape with properties of its own, which follow those of the superclass.
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

  /// The size in bytes of a shape with `count` properties, including inherited ones, which it
  /// copies.
  package static func bytes(propertyCount count: Int) -> Int {
    // An entry in a table of names, which may be half empty.
    let index = 2 * (MemoryLayout<(String, Int)>.stride + 1)
    return 640 + count * (MemoryLayout<PropertyDescription>.stride + index)
  }

  /// The index of a property, from 0, by its name or an alias.
  public func index(of name: String) -> Int? { indexes[name] }

  /// The names of its properties, its own before inherited ones.
  package var namesOwnFirst: [String] {
    let inherited = Set(superclass?.properties.map(\.name) ?? [])
    let names = properties.map(\.name)
    return names.filter { !inherited.contains($0) } + names.filter { inherited.contains($0) }
  }

  /// Whether this is the given shape, or inherits from it.
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
  /// The declarations of a shape, to be restored.
  package struct Declaration {
    fileprivate let propertiesByIndex: [PropertyDescription]
    fileprivate let indexes: [String: Int]
    /// The names by index; nil for a retired property.
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

  /// Whether redeclaring with these properties would add or remove any.
  package func isOther(declaring properties: [PropertyDescription]) -> Bool {
    let wanted = wanted(properties)
    return wanted.count != propertiesByIndex.count(where: { !$0.isRetired })
      || wanted.values.contains { new in
        guard let index = indexes[new.name] else { return true }
        return (propertiesByIndex[index].derive == nil) != (new.derive == nil)
      }
  }

  /// The declared properties by name, with inherited ones.
  private func wanted(_ properties: [PropertyDescription]) -> [String: PropertyDescription] {
    let all = (superclass?.properties ?? []) + properties
    return Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  /// Redeclares the properties. A property that stays keeps its index. A removed one leaves its
  /// index empty, because objects may be bound there. A new one gets an index at the end, for which
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
  // a binding takes about twenty of these. Unchecked, because the pointer is only followed for an
  // object that keeps its shape alive.
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

  /// The shape with a number. The caller must hold an object, which keeps its shape alive.
  package static func numbered(_ number: UInt32) -> Shape? {
    known.withLock { $0[number]?.shape.takeUnretainedValue() }
  }
}
