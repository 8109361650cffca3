import CSQLite
import TideBindings
import TideGraph
import TideScript
import TideSystem

/// Writes the edits of a list's rows to the database, by itself, once they have settled.
///
///     edit ──▶ settle ──▶ timer ──▶ write ──▶ written, or listed and tried again later
///                                     ▲
///     db:flush, the end of a transaction, of the context, of the app
///
/// A row that has left the list is still followed while a script or a view holds it, and is itself
/// held until its edits are written.
final class RowEdits {
  private unowned let query: QueryList
  private let store: Store
  /// Rows that have left the list with edits.
  private var departed: [DataObject] = []
  private var timer: LoopTimer?
  /// The listed error of the last attempt, and the seconds before the next attempt.
  private var failure: TideError?
  private var delay = 0.0
  /// Whether no more edits are written.
  private var isStopped = false
  private var hasEnded = false

  init(of query: QueryList, in store: Store) { (self.query, self.store) = (query, store) }

  private var graph: Graph { query.list.graph }

  func begin(in context: BindingContext) {
    context.effect { [unowned self] in
      _ = query.list.trackedElements
      for row in query.rows { _ = row.storedValues }
      if timer == nil { schedule(after: 0) }
    }
  }

  /// Holds the rows that a list no longer shows until their edits are written.
  func hold(_ rows: [DataObject]) {
    if rows.isEmpty { return }
    departed += rows
    if timer == nil { schedule(after: 0) }
  }

  private func schedule(after seconds: Double) {
    timer?.cancel()
    // A failed write does not keep the program from ending. It is retried at the end.
    timer = store.home.runtime?.loop.after(seconds, keepsRunning: seconds == 0) { [weak self] in
      guard let self else { return }
      store.home.runWithinBudget { self.writeOrList() }
    }
  }

  // MARK: Writing

  /// Whether a row has edits that the database does not have.
  var isPending: Bool { !isStopped && graph.untracked { !query.editedRows.isEmpty } }

  /// Writes all edits.
  ///
  /// - Throws: the first error, after an attempt to write every row.
  func write() throws {
    timer?.cancel()
    timer = nil
    var failure: (any Error)?
    graph.untracked {
      for row in query.editedRows {
        do { try query.write(row) } catch let error as TideError where error.code == .unwritten {
          // The row was removed, so no other attempt can succeed.
          query.abandonEdits(of: row)
          store.tell(error)
        } catch {
          failure = failure ?? error
          // The other rows would have to wait as well.
          if store.isLocked { break }
        }
      }
      departed.removeAll { !query.isEdited($0) }
    }
    if let failure { throw failure }
    note(nil)
    delay = 0
  }

  /// Writes all edits. An error is listed, and the write is tried again later; returns false then.
  @discardableResult
  func writeOrList() -> Bool {
    // The store may let go of the list after the write.
    let query = query
    defer { withExtendedLifetime(query) {} }
    do {
      try write()
      if hasEnded { stop() }
      return true
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

  // MARK: Ending

  /// The version that made the list was refused, and with it its edits.
  func refuse() { stop() }

  /// The context of the list has ended.
  func end() {
    hasEnded = true
    if !isPending { return stop() }
    let runtime = store.home.runtime
    if runtime?.hasEnded == true || runtime?.loader.rollback != nil || store.isInTransaction {
      // At the end of the app everything is written at once. The writes of a new version, or of a
      // transaction, may be rolled back.
      store.hold(query)
      return schedule(after: 0)
    }
    if !writeOrList() { store.hold(query) }
  }

  private func stop() {
    isStopped = true
    timer?.cancel()
    timer = nil
    departed = []
    note(nil)
    store.letGo(of: query)
  }
}

// Pending writes of a database: edits of rows, and changes of kept models.
extension Store {
  private var edits: [RowEdits] { queries(QueryList.self).compactMap(\.edits) }

  /// Writes the edits of rows for a script that waits for them.
  ///
  /// - Throws: the first error, after an attempt to write the rows of every list.
  func flushEdits() throws {
    var failure: (any Error)?
    for edits in edits where edits.isPending {
      do { try edits.write() } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// Writes the edits of rows within the transaction of a script. Errors are listed.
  func writeEdits() {
    for edits in edits where edits.isPending { edits.writeOrList() }
  }

  /// Writes what is left when the app ends. While another program is writing, waits for it.
  ///
  /// - Parameter end: when to give up, in seconds of the loop's clock.
  /// - Returns: false, with a listed error, if something could not be written.
  func writeRest(until end: () -> Bool) -> Bool {
    var failure: (any Error)?
    repeat {
      failure = nil
      home.runWithinBudget {
        do { try keeper.write() } catch { failure = error }
        if failure != nil, isLocked { return }
        do { try flushEdits() } catch { failure = failure ?? error }
      }
    } while failure != nil && isLocked && !end()
    guard let failure else { return true }
    var lost = keeper.unwrittenNames
    for query in queries(QueryList.self) where query.edits?.isPending == true {
      lost += query.unwrittenTexts
    }
    var error = TideError(wrapping: failure, graph: graph)
    error.message += "; the app has ended without writing \(Self.listing(lost))"
    home.runtime?.bindings.list(TideError(.unwritten, error.message))
    return false
  }

  private static func listing(_ texts: [String]) -> String {
    let most = 5
    let rest = texts.count > most ? " and \(texts.count - most) more" : ""
    return texts.prefix(most).joined(separator: ", ") + rest
  }
}
