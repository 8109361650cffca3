import TideBindings
import TideGraph

/// An object of a script's that shows what comes from outside; scripts keep it alive, as what they
/// make.
class LiveObject: DataObject {
  override init(shape: Shape) { super.init(shape: shape) }

  /// Writes a property that scripts may only read.
  final func put(_ index: Int, _ value: Value) {
    // Only what the property may hold comes here.
    _ = try? write(index, value, byHost: true)
  }

  /// Whether anything depends on one of its properties.
  final var isObserved: Bool { shape.properties.indices.contains { Graph.isObserved(slot($0)) } }
}

extension StreamList {
  /// Whether anything depends on it.
  var isObserved: Bool { Graph.isObserved(versionSlot) }
}
