package import TideGraph

/// What an observer of a list wants to hear.
public struct ListObservationOptions: Sendable {
  /// Begin with an insertion of everything that is there.
  public var initial: Bool
  /// All changes of one wave in one call, instead of a call for each.
  public var batch: Bool
  public var kinds: Set<ListChange.Kind>

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
package final class ListObserver: ObserverBody, ListFollower {
  private let options: ListObservationOptions
  private let body: ([ListChange]) throws -> Void
  private var pending: [ListChange] = []

  /// The function gets one change a call, or with `batch` all of a wave.
  package init(
    _ options: ListObservationOptions = .init(), _ body: @escaping ([ListChange]) throws -> Void
  ) {
    self.options = options
    self.body = body
  }

  /// Starts following a list; the slot that is made is the caller's to dispose of.
  package func observe(_ list: ValueList) -> Slot {
    list.graph.untracked { list.beginReading() }
    list.add(self)
    return list.graph.makeObserver(of: list.versionSlot, self)
  }

  /// The insertion of everything, where the options ask for it.
  package func deliverInitial(of list: ValueList) throws {
    guard options.initial, options.kinds.contains(.insertion) else { return }
    let values = list.graph.untracked { list.values }
    if values.isEmpty { return }
    try list.graph.untracked {
      try body([ListChange(.insertion, Array(1...values.count), values)])
    }
  }

  package func list(_ list: ValueList, did edit: ValueList.Edit, to old: [Value]) {
    let change = edit.change(replacing: old)
    if options.kinds.contains(change.kind) { pending.append(change) }
  }

  package override func valueChanged(of source: Slot, from old: Value, to new: Value) throws {
    if pending.isEmpty { return }
    let changes = pending
    pending = []
    if options.batch { return try body(changes) }
    var failure: (any Error)?
    for change in changes {
      do { try body([change]) } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }
}
