import CTideSlots
package import TideGraph

/// Where the objects of a Swift class keep their property wrappers, found once a class and thread.
///
/// A wrapper is one pointer wide: the address of its slot. Mirror gives the names and the
/// addresses; where in the object each address stands is found by looking for it.
struct DeclaredLayout {
  var shape: Shape
  var offsets: [Int] = []
  /// What a property wants to know of its object: computed ones, whose it is.
  var prepare: [((DataObject, Slot) -> Void)?] = []

  static func of(_ object: DataObject) -> DeclaredLayout {
    let cache = LayoutCache.current
    let key = ObjectIdentifier(type(of: object))
    if let known = cache.layouts[key] { return known }
    let layout = discover(object)
    cache.layouts[key] = layout
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
    var prepare: [((DataObject, Slot) -> Void)?] = []
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
      offsets.append(place * MemoryLayout<UInt>.stride)
      prepare.append(wrapper.preparation)
      properties.append(wrapper.describe(named: String(label.drop { $0 == "_" })))
    }
    let shape = Shape(name: "\(type(of: object))", properties: properties)
    return DeclaredLayout(shape: shape, offsets: offsets, prepare: prepare)
  }
}

/// A thread's known layouts, beside its graph.
private final class LayoutCache {
  var layouts: [ObjectIdentifier: DeclaredLayout] = [:]

  static var current: LayoutCache {
    let graph = Graph.current
    if let known = graph.layouts as? LayoutCache { return known }
    let made = LayoutCache()
    graph.layouts = made
    return made
  }
}

/// A property wrapper that keeps its value in a slot.
package protocol DeclaredProperty {
  var declaredSlot: Slot { get }
  var preparation: ((DataObject, Slot) -> Void)? { get }
  func describe(named name: String) -> PropertyDescription
}
