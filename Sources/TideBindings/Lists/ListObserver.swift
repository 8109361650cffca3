package import TideGraph

/// The options of a list's observer.
///
/// ```swift
/// context.observe(words, ListObservationOptions(batch: true)) { changes in print(changes.count) }
/// ```
public struct ListObservationOptions: Sendable {
  /// Whether the first call reports an insertion of all elements.
  public var initial: Bool
  /// Whether all changes of one wave are reported in one call, and not in a call for each.
  public var batch: Bool
  /// The kinds of changes that are reported.
  public var kinds: Set<ListChange.Kind>

  /// Makes options. By default, each later change of any kind is reported by itself.
  public init(
    initial: Bool = false, batch: Bool = false,
    kinds: Set<ListChange.Kind> = Set(ListChange.Kind.allCases)
  ) {
    self.initial = initial
    self.batch = batch
    self.kinds = kinds
  }
}

/// Calls a function with a list's changes, in order, after everything has settled.
package final class ListObserver: ObserverBody {
  private let options: ListObservationOptions
  private let body: ([ListChange]) throws -> Void
  private var log: EditLog?
  private var position: EditLog.Position = 0

  /// The function gets one change per call, or with `batch` all changes of a wave.
  package init(
    _ options: ListObservationOptions = .init(), _ body: @escaping ([ListChange]) throws -> Void
  ) {
    self.options = options
    self.body = body
  }

  deinit { log?.leave(from: position) }

  /// Starts following a list. The caller must dispose of the returned slot.
  package func observe(_ list: ValueList) -> Slot {
    list.graph.untracked { list.beginReading() }
    let log = list.editLog()
    self.log = log
    position = log.join()
    return list.graph.makeObserver(of: list.versionSlot, self)
  }

  /// Reports an insertion of all elements if the options ask for it.
  package func deliverInitial(of list: ValueList) throws {
    guard options.initial, options.kinds.contains(.insertion) else { return }
    let values = list.graph.untracked { list.values }
    if values.isEmpty { return }
    try list.graph.untracked {
      try body([ListChange(.insertion, Array(values.indices), values)])
    }
  }

  /// Returns the changes that have not been reported, and marks them as reported.
  package func takePending() -> [ListChange] {
    log?.news(from: &position).changes(options.kinds) ?? []
  }

  package override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
    guard let log else { return }
    let news = log.news(from: &position)
    if options.batch {
      let changes = news.changes(options.kinds)
      if !changes.isEmpty { try body(changes) }
      return
    }
    var failure: (any Error)?
    try news.visit(options.kinds) { change in
      do { try body([change]) } catch {
        // A turn that is over has nothing left for the remaining changes.
        if (error as? any PassingFailure)?.keepsReads == true { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
