import TideBindings
import TideGraph

/// A wait for names that nothing bears yet: it ends with a context, and what was listed about it is
/// taken back when it is over.
final class NameWait {
  private(set) var isOver = false
  private var belonging: Belonging?
  private var listed: [TideError]?

  init(in context: BindingContext?) {
    belonging = context?.own { [weak self] in self?.isOver = true }
  }

  /// The names have come, or nobody wants them any more.
  func end(in runtime: Runtime) {
    belonging?.cancel()
    isOver = true
    for error in listed ?? [] { runtime.table.withdraw(error) }
  }

  /// Lists what is missing, once.
  func list(in runtime: Runtime, _ missing: () -> [TideError]) {
    if listed != nil { return }
    listed = []
    listed = missing().map { runtime.table.list($0) }
  }
}
