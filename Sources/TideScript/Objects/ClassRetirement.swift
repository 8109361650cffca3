import TideBindings
import TideGraph
import TideLua

/// Lets the interpreter forget a class when nothing uses it any more: an app that is reloaded all day
/// describes many.
final class ClassRetirement {
  private let number: UInt32
  private let home: Home

  init(_ shape: Shape, _ home: Home) {
    number = shape.number
    self.home = home
  }

  deinit {
    // On another thread the interpreter is not to be asked; there the description stays.
    guard let runtime = home.runtime, runtime.graph.isCurrent else { return }
    runtime.table.forgetPlaceholders(ofClass: number)
    if runtime.lua.retireClass(number) { Shape.reuse(number) }
  }
}
