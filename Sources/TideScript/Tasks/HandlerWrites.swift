import TideBindings
import TideGraph
import TideLua

/// The writes of a handler or task to models, lists and dicts. If its budget stops it, the writes
/// are rolled back to its start, its last wait or its last `checkpoint()`.
///
///     begins ──writes──▶ waits ──writes──▶ ends         all writes stay
///                          └────writes──▶ is stopped    writes after the wait are rolled back
///
/// Effects outside the app cannot be rolled back; the error names them.
final class HandlerWrites {
  fileprivate var journal: Journal?
  /// The number of the latest undoable change when the journal began.
  fileprivate var latestChange = 0
  /// The effects that cannot be rolled back, each once.
  private var lasting: [String] = []

  /// Records an effect that cannot be rolled back, such as `file.write out.txt`.
  func noteLasting(_ name: String) {
    if lasting.count < Self.mostNamed, !lasting.contains(name) { lasting.append(name) }
  }

  private static let mostNamed = 20

  fileprivate func forgetLasting() { lasting = [] }

  fileprivate func report(takenBack count: Int) -> BudgetReport {
    BudgetReport(takenBack: count, lasting: lasting)
  }
}

/// The effects of a handler that cannot be rolled back.
package struct LastingEffects {
  fileprivate let writes: HandlerWrites?
  fileprivate let act: PersonalAct?

  /// Records an effect, such as `file.write` of `out.txt`.
  package func note(_ function: String, _ what: String) {
    let name = "\(function) \(what.inMessage)"
    writes?.noteLasting(name)
    act?.noteLasting(name)
  }
}

extension Runtime {
  /// Runs one stretch, the part between two waits, of a handler or task. If its budget stops it,
  /// its writes are rolled back.
  ///
  /// A handler that is called by another one is part of the caller's stretch.
  func keeping<Result>(_ writes: HandlerWrites, _ body: () throws -> Result) throws -> Result {
    // During a batch, a propagation or a reload transaction, other code relies on the writes.
    guard calls.writes == nil, loader.rollback == nil, !graph.isInWave else { return try body() }
    writes.journal = graph.beginJournal()
    writes.latestChange = undoCenter.latestChange
    calls.writes = writes
    defer {
      calls.writes = nil
      if let journal = writes.journal { end(journal) }
      writes.journal = nil
    }
    do { return try body() } catch {
      var stopped = TideError(script: error)
      guard stopped.isOfBudget, exitCode == nil, let journal = writes.journal else { throw error }
      graph.end(journal)
      writes.journal = nil
      takeBack(journal, since: writes.latestChange)
      let report = writes.report(takenBack: journal.count)
      stopped.budget = report
      if !report.text.isEmpty { stopped.message += "; \(report.text)" }
      throw stopped
    }
  }

  /// Makes the writes so far permanent, and records those that follow.
  func checkpoint() {
    guard let writes = calls.writes, let journal = writes.journal else { return }
    end(journal)
    writes.journal = graph.beginJournal()
    writes.latestChange = undoCenter.latestChange
    writes.forgetLasting()
  }

  private func end(_ journal: Journal) {
    graph.end(journal)
    if journal.count > 0 { table.selectionHistory?.act?.noteChanges() }
  }

  /// Records an effect of the running handler that cannot be rolled back.
  func noteLasting(_ function: String, _ what: String) { lastingEffects.note(function, what) }

  /// Where to record effects of the running handler that cannot be rolled back. It stays valid
  /// while the handler waits.
  package var lastingEffects: LastingEffects {
    LastingEffects(writes: calls.writes, act: table.selectionHistory?.act)
  }

  private func takeBack(_ journal: Journal, since change: Int) {
    let work = { [home, undoCenter] in
      undoCenter.takingBack(since: change) {
        home.runWithinBudget { journal.rollBackProperties() }
      }
    }
    // After the end of a turn, observers of the restored values could not run.
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
    "Makes the writes so far permanent, should the budget stop the handler later; so does a wait.",
    "")
}
