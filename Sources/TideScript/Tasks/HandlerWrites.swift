import TideBindings
import TideGraph
import TideLua

/// What a handler or task has written to models, lists and dicts, to be taken back where its budget
/// stops it: since it began, since its last wait, or since its last `checkpoint()`.
///
///     begins ──writes──▶ waits ──writes──▶ ends         all of it stays
///                          └────writes──▶ is stopped    what came after the wait is taken back
///
/// What has left the app cannot be taken back; the error names it.
final class HandlerWrites {
  fileprivate var journal: Journal?
  /// What cannot be taken back, each once.
  private var lasting: [String] = []

  /// Notes something that cannot be taken back, such as `file.write out.txt`.
  func noteLasting(_ name: String) {
    if lasting.count < Self.mostNamed, !lasting.contains(name) { lasting.append(name) }
  }

  private static let mostNamed = 20

  fileprivate func forgetLasting() { lasting = [] }

  fileprivate func report(takenBack count: Int) -> BudgetReport {
    BudgetReport(takenBack: count, lasting: lasting)
  }
}

extension Runtime {
  /// Runs a stretch of a handler or task: what it writes is taken back where its budget stops it.
  ///
  /// A handler that another one calls is part of that one's stretch.
  func keeping<Result>(_ writes: HandlerWrites, _ body: () throws -> Result) throws -> Result {
    // While a batch or a change is being followed, and while a new version is tried, others count
    // on what is written.
    guard calls.writes == nil, !graph.hasJournal, !graph.isInWave else { return try body() }
    writes.journal = graph.beginJournal()
    calls.writes = writes
    defer {
      calls.writes = nil
      if let journal = writes.journal { graph.end(journal) }
      writes.journal = nil
    }
    do { return try body() } catch {
      var stopped = TideError(script: error)
      guard stopped.isOfBudget, exitCode == nil, let journal = writes.journal else { throw error }
      graph.end(journal)
      takeBack(journal)
      let report = writes.report(takenBack: journal.count)
      stopped.budget = report
      if !report.text.isEmpty { stopped.message += "; \(report.text)" }
      throw stopped
    }
  }

  /// What is written from here on is taken back alone.
  func checkpoint() {
    guard let writes = calls.writes, let journal = writes.journal else { return }
    graph.end(journal)
    writes.journal = graph.beginJournal()
    writes.forgetLasting()
  }

  /// Notes something that the running handler does and that cannot be taken back.
  func noteLasting(_ function: String, _ what: String) {
    calls.writes?.noteLasting("\(function) \(what.inMessage)")
  }

  private func takeBack(_ journal: Journal) {
    let work = { [home] in home.runWithinBudget { journal.rollBackProperties() } }
    // Nothing that follows a change would run in a turn that is over.
    if lua.isTurnOver { lua.atEndOfTurn(work) } else { work() }
  }

  func installCheckpoint() throws {
    try define(.checkpoint) { [unowned self] _ in checkpoint() }
  }
}

// MARK: Catalogue

extension APIEntry {
  static let checkpoint = APIEntry(
    "checkpoint()",
    "Keeps what the handler has written so far, should its budget stop it; a wait does so too.",
    "")
}
