import CTideSlots
import TideGraph

/// The rows of a derived list: for each, its source value and the function's result.
///
/// A row whose function has read something that can change has a node: a computed slot that notices
/// the change. `RowGroups` makes the list depend on all nodes. Rows whose function has read nothing
/// have no node.
final class RowTable {
  typealias Row = RowOrder.Row
  /// Returns a result for a value. `memory` is passed again at the next call for the same row.
  typealias Function = (_ value: Value, _ memory: inout PathMemory?) throws -> Value

  let graph: Graph
  private let function: Function
  private let groups: RowGroups
  // Unchecked for speed, as `ValueList.storage`: a script's function never runs during a change.
  @exclusivity(unchecked) private(set) var values: [Value] = []
  @exclusivity(unchecked) private(set) var results: [Value] = []
  @exclusivity(unchecked) private var free: [Row] = []
  @exclusivity(unchecked) private var isChanged: [Bool] = []
  /// Rows whose results have changed since they were last taken.
  @exclusivity(unchecked) private var changedRows: [Row] = []
  @exclusivity(unchecked) private var failures = RowFailures()
  private var isReleased = false
  /// Which results stay unchanged while a user edits a record.
  var held = Held.none
  /// A spare computed slot, for the next function that reads something, and its body.
  @exclusivity(unchecked) private var spare: (slot: Slot, body: RowBody)?

  /// The results that stay unchanged while a user edits a record.
  enum Held {
    case none
    /// The results for the record.
    case ofRecord
    /// The results that are the record, as an object is that a function makes for a row.
    case record
  }

  init(_ graph: Graph, _ function: @escaping Function) {
    self.graph = graph
    self.function = function
    groups = RowGroups(graph)
  }

  /// Releases the rows; called by the owner's `deinit`.
  func release() {
    isReleased = true
    failures.release(in: graph)
    ChainedRelease.release(&values, leaving: [])
    ChainedRelease.release(&results, leaving: [])
  }

  deinit {
    if let spare { graph.release(spare.slot) }
  }

  // MARK: Rows

  /// Makes a row for a value and calls the function on it.
  func make(_ value: Value) -> Row {
    let row: Row
    if let last = free.popLast() {
      row = last
      values[Int(row)] = value
      results[Int(row)] = .null
    } else {
      row = Row(values.count)
      values.append(value)
      results.append(.null)
      isChanged.append(false)
    }
    compute(row)
    return row
  }

  /// Makes the rows of a whole list. Throws when the turn ends meanwhile, and then keeps none.
  func make(_ values: [Value]) throws(WorkError) -> [Row] {
    var made: [Row] = []
    made.reserveCapacity(values.count)
    do throws(WorkError) {
      for value in values {
        try WorkBudget.checkTime()
        made.append(make(value))
      }
    } catch {
      for row in made { dispose(row) }
      throw error
    }
    return made
  }

  func dispose(_ row: Row) {
    values[Int(row)] = .null
    results[Int(row)] = .null
    isChanged[Int(row)] = false
    groups.remove(row)
    free.append(row)
    if !failures.isEmpty { failures.noteSuccess(of: row) }
  }

  /// Makes the slot that is being evaluated depend on all rows, and evaluates changed ones.
  func track() { groups.track() }

  /// Like `track`, for rows that were added or removed since.
  func trackNew() { groups.trackNew() }

  /// The rows whose results have changed since the last time.
  func takeChanged() -> [Row] {
    if changedRows.isEmpty { return [] }
    var rows: [Row] = []
    swap(&rows, &changedRows)
    rows = rows.filter { isChanged[Int($0)] }
    for row in rows { isChanged[Int(row)] = false }
    return rows
  }

  // MARK: Nodes

  /// The computed slot of a row's function; nil if the function has read nothing.
  func node(of row: Row) -> Slot? { groups.node(of: row) }

  private func compute(_ row: Row) {
    let (slot, body) = spare ?? makeNode()
    spare = nil
    body.row = row
    body.memory = nil
    // Marks the slot as stale.
    graph.derive(slot, by: body)
    graph.refreshListing(slot)
    if graph.dependencies(of: slot).isEmpty {
      spare = (slot, body)
    } else {
      groups.add(slot, for: row)
    }
  }

  private func makeNode() -> (Slot, RowBody) {
    let body = RowBody(self)
    return (graph.makeComputed(body), body)
  }

  /// Evaluates a row's function. Returns whether the result differs. The result of a failing
  /// function is nil.
  fileprivate func evaluate(
    _ row: Row, in slot: Slot, keeping memory: inout PathMemory?
  ) throws -> Bool {
    // The function may release the list that it belongs to, as a script does when it collects
    // garbage.
    guard !isReleased else { return false }
    var result = Value.null
    // Thousands of rows may change in one wave.
    try WorkBudget.checkTime()
    if holdsResult(of: row) { return false }
    do {
      result = try function(values[Int(row)], &memory)
      if isReleased { return false }
      if !failures.isEmpty { failures.noteSuccess(of: row) }
    } catch {
      if (error as? any PassingFailure)?.isPassing == true { throw error }
      if isReleased { return false }
      failures.note(TideError(wrapping: error, graph: graph), of: row)
    }
    let differs = results[Int(row)] != result
    results[Int(row)] = result
    if differs, !isChanged[Int(row)], groups.holds(slot, for: row) {
      isChanged[Int(row)] = true
      changedRows.append(row)
    }
    return differs
  }

  private func holdsResult(of row: Row) -> Bool {
    let result = results[Int(row)]
    switch held {
    case .none: return false
    case .ofRecord where result == .null: return false
    case .record:
      guard case .object = result else { return false }
      return BindingTable.of(graph).editedRecords?.holds(result) == true
    case .ofRecord:
      return BindingTable.of(graph).editedRecords?.holds(values[Int(row)]) == true
    }
  }

  // MARK: Failures

  /// Records that a row has moved among the others.
  func noteMove(of row: Row) {
    if !failures.isEmpty { failures.noteMove(of: row) }
  }

  /// Lists the error of comparing two rows.
  func list(_ error: any Error) {
    // A copy, because the error's handler may evaluate rows.
    var listed = failures
    listed.list(TideError(wrapping: error, graph: graph), in: graph)
    failures.adoptWordings(of: listed)
  }

  /// Lists new failures of rows, and withdraws those that are over.
  func listFailures(_ order: RowOrder, of function: String) {
    if !failures.hasChanged { return }
    var listed = failures.takeChanges(positions: order.position)
    graph.untracked {
      listed.list(in: graph, of: function, positions: order.position) { self.values[Int($0)] }
    }
    failures.adoptWordings(of: listed)
  }

  /// Names the function's owner in errors. They are withdrawn when the list ends.
  func nameFailures(_ name: @escaping () -> String) { failures.name = name }

  private final class RowBody: ComputedBody {
    private weak var table: RowTable?
    var row: Row = 0
    // Unchecked: the function that receives it may run scripts, but is never reentered.
    @exclusivity(unchecked) var memory: PathMemory?

    init(_ table: RowTable) { self.table = table }

    override func evaluate(_ slot: Slot) throws -> Bool {
      try table?.evaluate(row, in: slot, keeping: &memory) ?? false
    }
  }
}
