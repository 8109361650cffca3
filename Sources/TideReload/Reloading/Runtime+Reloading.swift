public import TideBindings
import TideGraph
public import TideScript

extension Runtime {
  /// Runs modules again, together with those that require them. Models keep their values;
  /// everything else that the modules made is made again. New views replace the old ones and keep
  /// focus, caret, scroll position and selection.
  ///
  /// ```swift
  /// let report = try runtime.reload()          // all
  /// try runtime.reload(["shop.prices"])         // one, and what requires it
  /// print(report.line)      // reloaded 2 of 14 modules in 6.2 ms: kept 31, reset 1, disposed 4
  /// ```
  ///
  /// - Throws: a `TideError` if the new version fails: it has a syntax error, raises an error, or
  ///   causes an error while everything settles for the first time. In that case the old version
  ///   keeps running, and every value, list and `hot.data` is restored. `module` for the name of a
  ///   module that is not loaded, and `graph` on a thread or an actor that is not the runtime's.
  @discardableResult
  public func reload(_ modules: [String]? = nil) throws -> ReloadReport {
    try requireHere()
    if let unknown = modules?.first(where: { self.modules[$0] == nil }) {
      let names = self.modules.all.map(\.name).filter { !$0.isEmpty }
      throw TideError(
        .module, "no module \"\(unknown)\" is loaded\(NearestName.hint(for: unknown, in: names))")
    }
    let names = modules ?? self.modules.all.map(\.name)
    let report = reload(Set(names), changed: [])
    if let error = report.error { throw error }
    return report
  }

  /// Reloads the modules of changed files.
  func reload(changed files: [String]) -> ReloadReport {
    var names: Set<String> = []
    for file in files {
      let module = modules.module(atPath: file) ?? module(movedTo: file)
      if let module { names.insert(module.name) }
    }
    // An unknown file may belong to a version that failed to start, and so may the files changed
    // together with it.
    names.formUnion(attempts.unfinished)
    if names.isEmpty { names = [""] }
    return reload(names, changed: files)
  }

  func reloadAll() -> ReloadReport { reload(Set(modules.all.map(\.name)), changed: []) }

  /// Drops the app's state and runs it from the start.
  func resetReporting() -> ReloadReport {
    report(changed: [], isReset: true) {
      try reset()
      attempts.unfinished = []
      return ReloadCounts(reloaded: modules.count)
    }
  }

  private func reload(_ names: Set<String>, changed: [String]) -> ReloadReport {
    report(changed: changed, isReset: false) {
      loader.triedPaths = []
      guard hasBegun else {
        try load()
        attempts.unfinished = []
        return ReloadCounts(reloaded: modules.count)
      }
      do {
        var (counts, orphaned) = try runTransaction(names)
        attempts.unfinished = []
        loader.triedPaths = []
        // The transaction has released the old version by now.
        counts.orphans = objects(of: orphaned)
        return counts
      } catch {
        attempts.unfinished.formUnion(names)
        throw error
      }
    }
  }

  private func runTransaction(
    _ names: Set<String>
  ) throws -> (counts: ReloadCounts, orphaned: [OrphanedClass]) {
    let transaction = ReloadTransaction(self, ReloadPlan(changed: names, of: modules))
    try transaction.run()
    let counts = ReloadCounts(
      reloaded: transaction.reloaded, kept: transaction.kept, reset: transaction.reset,
      disposed: transaction.disposed)
    return (counts, transaction.orphaned)
  }

  private func report(
    changed: [String], isReset: Bool,
    _ body: () throws -> ReloadCounts
  ) -> ReloadReport {
    let clock = ContinuousClock()
    let start = clock.now
    var counts = ReloadCounts()
    var failure: TideError?
    do {
      counts = try body()
    } catch {
      failure = error as? TideError ?? TideError(.unexpected, "\(error)")
    }
    errorLog.rejectedReload = failure
    let report = ReloadReport(
      changed: changed, reloaded: counts.reloaded, modules: modules.count, kept: counts.kept,
      reset: counts.reset, disposed: counts.disposed, orphans: counts.orphans,
      duration: start.duration(to: clock.now), error: failure, isReset: isReset,
      isRunning: hasBegun)
    attempts.tell(.reload(report))
    return report
  }

  /// Reports of the app: each reload, successful or not, and each error as it is listed.
  ///
  /// ```swift
  /// for await report in runtime.reports {
  ///   switch report {
  ///   case .reload(let reload): print(reload.line)
  ///   case .error(let error): print(error)
  ///   }
  /// }
  /// ```
  ///
  /// Each sequence receives all reports from the time it was created, and ends with the runtime. An
  /// unread sequence buffers the latest thousand reports.
  public var reports: AsyncStream<RuntimeReport> { attempts.listen() }
}

/// What a reload has done, for its report.
private struct ReloadCounts {
  var reloaded = 0
  var kept = 0
  var reset = 0
  var disposed = 0
  var orphans: [(className: String, count: Int)] = []
}

/// A report about an app.
public enum RuntimeReport: Sendable {
  /// A reload, successful or not.
  case reload(ReloadReport)
  /// An error was listed.
  case error(TideError)
}
