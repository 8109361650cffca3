import Synchronization
import TideBindings
import TideGraph
import TideLua

/// Removes a class from the interpreter when nothing uses it any more, since an app that is
/// reloaded all day declares many. Until then the class counts as memory of the app.
final class ClassRetirement {
  private let number: UInt32
  private let home: Home
  private var bytes = 0

  init(_ shape: Shape, _ home: Home) {
    number = shape.number
    self.home = home
    weigh(shape)
  }

  /// Updates the size of a class that was declared again.
  func weigh(_ shape: Shape) {
    let bytes = Shape.bytes(propertyCount: shape.propertiesByIndex.count) + shape.textBytes
    home.classBytes.add(bytes - self.bytes, ordering: .relaxed)
    self.bytes = bytes
  }

  deinit {
    home.classBytes.subtract(bytes, ordering: .relaxed)
    // The interpreter must not be used on another thread; the description then stays.
    guard let runtime = home.runtime, runtime.graph.isHere else { return }
    runtime.table.forgetPlaceholders(ofClass: number)
    if runtime.lua.retireClass(number) { Shape.reuse(number) }
  }
}

extension Shape {
  /// The bytes of a class's texts without inherited ones.
  fileprivate var textBytes: Int {
    // Inherited texts are shared, and counted once.
    var meter = MemoryMeter()
    if let superclass { superclass.addTexts(to: &meter) }
    let inherited = meter.bytes
    addTexts(to: &meter)
    return meter.bytes - inherited
  }

  private func addTexts(to meter: inout MemoryMeter) {
    meter.add(name)
    for property in propertiesByIndex { property.addTexts(to: &meter) }
  }
}

extension PropertyDescription {
  fileprivate func addTexts(to meter: inout MemoryMeter) {
    meter.add(name)
    if let summary { meter.add(summary) }
    for text in cases ?? [] { meter.add(text) }
    if case .string(let text) = initial { meter.add(text) }
  }

  /// The bytes of its texts.
  var textBytes: Int {
    var meter = MemoryMeter()
    addTexts(to: &meter)
    return meter.bytes
  }
}

extension [PropertyDescription] {
  var textBytes: Int { reduce(0) { $0 + $1.textBytes } }
}
