import TideBindings
import TideGraph

/// Something that begins with names, some of which nothing bears yet.
protocol NameWaiter: AnyObject {
  /// Begins when all names are there; false while one is missing.
  func resolve(in runtime: Runtime) throws -> Bool
  /// The names that it begins with.
  var names: [String] { get }
  /// Where and how it was written.
  var origin: (location: SourceLocation?, text: String?) { get }
  /// Throws what is wrong whatever will bear the names.
  func check(with transformers: TransformerRegistry) throws
  /// Lists each name that is still missing, once.
  func listMissing(in runtime: Runtime)
  var wait: PendingName { get }
}

extension NameWaiter {
  /// Whether nothing is waited for any more.
  var isEnded: Bool { wait.isEnded }
  /// Whether it has been told what is missing.
  var isListed: Bool { wait.isListed }

  func end(in runtime: Runtime) { wait.end(in: runtime) }

  /// Leaves it at the total that was reported for several.
  func summarize(in group: SummarizedNames) { wait.summary = group }
}

/// A wait for names that do not exist yet. It ends with a context, and its listed error is removed
/// when it is over.
final class PendingName {
  /// The names have come, or nobody wants them any more.
  private(set) var isOver = false
  /// The same, and what was listed has been taken back.
  private(set) var isEnded = false
  private var belonging: ContextEntry?
  private var listed: [TideError]?
  /// The total in which it was counted.
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

  /// Lists what is missing, once.
  func list(in runtime: Runtime, _ missing: () -> [TideError]) {
    if listed != nil { return }
    listed = []
    listed = missing().map { runtime.table.list($0) }
  }
}
