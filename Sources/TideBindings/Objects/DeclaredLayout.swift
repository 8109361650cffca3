import CTideSlots
package import TideGraph

/// Where the objects of a Swift class keep their property wrappers, found once a class and thread.
///
/// A wrapper is one pointer wide: the address of its slot. Mirror gives the names and the
/// addresses; where in the object each address stands is found by looking for it.
package final class DeclaredLayout {
  package let shape: Shape
  let offsets: [Int]
  /// What some properties want to know of their object: computed ones, whose it is.
  let preparations: [(index: Int, prepare: (DataObject, Slot) -> Void)]

  private init(
    shape: Shape, offsets: [Int],
    preparations: [(index: Int, prepare: (DataObject, Slot) -> Void)]
  ) {
    self.shape = shape
    self.offsets = offsets
    self.preparations = preparations
  }

  /// The layout of an object's class; most objects are made next to others of their class.
  static func of(_ object: DataObject, in graph: Graph) -> DeclaredLayout {
    let key = ObjectIdentifier(type(of: object))
    if graph.latestLayout.key == key, let latest = graph.latestLayout.layout {
      return unsafeDowncast(latest, to: DeclaredLayout.self)
    }
    let layout: DeclaredLayout
    if let known = graph.layouts[key] {
      layout = unsafeDowncast(known, to: DeclaredLayout.self)
    } else {
      layout = discover(object)
      graph.layouts[key] = layout
    }
    graph.latestLayout = (key, layout)
    return layout
  }

  private static func discover(_ object: DataObject) -> DeclaredLayout {
    var levels: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror, level.subjectType != DataObject.self {
      levels.append(level)
      mirror = level.superclassMirror
    }
    var offsets: [Int] = []
    var preparations: [(index: Int, prepare: (DataObject, Slot) -> Void)] = []
    var properties: [PropertyDescription] = []
    let memory = Unmanaged.passUnretained(object).toOpaque()
    let words = tide_usable_size(memory) / MemoryLayout<UInt>.stride
    for child in levels.reversed().flatMap(\.children) {
      guard let wrapper = child.value as? any DeclaredProperty, let label = child.label else {
        continue
      }
      let address = UInt(bitPattern: wrapper.declaredSlot)
      let place = (2..<words).first {
        memory.load(fromByteOffset: $0 * MemoryLayout<UInt>.stride, as: UInt.self) == address
      }
      guard let place else { continue }
      if let prepare = wrapper.preparation { preparations.append((offsets.count, prepare)) }
      offsets.append(place * MemoryLayout<UInt>.stride)
      properties.append(wrapper.describe(named: String(label.drop { $0 == "_" })))
    }
    let shape = Shape(
      name: "\(type(of: object))", properties: properties,
      swiftClasses: levels.compactMap { ($0.subjectType as? AnyClass).map(ObjectIdentifier.init) })
    return DeclaredLayout(shape: shape, offsets: offsets, preparations: preparations)
  }
}

/// A property wrapper that keeps its value in a slot.
package protocol DeclaredProperty {
  var declaredSlot: Slot { get }
  var preparation: ((DataObject, Slot) -> Void)? { get }
  func describe(named name: String) -> PropertyDescription
}
