import TideBindings
import TideGraph

/// A binding that waits for names which do not exist yet.
protocol NameWaiter: AnyObject {
  /// Begins if all names exist; false while one is missing.
  func resolve(in runtime: Runtime) throws -> Bool
  /// The first names of its paths.
  var names: [String] { get }
  /// The location and text of the binding.
  var origin: (location: SourceLocation?, text: String?) { get }
  /// Throws errors that do not depend on the named objects.
  func check(with transformers: TransformerRegistry) throws
  /// Lists each name that is still missing, once.
  func listMissing(in runtime: Runtime)
  var wait: PendingName { get }
}

extension NameWaiter {
  /// Whether the wait has ended.
  var isEnded: Bool { wait.isEnded }
  /// Whether its missing names have been listed.
  var isListed: Bool { wait.isListed }

  func end(in runtime: Runtime) { wait.end(in: runtime) }

  /// Counts it in a total instead of listing it.
  func summarize(in group: SummarizedNames) { wait.summary = group }
}

/// A wait for names that do not exist yet. It ends with a context, and its listed error is removed
/// when it is over.
final class PendingName {
  /// Whether the names exist, or the context has ended.
  private(set) var isOver = false
  /// Whether it is over, and its listed errors have been withdrawn.
  private(set) var isEnded = false
  private var belonging: ContextEntry?
  private var listed: [TideError]?
  /// The total that it was counted in.
  fileprivate(set) var summary: SummarizedNames?

  var isListed: Bool { listed != nil || summary != nil }

  init(in context: BindingContext?) {
    belonging = context?.own { [weak self] in self?.isOver = true }
  }

  func end(in runtime: Runtime) {
    if isEnded { return }
    isEnded = true
    belonging?.cancel()
    isOver = true
    for error in listed ?? [] { runtime.table.withdraw(error) }
    summary?.removeOne(in: runtime)
    summary = nil
  }

  /// Lists the missing names, once.
  func list(in runtime: Runtime, _ missing: () -> [TideError]) {
    if listed != nil { return }
    listed = []
    listed = missing().map { runtime.table.list($0) }
  }
}
