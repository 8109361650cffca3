import TideBindings
import TideGraph

/// An object of a script that shows data from outside. Like all objects that scripts make, it lives
/// as long as scripts reference it.
class LiveObject: DataObject {
  override init(shape: Shape) { super.init(shape: shape) }

  /// Writes a property that scripts may only read.
  final func put(_ index: Int, _ value: Value) {
    // Callers pass only values that the property accepts.
    _ = try? write(index, value, byHost: true)
  }

  /// Whether anything depends on one of its properties.
  final var isObserved: Bool { shape.properties.indices.contains { Graph.isObserved(slot($0)) } }
}

extension StreamList {
  /// Whether anything depends on it.
  var isObserved: Bool { Graph.isObserved(versionSlot) }
}
