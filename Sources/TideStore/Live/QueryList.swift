import CSQLite
import TideBindings
import TideGraph
import TideLua
import TideScript
import TideSystem

/// A list that follows a query. After each commit that affects the query, it makes only the edits
/// that lead to the new rows.
///
/// ```lua
/// local recent = db:list("SELECT * FROM entry WHERE day >= ? ORDER BY day", { since })
/// ```
final class QueryList: StoreQuery {
  let list = SourcedList(
    refusal: "this list follows a query; change the rows of the database, by db:run or db:write")
  private let store: Store
  private var query: Query
  private let charge: CountedText?
  private var rowClass: RowClass
  /// The classes of rows that were shown before a change of the schema, and are still held.
  private var formerClasses: [RowClass] = []
  /// Rows that have left the list. Scripts or views may still hold them.
  private var departed: [WeakRow] = []
  /// The index of the next departed row to look up.
  private var nextDeparted = 0
  /// The count of departed rows at which released ones are dropped.
  private var mostDeparted = 2 * QueryList.mostReviewed
  private var known = KnownRows()
  private lazy var origin = RowOrigin(query)
  /// Whether the shown rows have columns that the query no longer has.
  private var showsFormerColumns = false
  private(set) var tables = StatementTables()
  private(set) var columns: [SQLiteStatement.Column] = []
  private let most: Int
  private let options: RowOptions
  /// The reload in which this list was made; nil outside of one.
  private weak var trial: AnyObject?
  /// The name of the module that made the list; nil outside of modules.
  private var module: String?
  /// Whether a list of a newer version has taken over its rows.
  private(set) var isContinued = false
  /// The list of the previous version whose rows it has taken over.
  private weak var continued: QueryList?
  /// Writes the edits of rows by itself; nil if scripts write them.
  private(set) var edits: RowEdits?
  /// Reads the query.
  private(set) lazy var reader = QueryReader(
    store, of: self,
    { [unowned self] in
      { [query, known, most] (connection) throws(SQLiteFailure) in
        try connection.read(query, knowing: known, most: most)
      }
    },
    take: { [unowned self] difference in
      try BindingTable.of(graph).acting(as: store.name(ofQuery: query.sql)) {
        try apply(difference)
      }
    }, note: { [unowned self] in note($0) },
    setLoading: { [unowned self] in list.setLoading($0) })

  /// - Throws: `store` for an invalid statement, or one that is not a query.
  init(
    _ store: Store, _ sql: String, _ parameters: SQLiteParameters, _ options: RowOptions
  ) throws {
    self.store = store
    let runtime = try store.home.requireRuntime()
    most = runtime.configuration.limits.rows
    let (columns, tables) = try store.describe(query: sql, of: "a list")
    self.tables = tables
    self.columns = columns
    query = Query(sql: sql, parameters: parameters)
    charge = store.charge(for: sql, parameters)
    let keys = try Self.keys(options.key, columns, store)
    query.keyColumns = keys
    query.columns = columns
    rowClass = try RowClass(columns, keys: keys, options, in: runtime)
    self.options = options
    trial = runtime.loader.rollback
    module = runtime.modules.module(of: runtime.context)?.name
    if let rollback = runtime.loader.rollback {
      rollback.keep { [weak self] in self?.edits?.stop() }
      continueFormer(rollback)
    }
    store.add(self)
  }

  /// Continues with the rows of the previous version, which people may be editing.
  private func continueFormer(_ rollback: Rollback) {
    let former = store.queries(QueryList.self).first {
      $0.trial !== rollback && !$0.isContinued && $0.module == module && $0.query == query
        && $0.options == options
    }
    guard let former, rowClass.goOn(with: former.rowClass) else { return }
    former.isContinued = true
    // The new version may be rejected.
    rollback.keep { [weak former] in
      former?.isContinued = false
      former?.edits?.resume()
    }
    continued = former
    known = former.known
    let rows = list.graph.untracked { former.list.trackedElements }
    do { try list.show(rows) } catch { known = KnownRows() }
  }

  /// The columns that identify a row: the requested one, or else the table's key.
  private static func keys(
    _ wanted: String?, _ columns: [SQLiteStatement.Column], _ store: Store
  ) throws -> [Int] {
    if let wanted {
      guard let index = columns.firstIndex(where: { $0.name == wanted }) else {
        throw TideError(
          .store,
          "the query has no column \"\(wanted.inMessage)\" for its key"
            + NearestName.hintOrNames(for: wanted, in: columns.map(\.name)))
      }
      return [index]
    }
    let sources = Set(columns.compactMap(\.table))
    guard sources.count == 1, let table = sources.first else { return [] }
    let names = try store.use { (connection) throws(SQLiteFailure) in
      try connection.keyColumns(of: table)
    }
    let found = names.compactMap { name in columns.firstIndex { $0.origin == name } }
    return found.count == names.count ? found : []
  }

  // MARK: Following

  func refresh() {
    reviewDeparted()
    edits?.forgetReleasedRows()
    reader.refresh()
    edits?.tryAgain()
  }

  private var graph: Graph { list.graph }

  func note(_ error: (any Error)?) {
    list.note(error.map { TideError(wrapping: $0, graph: graph) })
  }

  /// Edits the list to show the new rows.
  private func apply(_ difference: QueryDifference) throws {
    tables = difference.tables
    guard let runtime = store.home.runtime else { return }
    if let columns = difference.otherColumns { return try begin(with: columns, in: runtime) }
    try graph.adopt {
      if difference.isInPlace, !showsFormerColumns {
        for (index, values) in difference.values {
          guard case .object(let row as DataObject)? = list[index] else { continue }
          try update(row, values)
        }
      } else {
        try runtime.admitRows(difference.values.count)
        var rows: [Value] = []
        rows.reserveCapacity(difference.origins.count)
        for (index, origin) in difference.origins.enumerated() {
          guard let origin, case .object(let row as DataObject)? = list[origin] else {
            let values = difference.values[index] ?? []
            rows.append(
              .object(try rowClass.make(values, after: store.inserted.lastStatement)))
            continue
          }
          if let values = difference.values[index] {
            try update(row, values)
          }
          rows.append(.object(row))
        }
        let leaving = leavingRows(except: rows)
        try list.show(rows)
        noteDeparture(of: leaving)
        showsFormerColumns = false
      }
      known = difference.rows
    }
    rowClass.forgetRows(where: known.keys.count)
  }

  private func update(_ row: DataObject, _ values: [SQLiteValue]) throws {
    try rowClass.update(
      row, values, isOwn: store.isFollowingOwnWrites, after: store.inserted.lastStatement)
  }

  /// Rows that the list is about to remove. Those with unwritten edits are held until they are
  /// written.
  private func leavingRows(except rows: [Value]) -> [WeakRow] {
    if !rowClass.isEditable { return [] }
    let shown = Set(
      rows.compactMap { if case .object(let row) = $0 { ObjectIdentifier(row) } else { nil } })
    let leaving = graph.untracked { list.values }.compactMap { value -> DataObject? in
      guard case .object(let row as DataObject) = value, !shown.contains(ObjectIdentifier(row))
      else { return nil }
      return row
    }
    edits?.hold(leaving.filter(isEdited))
    return leaving.map { WeakRow(row: $0) }
  }

  // MARK: Removed rows

  /// The most departed rows that are looked up at once.
  private static let mostReviewed = 256

  /// Notes rows that have left the list, and finds out which of the first ones were removed, before
  /// other rows can have their keys. The others are looked up with the next refreshes.
  private func noteDeparture(of rows: [WeakRow]) {
    if rows.isEmpty { return }
    departed += rows
    if departed.count > mostDeparted {
      departed.removeAll { $0.row == nil }
      mostDeparted = 2 * (departed.count + Self.mostReviewed)
    }
    for entry in rows.prefix(Self.mostReviewed) {
      if let row = entry.row { review(row, looksUp: true) }
    }
  }

  /// Looks up some of the departed rows, in turn, and drops those that were removed or released.
  private func reviewDeparted() {
    for _ in 0..<min(departed.count, Self.mostReviewed) {
      if nextDeparted >= departed.count { nextDeparted = 0 }
      if let row = departed[nextDeparted].row {
        review(row, looksUp: true)
        if !rowClass(of: row).isRemoved(row) {
          nextDeparted += 1
          continue
        }
      }
      departed.swapAt(nextDeparted, departed.count - 1)
      departed.removeLast()
    }
  }

  /// Finds out whether a row was removed from the table.
  private func review(_ row: DataObject, looksUp: Bool) {
    guard let removal = rowClass(of: row).noteRemoval(of: row, in: store, looksUp: looksUp) else {
      return
    }
    edits?.noteRemoval(of: row)
    guard removal == .replaced else { return }
    // The object shows the row that has got the key, in which nobody is typing.
    store.onCommit { [graph] in BindingTable.of(graph).editedRecords?.lose(.object(row)) }
  }

  /// The rows that people are editing.
  private var rowsOfPeople: [DataObject] {
    let edits = BindingTable.of(graph).editedRecords?.edits ?? []
    return edits.flatMap(\.records).compactMap { record in
      guard case .object(let row as DataObject) = record, holds(row) else { return nil }
      return row
    }
  }

  /// Statements have written. Finds out which of the rows that may have edits they have removed.
  func reviewRemovals(by tables: StatementTables) {
    guard rowClass.isEditable, !self.tables.read.isDisjoint(with: tables.written) else { return }
    let looksUp = rowClass.losesRows(by: tables)
    // Other writes remove rows only by REPLACE, which inserts others.
    if !looksUp, tables.inserted.isEmpty { return }
    for row in edits?.rows(withUnsettled: looksUp) ?? [] { review(row, looksUp: looksUp) }
    for row in rowsOfPeople { review(row, looksUp: looksUp) }
    for entry in departed {
      if let row = entry.row { review(row, looksUp: looksUp) }
    }
  }

  /// Whether rows may have been removed whose keys a statement may give to other rows.
  func mayLoseRows(by tables: StatementTables, before next: StatementTables) -> Bool {
    rowClass.isEditable && rowClass.losesRows(by: tables)
      && rowClass.reusesKeys(by: next, in: store)
  }

  /// The open transaction may have removed a row that the list still shows.
  func reviewEdit(of row: DataObject) {
    if !store.isInTransaction { return }
    review(row, looksUp: rowClass(of: row).losesRows(by: store.written))
  }

  /// Adopts new columns after a schema change, and reads the query again.
  private func begin(with columns: [SQLiteStatement.Column], in runtime: Runtime) throws {
    let keys = try Self.keys(options.key, columns, store)
    let made = try RowClass(columns, keys: keys, options, in: runtime)
    let formerKeys = query.keyColumns.map { self.columns[$0].name }
    let hasSameKey = !keys.isEmpty && formerKeys == keys.map { columns[$0].name }
    let goesOn = made.goOn(with: rowClass)
    if goesOn, hasSameKey {
      // The rows stay the same objects, and only changed values are updated.
      known.hashes = known.hashes.map { _ in 0 }
    } else {
      known = KnownRows()
    }
    if goesOn {
      rowClass.stopFollowing()
    } else if edits != nil {
      // Edits of the former rows are still written, or listed.
      formerClasses.append(rowClass)
    }
    if edits != nil { follow(made) }
    showsFormerColumns = true
    rowClass = made
    self.columns = columns
    query.columns = columns
    query.keyColumns = keys
    origin = RowOrigin(query)
    reader.askAgain()
  }

  // MARK: Writing rows back

  /// Whether an object is one of its rows, including rows that have left the list.
  func holds(_ row: DataObject) -> Bool { rowClass(of: row).knows(row) }

  private func rowClass(of row: DataObject) -> RowClass {
    formerClasses.first { $0.knows(row) } ?? rowClass
  }

  /// All rows with unwritten edits. Takes time for each row.
  var editedRows: [DataObject] {
    formerClasses.flatMap(\.editedRows) + rowClass.editedRows
  }

  func isEdited(_ row: DataObject) -> Bool { rowClass(of: row).isEdited(row) }

  /// The row's position in the order of first reads.
  func number(of row: DataObject) -> Int { rowClass(of: row).number(of: row) }

  /// Each unwritten edit of a row as messages show it.
  func unwrittenTexts(of row: DataObject) -> [String] {
    graph.untracked { rowClass(of: row).edits(of: row) }.map { column, text in
      "\"\(column.name.inMessage)\" of a row of \((column.table ?? "a query").inMessage): \(text)"
    }
  }

  /// Writes the changes of a row to its table.
  func write(_ row: DataObject) throws {
    // The list reads what a transaction has written when that has ended.
    let isInOwnWrites = store.isInTransaction && tables.depend(on: store.written)
    let isBehindOwnWrites = reader.isBehindOwnWrites && !store.hasUnseenCommit
    let rowClass = rowClass(of: row)
    try rowClass.write(
      row, to: store, isOwn: isInOwnWrites || store.isFollowingOwnWrites || isBehindOwnWrites,
      rowClass === self.rowClass ? origin : nil)
  }

  func abandonEdits(of row: DataObject) { rowClass(of: row).abandonEdits(of: row, in: store) }

  /// Gives up edits that can never be written. Returns the reason; nil if there are none.
  func abandonUnwritableEdits(of row: DataObject, checksTable: Bool = false) throws -> TideError? {
    try rowClass(of: row).abandonUnwritableEdits(of: row, in: store, checksTable: checksTable)
  }

  /// The error for the edits of a removed row; nil without edits.
  func removal(of row: DataObject) -> TideError? { rowClass(of: row).removal(of: row) }

  /// Writes each change of a row by itself, once the change has settled.
  func writeEdits() {
    let edits = RowEdits(of: self, in: store)
    self.edits = edits
    follow(rowClass)
    if let former = continued?.edits { edits.adopt(former) }
  }

  private func follow(_ rowClass: RowClass) {
    rowClass.follow { [weak self] in self?.edits?.noteChange(of: $0) }
  }

  func stopFollowingRows() {
    rowClass.stopFollowing()
    formerClasses = []
  }

  /// Drops the classes of earlier schemas whose rows have been released.
  func dropFormerClasses() { formerClasses.removeAll { !$0.hasRows } }

  /// Stops following the query. Edits that could not be written are tried again.
  func end() {
    reader.end()
    edits?.end()
  }
}

private struct WeakRow {
  weak var row: DataObject?
}

/// The options of `db:list`.
struct RowOptions: Equatable {
  var className: String?
  var key: String?
  var writes = false
}
