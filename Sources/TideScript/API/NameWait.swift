import TideBindings
import TideGraph

/// Something that begins with names, some of which nothing bears yet.
protocol NameWaiter: AnyObject {
  /// Begins when all names are there; false while one is missing.
  func resolve(in runtime: Runtime) throws -> Bool
  func waits(for name: String) -> Bool
  /// Where and how it was written.
  var origin: (location: SourceLocation?, text: String?) { get }
  /// Throws what is wrong whatever will bear the names.
  func check(with transformers: TransformerRegistry) throws
  /// Lists each name that is still missing, once.
  func listMissing(in runtime: Runtime)
}

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
