import TideBindings
import TideGraph

/// The bindings that wait for the names of models and views.
///
/// They are resolved when a model is added, and at the end of each turn: all of them if names were
/// added or removed, otherwise a few, to find those that have ended. The number of waiting bindings
/// is limited only by memory, so the turn's clock bounds the work, and only a few missing names are
/// listed individually.
final class PendingNames {
  private var waiters: [any NameWaiter] = []
  /// The number of waiters for each name.
  private var counts: [String: Int] = [:]
  /// The number of leading waiters that were tried since names last changed.
  private var asked = 0
  /// The number of leading waiters whose missing names were listed.
  private var listed = 0
  private var isResolving = false
  /// The index at which the search for ended waiters continues.
  private var swept = 0
  /// The names that existed at the last attempt.
  private var names = Names()
  /// The names for hints, while errors are listed.
  private var modelNames: [String]?
  private var rootNames: [String]?
  /// The ids of the shown views, as long as they cannot have changed.
  private var shownIDs: Set<String>?

  private struct Names: Equatable {
    var modelChanges = -1
    var viewIDs: Set<String> = []
  }

  /// The most missing names that are listed individually at the end of a turn.
  static let mostTold = 100
  /// The most waiters that are tried again at the end of each turn although names have not changed.
  private static let mostSwept = 1000

  var count: Int { waiters.count }

  func add(_ waiter: any NameWaiter) {
    waiters.append(waiter)
    for name in waiter.names { counts[name, default: 0] += 1 }
  }

  /// Begins the waiters for a name that now exists.
  func resolve(bearing name: String, in runtime: Runtime) {
    if counts[name] == nil { return }
    ask(waiters.filter { $0.names.contains(name) }[...], in: runtime)
    if !isResolving { removeEnded() }
  }

  /// Begins the waiters whose names exist and, with `listing`, lists the missing names of the
  /// others. Work that exceeds the turn's time is left to the next turn.
  func resolve(listing: Bool, in runtime: Runtime) {
    if waiters.isEmpty { return }
    if isResolving {
      // Called by a waiter that has just begun.
      names = Names()
      return runtime.loop.inbox.post {}
    }
    isResolving = true
    defer { isResolving = false }
    let ids = runtime.graph.untracked { Set(runtime.unsortedViewIDs) }
    let present = Names(modelChanges: runtime.models.changes, viewIDs: ids)
    if present != names {
      names = present
      asked = 0
    }
    shownIDs = ids
    defer { shownIDs = nil }
    sweep(in: runtime)
    // Waiters added meanwhile are left to the next turn.
    let new = waiters[asked...]
    let done = ask(new, in: runtime)
    asked += done
    removeEnded()
    if listing && listed < asked {
      let some = waiters[listed..<asked]
      listed = asked
      list(some, in: runtime)
    }
    if done < new.count { runtime.loop.inbox.post {} }
  }

  /// Whether a view may have an id, without searching all views.
  func mayBeShown(_ id: String) -> Bool { shownIDs?.contains(id) ?? true }

  /// Tries some earlier waiters again, and more of them as long as some have ended.
  private func sweep(in runtime: Runtime) {
    var left = asked
    while left > 0 {
      if swept >= asked { swept = 0 }
      let some = waiters[swept..<min(swept + min(left, Self.mostSwept), asked)]
      let count = ask(some, in: runtime)
      left -= some.count
      swept += count
      guard count == some.count, some.contains(where: { $0.isEnded }) else { break }
    }
    removeEnded()
  }

  /// Begins waiters whose names exist. Returns how many were tried in time.
  @discardableResult
  private func ask(_ some: ArraySlice<any NameWaiter>, in runtime: Runtime) -> Int {
    var clock = WorkClock()
    for (position, waiter) in some.enumerated() where !waiter.isEnded {
      if !clock.hasTime() { return position }
      do {
        if try waiter.resolve(in: runtime) { shownIDs = nil }
      } catch {
        shownIDs = nil
        waiter.end(in: runtime)
        var failure = TideError(wrapping: error, graph: runtime.graph)
        failure.location = failure.location ?? waiter.origin.location
        failure.path = failure.path ?? waiter.origin.text
        runtime.list(failure)
      }
    }
    return some.count
  }

  private func removeEnded() {
    guard waiters.contains(where: { $0.isEnded }) else { return }
    let isAlive = { (waiter: any NameWaiter) in !waiter.isEnded }
    asked = waiters[..<asked].count(where: isAlive)
    swept = waiters[..<swept].count(where: isAlive)
    listed = waiters[..<listed].count(where: isAlive)
    for waiter in waiters where waiter.isEnded {
      for name in waiter.names {
        if let count = counts[name] { counts[name] = count > 1 ? count - 1 : nil }
      }
    }
    waiters.removeAll { $0.isEnded }
  }

  // MARK: Listing

  /// Lists the missing names of some waiters: the first ones individually, the others as a number.
  private func list(_ some: ArraySlice<any NameWaiter>, in runtime: Runtime) {
    defer { (modelNames, rootNames) = (nil, nil) }
    let missing = some.filter { !$0.isEnded && !$0.isListed }
    var told = 0
    for waiter in missing.prefix(Self.mostTold) {
      if told > 0 && WorkBudget.isOver { break }
      waiter.listMissing(in: runtime)
      told += 1
    }
    let rest = missing[told...].filter { !$0.isEnded }
    guard let first = rest.first else { return }
    let error = runtime.table.list(
      TideError(
        .unresolvedName,
        "\(rest.count) more bindings wait for names that nothing bears; declare the models and show"
          + " the views that they name, or correct the names", location: first.origin.location,
        path: first.origin.text))
    let group = SummarizedNames(error, count: rest.count)
    for waiter in rest { waiter.summarize(in: group) }
  }

  /// The names of all models, cached while errors are listed.
  func modelNames(in runtime: Runtime) -> [String] {
    let known = modelNames ?? runtime.models.names
    modelNames = known
    return known
  }

  /// The names of all models and the ids of all views, cached while errors are listed.
  func rootNames(in runtime: Runtime) -> [String] {
    let known = rootNames ?? modelNames(in: runtime) + runtime.viewIDs
    rootNames = known
    return known
  }
}

/// The error that counts several waiters. It is withdrawn when the last of them ends.
final class SummarizedNames {
  private let error: TideError
  private var count: Int

  init(_ error: TideError, count: Int) {
    self.error = error
    self.count = count
  }

  func removeOne(in runtime: Runtime) {
    count -= 1
    if count == 0 { runtime.table.withdraw(error) }
  }
}
