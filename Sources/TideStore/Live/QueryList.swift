import CSQLite
import TideBindings
import TideGraph
import TideLua
import TideScript
import TideSystem

/// A list that follows a query: after each commit that touches what it reads, it gets the edits that
/// happened, and no others.
///
/// ```lua
/// local recent = db:list("SELECT * FROM entry WHERE day >= ? ORDER BY day", { since })
/// ```
final class QueryList: StoreQuery {
  let list = SourcedList(
    refusal: "this list follows a query; change the rows of the database, by db:run or db:write")
  private let store: Store
  private var query: Query
  private let rowClass: RowClass
  private var known = KnownRows()
  private(set) var tables = StatementTables()
  private(set) var columns: [SQLiteStatement.Column] = []
  private let most: Int
  private let options: RowOptions
  /// The version that asks, while it is tried.
  private weak var trial: AnyObject?
  /// Whether a list of a newer version has taken over its rows.
  private var isContinued = false
  private var edits: LoopTimer?
  /// Asks the query.
  private(set) lazy var reader = QueryReader(
    store, of: self,
    { [unowned self] in
      { [query, known, most] (connection) throws(SQLiteFailure) in
        try connection.read(query, knowing: known, most: most)
      }
    }, take: { [unowned self] in try apply($0) }, note: { [unowned self] in note($0) },
    setLoading: { [unowned self] in list.setLoading($0) })

  /// - Throws: `store` for a statement that is none, or is no query.
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
    let keys = try Self.keys(options.key, columns, store)
    query.keyColumns = keys
    query.mostBytes = runtime.configuration.lua.memory
    rowClass = try RowClass(columns, keys: keys, options, in: runtime)
    self.options = options
    trial = runtime.loader.rollback
    if trial != nil { continueFormer() }
    store.add(self)
  }

  /// Goes on with the rows of the version before, which people may be editing.
  private func continueFormer() {
    let former = store.queries(QueryList.self).first {
      $0.trial !== trial && !$0.isContinued && $0.query == query && $0.options == options
    }
    guard let former, rowClass.goOn(with: former.rowClass) else { return }
    former.isContinued = true
    known = former.known
    let rows = list.graph.untracked { former.list.trackedElements }
    do { try list.show(rows) } catch { known = KnownRows() }
  }

  /// The columns that name a row: those that were asked for, else the table's own key.
  private static func keys(
    _ wanted: String?, _ columns: [SQLiteStatement.Column], _ store: Store
  ) throws -> [Int] {
    if let wanted {
      guard let index = columns.firstIndex(where: { $0.name == wanted }) else {
        throw TideError(
          .store,
          "the query has no column \"\(wanted.inMessage)\" for its key"
            + NearestName.hint(for: wanted, in: columns.map(\.name)))
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

  func refresh() { reader.refresh() }

  private var graph: Graph { list.graph }

  private func note(_ error: (any Error)?) {
    list.note(error.map { TideError(wrapping: $0, graph: graph) })
  }

  /// Makes the edits that lead to other rows.
  private func apply(_ difference: QueryDifference) throws {
    tables = difference.tables
    guard let runtime = store.home.runtime else { return }
    try graph.untracked {
      graph.beginBatch()
      defer { graph.endBatch() }
      if difference.isInPlace {
        for (index, values) in difference.values {
          guard case .object(let row as DataObject)? = list[index] else { continue }
          try rowClass.update(row, values)
        }
      } else {
        try runtime.admitRows(difference.values.count)
        var rows: [Value] = []
        rows.reserveCapacity(difference.origins.count)
        for (index, origin) in difference.origins.enumerated() {
          guard let origin, case .object(let row as DataObject)? = list[origin] else {
            rows.append(.object(try rowClass.make(difference.values[index] ?? [])))
            continue
          }
          if let values = difference.values[index] { try rowClass.update(row, values) }
          rows.append(.object(row))
        }
        try list.show(rows)
      }
      known = difference.rows
    }
    rowClass.forgetRows(where: known.keys.count)
  }

  // MARK: Writing rows back

  /// Whether one of its rows is meant.
  func holds(_ row: DataObject) -> Bool { rowClass.knows(row) }

  /// Writes what was changed of a row into the table that it comes from.
  func write(_ row: DataObject) throws { try rowClass.write(row, to: store) }

  /// Has each change of a row be written by itself, when what has changed with it has settled.
  func writeEdits(in context: BindingContext) {
    context.effect { [unowned self] in
      for element in list.trackedElements {
        if case .object(let row as DataObject) = element { _ = row.storedValues }
      }
      if edits == nil, let runtime = store.home.runtime {
        edits = runtime.loop.after(0) { [weak self] in self?.writeAll() }
      }
    }
  }

  private func writeAll() {
    edits = nil
    graph.untracked {
      for element in list.trackedElements {
        guard case .object(let row as DataObject) = element else { continue }
        do { try write(row) } catch {
          note(error)
          store.home.runtime?.bindings.list(TideError(wrapping: error, graph: graph))
        }
      }
    }
  }
}

/// The options of `db:list`.
struct RowOptions: Equatable {
  var className: String?
  var key: String?
  var writes = false
}
