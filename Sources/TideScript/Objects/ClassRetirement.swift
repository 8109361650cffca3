import Synchronization
import TideBindings
import TideGraph
import TideLua

/// Lets the interpreter forget a class when nothing uses it any more: an app that is reloaded all day
/// describes many. Until then it counts as memory that the app holds.
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
    let bytes = Shape.bytes(places: shape.places.count)
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
