import TideBindings
import TideGraph

/// The bindings that name models and views which are not there yet.
///
/// They are asked to begin when a model has come, and at the end of each turn: all of them where
/// names have come or gone, else a few, for one may have ended meanwhile. What waits may be as much
/// as there is memory for, so the turn's clock bounds the asking, and only a few are reported one
/// by one.
final class PendingNames {
  private var waiters: [any NameWaiter] = []
  /// How many wait for a name.
  private var counts: [String: Int] = [:]
  /// How many of the first waiters have been asked since names last came or went.
  private var asked = 0
  /// How many of the first waiters have been told what is missing.
  private var listed = 0
  private var isResolving = false
  /// Where the look for those that have ended goes on.
  private var swept = 0
  /// What was there when they were asked.
  private var names = Names()
  /// The names for hints, while errors are reported.
  private var modelNames: [String]?
  private var rootNames: [String]?
  /// The ids of the shown views, while nothing can have changed them.
  private var shownIDs: Set<String>?

  private struct Names: Equatable {
    var modelChanges = -1
    var viewIDs: Set<String> = []
  }

  /// How many are reported one by one at the end of a turn.
  static let mostTold = 100
  /// How many that were asked in vain are asked again at the end of each turn.
  private static let mostSwept = 1000

  var count: Int { waiters.count }

  func add(_ waiter: any NameWaiter) {
    waiters.append(waiter)
    for name in waiter.names { counts[name, default: 0] += 1 }
  }

  /// Lets those begin that wait for a name, which something bears now.
  func resolve(bearing name: String, in runtime: Runtime) {
    if counts[name] == nil { return }
    ask(waiters.filter { $0.names.contains(name) }[...], in: runtime)
    if !isResolving { removeEnded() }
  }

  /// Lets begin what can, and lists what is missing where `listing` says so. What there is no time
  /// for is left to the next turn.
  func resolve(listing: Bool, in runtime: Runtime) {
    if waiters.isEmpty { return }
    if isResolving {
      // Called by what has just begun.
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
    // What runs meanwhile may make others that wait; those are for the next turn.
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

  /// Whether a view may have an id, as far as that is known without looking through all views.
  func mayBeShown(_ id: String) -> Bool { shownIDs?.contains(id) ?? true }

  /// Asks some of those again that were asked in vain, and as long as some have ended more of them.
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

  /// Lets some begin. Gives how many there was time for.
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

  // MARK: Telling

  /// Lists what some wait for: the first ones by themselves, the others as a number.
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

  /// The names of all models, while errors are reported.
  func modelNames(in runtime: Runtime) -> [String] {
    let known = modelNames ?? runtime.models.names
    modelNames = known
    return known
  }

  /// The names of all models and the ids of all views, while errors are reported.
  func rootNames(in runtime: Runtime) -> [String] {
    let known = rootNames ?? modelNames(in: runtime) + runtime.viewIDs
    rootNames = known
    return known
  }
}

/// Bindings that wait and of which only the number was told, until the last of them is over.
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
