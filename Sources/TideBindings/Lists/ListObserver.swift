package import TideGraph

/// What an observer of a list wants to hear.
///
/// ```swift
/// context.observe(words, ListObservationOptions(batch: true)) { changes in print(changes.count) }
/// ```
public struct ListObservationOptions: Sendable {
  /// Begin with an insertion of everything that is there.
  public var initial: Bool
  /// All changes of one wave in one call, instead of a call for each.
  public var batch: Bool
  /// The kinds of changes to hear of.
  public var kinds: Set<ListChange.Kind>

  /// Makes options: by default every kind of change, one by one, from the next on.
  public init(
    initial: Bool = false, batch: Bool = false,
    kinds: Set<ListChange.Kind> = Set(ListChange.Kind.allCases)
  ) {
    self.initial = initial
    self.batch = batch
    self.kinds = kinds
  }
}

/// Tells a function of a list's changes, in order, after everything has settled.
package final class ListObserver: ObserverBody {
  private let options: ListObservationOptions
  private let body: ([ListChange]) throws -> Void
  private var log: EditLog?
  private var position: EditLog.Position = 0

  /// The function gets one change a call, or with `batch` all of a wave.
  package init(
    _ options: ListObservationOptions = .init(), _ body: @escaping ([ListChange]) throws -> Void
  ) {
    self.options = options
    self.body = body
  }

  deinit { log?.leave(from: position) }

  /// Starts following a list; the slot that is made is the caller's to dispose of.
  package func observe(_ list: ValueList) -> Slot {
    list.graph.untracked { list.beginReading() }
    let log = list.editLog()
    self.log = log
    position = log.join()
    return list.graph.makeObserver(of: list.versionSlot, self)
  }

  /// The insertion of everything, where the options ask for it.
  package func deliverInitial(of list: ValueList) throws {
    guard options.initial, options.kinds.contains(.insertion) else { return }
    let values = list.graph.untracked { list.values }
    if values.isEmpty { return }
    try list.graph.untracked {
      try body([ListChange(.insertion, Array(values.indices), values)])
    }
  }

  /// The changes of which it is still to be told, and then is told no more.
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
        // A turn that is over has nothing left for the changes that follow.
        if (error as? any PassingFailure)?.keepsReads == true { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }
}
