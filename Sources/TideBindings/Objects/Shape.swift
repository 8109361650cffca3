import Synchronization

/// What the objects of one class have in common: the class's name and its properties, in order.
///
/// A class written in Swift is looked at once, when its first object is made; a script's class and
/// a view class bring their shape.
public final class Shape: Sendable {
  public let name: String
  public let properties: [PropertyDescription]
  public let superclass: Shape?
  /// A number that names the shape to the Lua side.
  package let number: UInt32
  /// The Swift class that it describes, and that class's superclasses; empty for a script's.
  package let swiftClasses: [ObjectIdentifier]
  private let indexes: [String: Int]
  /// Slots without a name, which come after the properties and begin as nil.
  package let hiddenSlots: Int

  private static let nextNumber = Atomic<UInt32>(1)

  /// Properties of a superclass come first, as a subclass's objects have them too.
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
    var all = superclass?.properties ?? []
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
    self.properties = all
    self.indexes = indexes
    number = Self.nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    remember()
  }

  deinit { forget() }

  /// The place of a property, from 0, by its name or another that it goes by.
  public func index(of name: String) -> Int? { indexes[name] }

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
  private struct WeakShape: Sendable {
    weak var shape: Shape?
  }

  private static let known = Mutex<[UInt32: WeakShape]>([:])

  func remember() {
    Self.known.withLock { $0[number] = WeakShape(shape: self) }
  }

  func forget() {
    Self.known.withLock { $0[number] = nil }
  }

  /// The shape of a number, as long as somebody uses it.
  package static func numbered(_ number: UInt32) -> Shape? {
    known.withLock { $0[number]?.shape }
  }
}
