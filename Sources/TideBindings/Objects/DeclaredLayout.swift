import CTideSlots
package import TideGraph
import TideValues

/// The positions of the property wrappers in the objects of a Swift class, found once per class.
///
/// A wrapper is a single pointer: the address of its slot. `Mirror` provides the names and the
/// addresses; the position of each address is found by searching the object's memory.
// Never changed. It lives as long as its class: forever.
package final class DeclaredLayout: Sendable {
  package let shape: Shape
  /// The number of properties.
  let count: Int
  /// The offset of each property's wrapper in the object, in bytes.
  // Unsafe, because it is a pointer. Nothing writes there once the layout is made.
  nonisolated(unsafe) let offsets: UnsafePointer<UInt32>
  /// Functions that prepare some properties for their object: a computed property stores its owner.
  let preparations: [Preparation]

  typealias Preparation = (index: Int, prepare: @Sendable (DataObject, Slot) -> Void)

  private init(shape: Shape, offsets: [Int], preparations: [Preparation]) {
    self.shape = shape
    count = offsets.count
    let kept = UnsafeMutablePointer<UInt32>.allocate(capacity: max(1, count))
    for (index, offset) in offsets.enumerated() { kept[index] = UInt32(offset) }
    self.offsets = UnsafePointer(kept)
    self.preparations = preparations
  }

  deinit { offsets.deallocate() }

  /// The layouts of all classes that have had an object.
  package static var all: [DeclaredLayout] { known.withLock { Array($0.values) } }

  private static let known = Guarded<[ObjectIdentifier: DeclaredLayout]>([:])

  /// The layout of an object's class. Objects of one class are often made in a row, so the latest
  /// is cached.
  @inline(__always)
  static func of(_ object: DataObject) -> DeclaredLayout {
    let thread = tide_thread()
    let key = unsafeBitCast(type(of: object), to: UnsafeRawPointer.self)
    if thread.pointee.latestClass == key, let latest = thread.pointee.latestLayout {
      return Unmanaged<DeclaredLayout>.fromOpaque(latest).takeUnretainedValue()
    }
    let layout = find(object)
    thread.pointee.latestClass = key
    thread.pointee.latestLayout = UnsafeRawPointer(Unmanaged.passUnretained(layout).toOpaque())
    return layout
  }

  @inline(never)
  private static func find(_ object: DataObject) -> DeclaredLayout {
    let key = ObjectIdentifier(type(of: object))
    if let found = known.withLock({ $0[key] }) { return found }
    // Outside of the lock, because reflecting an object may run any code.
    let made = discover(object)
    return known.withLock { known in
      if let other = known[key] { return other }
      known[key] = made
      return made
    }
  }

  private static func discover(_ object: DataObject) -> DeclaredLayout {
    var levels: [Mirror] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror, level.subjectType != DataObject.self {
      levels.append(level)
      mirror = level.superclassMirror
    }
    var offsets: [Int] = []
    var preparations: [Preparation] = []
    var properties: [PropertyDescription] = []
    let memory = Unmanaged.passUnretained(object).toOpaque()
    let words = tide_usable_size(memory) / MemoryLayout<UInt>.stride
    for child in levels.reversed().flatMap(\.children) {
      guard let wrapper = child.value as? any DeclaredProperty, let label = child.label else {
        continue
      }
      let address = UInt(bitPattern: wrapper.declaredSlot)
      let index = (2..<words).first {
        memory.load(fromByteOffset: $0 * MemoryLayout<UInt>.stride, as: UInt.self) == address
      }
      guard let index else { continue }
      if let prepare = wrapper.preparation { preparations.append((offsets.count, prepare)) }
      offsets.append(index * MemoryLayout<UInt>.stride)
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
  var preparation: (@Sendable (DataObject, Slot) -> Void)? { get }
  func describe(named name: String) -> PropertyDescription
}
