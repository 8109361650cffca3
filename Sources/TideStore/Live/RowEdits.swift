import TideBindings
import TideGraph
import TideScript
import TideSystem

/// Writes the edits of a list's rows to the database, by itself, once they have settled.
///
///     edit ──▶ mark ──▶ edited ──▶ timer ──▶ write ──▶ written, or listed and tried again later
///                                             ▲
///             db:flush, the end of a transaction, of the context, of the app
///
/// A row that has left the list is still followed while a script or a view holds it, and is itself
/// held until its edits are written.
final class RowEdits {
  private unowned let query: QueryList
  private let store: Store
  /// Rows that have changed since they were last written, also those that have left the list.
  private var touched: [ObjectIdentifier: DataObject] = [:]
  /// Rows with edits that the database has refused. They are tried again when something changes.
  private var refusals: [ObjectIdentifier: Refusal] = [:]
  private var timer: LoopTimer?
  /// The listed error of the last attempt, and the seconds before the next attempt.
  private var failure: TideError?
  private var delay = 0.0
  /// The seconds before the next attempt at refused edits after a commit of another program.
  private(set) var pause = 0.0
  /// Whether no more edits are written.
  private var isStopped = false
  private var hasEnded = false

  private struct Refusal {
    weak var row: DataObject?
    let error: TideError
  }

  init(of query: QueryList, in store: Store) { (self.query, self.store) = (query, store) }

  private var graph: Graph { query.list.graph }

  /// Called when a property of a row has changed.
  func noteChange(of row: DataObject) {
    if isStopped || !query.isEdited(row) { return }
    hold([row])
    if pause > 0 {
      pause = 0
      if failure == nil { schedule(after: 0) }
    }
    query.reviewEdit(of: row)
  }

  /// Holds edited rows until they are written.
  func hold(_ rows: [DataObject]) {
    if rows.isEmpty || isStopped { return }
    for row in rows { touched[ObjectIdentifier(row)] = row }
    if timer == nil { schedule(after: 0) }
  }

  /// Rows that may have edits.
  ///
  /// - Parameter withUnsettled: whether to look for changes that have not settled, which takes time
  ///   for each row of the list.
  func rows(withUnsettled: Bool = false) -> [DataObject] {
    if withUnsettled { graph.untracked { touchUnsettled() } }
    return Array(touched.values)
  }

  /// Notes rows with unsettled changes. Marks report only settled changes.
  private func touchUnsettled() {
    if !graph.isInWave && !hasEnded { return }
    for row in query.editedRows { touched[ObjectIdentifier(row)] = row }
  }

  private func schedule(after seconds: Double) {
    timer?.cancel()
    // A failed write does not keep the program from ending. It is retried at the end.
    timer = store.home.runtime?.loop.after(seconds, keepsRunning: seconds == 0) { [weak self] in
      guard let self else { return }
      timer = nil
      store.home.runWithinBudget { self.writeOrList(isPartial: true) }
    }
  }

  // MARK: Writing

  /// The rows with edits, in the order of their first read.
  private var editedRows: [DataObject] {
    touchUnsettled()
    return touched.values.filter(query.isEdited).map { (query.number(of: $0), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Whether a row has edits that the database does not have.
  var isPending: Bool {
    !isStopped && !query.isContinued && graph.untracked { !editedRows.isEmpty }
  }

  /// The rows with edits that are not written.
  var unwrittenRows: [DataObject] { isPending ? graph.untracked { editedRows } : [] }

  /// Writes the edits of all rows, in one transaction.
  ///
  /// - Parameter isPartial: whether to leave the remaining rows to the next turn when time is over.
  /// - Returns: the first error of a row that the database refuses.
  /// - Throws: an error that concerns all rows.
  @discardableResult
  func write(isPartial: Bool = false) throws -> TideError? {
    timer?.cancel()
    timer = nil
    store.reviewRemovals()
    forgetReleasedRows()
    let rows = graph.untracked { editedRows }
    touched = [:]
    for row in rows { touched[ObjectIdentifier(row)] = row }
    // The transaction of a script may fail after this.
    store.onRollback { [weak self] in self?.hold(rows) }
    var refusal: TideError?
    if !rows.isEmpty {
      let outer = store.isWritingEdits
      store.isWritingEdits = true
      defer { store.isWritingEdits = outer }
      try graph.untracked { refusal = try write(rows, isPartial: isPartial) }
    }
    let rest = touched.values.filter(query.isEdited)
    touched = [:]
    for row in rest { touched[ObjectIdentifier(row)] = row }
    query.dropFormerClasses()
    note(nil)
    delay = 0
    if refusal == nil { pause = 0 }
    if isPartial, rest.contains(where: { refusals[ObjectIdentifier($0)] == nil }) {
      schedule(after: 0)
    }
    if hasEnded, rest.isEmpty { stop() }
    return refusal
  }

  private func write(_ rows: [DataObject], isPartial: Bool) throws -> TideError? {
    var refusal: TideError?
    var isUndone = false
    func write(_ row: DataObject) throws {
      let reason = try self.write(row)
      refusal = refusal ?? reason
      note(reason, of: row)
    }
    do {
      try store.transaction {
        for (index, row) in rows.enumerated() {
          // At least one per turn, so that this ends.
          if isPartial, index > 0, WorkBudget.isOver { break }
          do { try write(row) } catch {
            isUndone = store.rollbackReason != nil && error.isRefusal
            throw error
          }
        }
      }
    } catch  where isUndone && !store.isInTransaction {
      // One row has rolled back the whole transaction, for example by a trigger with
      // RAISE(ROLLBACK). Write each row by itself.
      for row in rows { try write(row) }
    }
    return refusal
  }

  /// - Returns: why the database refuses the row's edits. Edits that are lost are listed, and give
  ///   nil.
  private func write(_ row: DataObject) throws -> TideError? {
    let reason = try query.abandonUnwritableEdits(of: row)
    do {
      try query.write(row)
    } catch let error as TideError where error.code == .unwritten {
      // No other attempt can succeed.
      query.abandonEdits(of: row)
      tellWhenCommitted(error)
    } catch  where store.rollbackReason != nil && store.transactionDepth > 0 {
      throw error
    } catch  where error.isOfSchema {
      // Another program, or a migration, has removed the column.
      guard let lost = try query.abandonUnwritableEdits(of: row, checksTable: true) else {
        return reason ?? TideError(wrapping: error, graph: graph)
      }
      tellWhenCommitted(lost)
      return try write(row) ?? reason
    } catch let error as TideError where error.isRefusal || error.cause == nil {
      // The attempt may have shown that they can never be written.
      return try reason ?? query.abandonUnwritableEdits(of: row) ?? error
    }
    return reason
  }

  /// Lists the text of an edit that is lost.
  private func tellWhenCommitted(_ error: TideError) {
    store.onCommit { [store] in store.tell(error) }
  }

  /// Writes all edits. An error is listed, and the write is tried again later; returns false then.
  @discardableResult
  func writeOrList(isPartial: Bool = false) -> Bool {
    if query.isContinued { return true }
    // The store may release the list after the write.
    let query = query
    defer { withExtendedLifetime(query) {} }
    do {
      return try write(isPartial: isPartial) == nil
    } catch {
      note(TideError(wrapping: error, graph: graph))
      // Another program may be writing.
      delay = min(30, max(1, 2 * delay))
      schedule(after: delay)
      return false
    }
  }

  /// Lists the error of the last write, until a write succeeds.
  private func note(_ error: TideError?) {
    if error?.message == failure?.message { return }
    query.note(error)
    if let failure { store.home.runtime?.bindings.withdraw(failure) }
    failure = error.flatMap { store.home.runtime?.bindings.list($0) }
  }

  /// Lists why edits of a row are refused, until they are written.
  private func note(_ reason: TideError?, of row: DataObject) {
    let known = refusals[ObjectIdentifier(row)]
    if let known, known.row === row, known.error.message == reason?.message { return }
    if let known { store.home.runtime?.bindings.withdraw(known.error) }
    refusals[ObjectIdentifier(row)] = reason.flatMap { store.tell($0) }.map {
      Refusal(row: row, error: $0)
    }
  }

  /// Withdraws the errors of refused rows that were released. Their edits are gone with them.
  func forgetReleasedRows() {
    for (key, refusal) in refusals where refusal.row == nil {
      store.home.runtime?.bindings.withdraw(refusal.error)
      refusals[key] = nil
    }
  }

  /// A row is not in its table any more. Abandons its edits, lists them when the transaction
  /// commits, and withdraws errors about the row.
  func noteRemoval(of row: DataObject) {
    store.onCommit { [weak self] in self?.note(nil, of: row) }
    guard let error = query.removal(of: row) else { return }
    store.onRollback { [weak self] in self?.hold([row]) }
    query.abandonEdits(of: row)
    tellWhenCommitted(error)
  }

  /// Schedules another attempt at refused edits after a change of the database.
  func tryAgain() {
    // Without this check, each failed attempt would cause another one.
    if store.isWritingEdits || refusals.isEmpty || touched.isEmpty { return }
    if store.isFollowingOwnWrites {
      if timer == nil || pause > 0 && failure == nil { schedule(after: 0) }
    } else if timer == nil {
      // Failed attempts of two programs change the file, and would cause each other.
      schedule(after: pause)
      pause = min(Self.longestPause, max(1, 2 * pause))
    }
  }

  private static let longestPause = 60.0

  // MARK: Versions

  /// Takes over the edits of the list of the previous version.
  func adopt(_ former: RowEdits) { hold(former.rows()) }

  /// The version that has taken over the edits was refused.
  func resume() { hold(graph.untracked { query.editedRows }) }

  // MARK: Ending

  /// The context of the list has ended.
  func end() {
    hasEnded = true
    if !isPending { return stop() }
    let runtime = store.home.runtime
    if runtime?.hasEnded == true || runtime?.loader.rollback != nil || store.isInTransaction {
      // At the end of the app everything is written at once. The writes of a new version, or of a
      // transaction, may be rolled back.
      store.retain(query)
      return schedule(after: 0)
    }
    writeOrList()
    if !isStopped { store.retain(query) }
  }

  /// Gives up all edits.
  func stop() {
    isStopped = true
    timer?.cancel()
    timer = nil
    touched = [:]
    note(nil)
    for refusal in refusals.values { store.home.runtime?.bindings.withdraw(refusal.error) }
    refusals = [:]
    query.stopFollowingRows()
    store.release(query)
  }
}
