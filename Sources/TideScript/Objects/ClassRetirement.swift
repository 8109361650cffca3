import Synchronization
import TideBindings
import TideGraph
import TideLua

/// Lets the interpreter forget a class when nothing uses it any more: an app that is reloaded all
/// day describes many. Until then it counts as memory that the app holds.
final class ClassRetirement {
  private let number: UInt32
  private let home: Home
  private var bytes = 0

  init(_ shape: Shape, _ home: Home) {
    number = shape.number
    self.home = home
    weigh(shape)
  }

  /// Counts what the class takes now, where it has been declared anew.
  func weigh(_ shape: Shape) {
    let bytes = Shape.bytes(propertyCount: shape.propertiesByIndex.count) + shape.textBytes
    home.classBytes.add(bytes - self.bytes, ordering: .relaxed)
    self.bytes = bytes
  }

  deinit {
    home.classBytes.subtract(bytes, ordering: .relaxed)
    // Elsewhere the interpreter is not to be asked; there the description stays.
    guard let runtime = home.runtime, runtime.graph.isHere else { return }
    runtime.table.forgetPlaceholders(ofClass: number)
    if runtime.lua.retireClass(number) { Shape.reuse(number) }
  }
}

extension Shape {
  /// The bytes of the texts that a class has beside those that it inherits.
  fileprivate var textBytes: Int {
    // Those are the same texts, which count once.
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

  /// The bytes of the texts that a class has of it.
  var textBytes: Int {
    var meter = MemoryMeter()
    addTexts(to: &meter)
    return meter.bytes
  }
}

extension [PropertyDescription] {
  var textBytes: Int { reduce(0) { $0 + $1.textBytes } }
}
