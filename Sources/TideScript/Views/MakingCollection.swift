import TideBindings
import TideViews

/// How the views were made that a function has made so far.
final class MakingCollection {
  let context: BindingContext
  private var makings: [ObjectIdentifier: ViewMaking] = [:]

  init(in context: BindingContext) { self.context = context }

  func add(_ making: ViewMaking) { makings[ObjectIdentifier(making.view)] = making }

  /// Gives how a view was made to whoever looks after it from now on.
  func take(_ view: View) -> ViewMaking? {
    makings.removeValue(forKey: ObjectIdentifier(view))
  }

  /// Ends what belongs to views that nobody took.
  func endAll() {
    for making in makings.values { making.end() }
    makings = [:]
  }
}

extension Runtime {
  /// Notes how views are made while the body runs; nil notes nothing.
  func collecting<Result>(
    in collection: MakingCollection?, _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = collecting
    collecting = collection
    defer { collecting = outer }
    return try body()
  }
}
