import CSQLite
import TideBindings

/// A query, with what tells its rows apart.
struct Query: Sendable, Equatable {
  let sql: String
  let parameters: SQLiteParameters
  /// Those that its rows are expected to have.
  var columns: [SQLiteStatement.Column] = []
  /// The columns whose values name a row; none where its whole content does.
  var keyColumns: [Int] = []
}

/// What is known of a query's rows, in their order.
struct KnownRows: Sendable {
  var keys: [SQLiteValue] = []
  var hashes: [UInt64] = []
}

/// How a query's rows differ from what was known of them.
struct QueryDifference: QueryFinding {
  var rows = KnownRows()
  /// Where each row was before; nil for new ones.
  var origins: [Int?] = []
  /// Of rows that are new or have changed, by where they are.
  var values: [Int: [SQLiteValue]] = [:]
  var tables = StatementTables()
  /// Where the query has other columns than were expected, those; then nothing is compared.
  var otherColumns: [SQLiteStatement.Column]?
  /// Whether each row is where it was.
  var isInPlace = true
  /// What the values take.
  var reservation: RowReservation?
}

extension SQLiteConnection {
  /// Runs a query and compares its rows with those that are known: values are made of new and
  /// changed ones alone.
  ///
  /// - Parameter most: how many rows it may have.
  func read(
    _ query: Query, knowing known: KnownRows, most: Int
  ) throws(SQLiteFailure) -> QueryDifference {
    let statement = try statement(query.sql)
    defer { statement.reset() }
    try statement.bind(query.parameters)
    var difference = QueryDifference()
    // The first step may prepare the statement for another schema.
    var hasRow = try statement.step()
    difference.tables = statement.tables
    if statement.columns != query.columns {
      difference.otherColumns = statement.columns
      return difference
    }
    difference.rows.keys.reserveCapacity(known.keys.count)
    difference.rows.hashes.reserveCapacity(known.keys.count)
    difference.origins.reserveCapacity(known.keys.count)
    var former = FormerRows(known)
    let reservation = newReservation()
    difference.reservation = reservation
    while hasRow {
      let index = difference.origins.count
      if index == most {
        throw .init(
          code: 0,
          message:
            "the query has more than \(most) rows, which one change may have; add LIMIT, or raise the limit \"rows\""
        )
      }
      let hash = statement.rowHash()
      let key = statement.key(query.keyColumns, hash)
      let origin = former.take(key, at: index)
      if origin != index { difference.isInPlace = false }
      if origin.map({ known.hashes[$0] }) != hash {
        difference.values[index] = try statement.values(reservation)
      }
      difference.origins.append(origin)
      difference.rows.keys.append(key)
      difference.rows.hashes.append(hash)
      hasRow = try statement.step()
    }
    if difference.origins.count != known.keys.count { difference.isInPlace = false }
    return difference
  }
}

extension SQLiteValue {
  /// Itself as a part of a key of several columns, with its length, so that no two keys are one.
  fileprivate var keyPart: String {
    let text = "\(self)"
    return "\(text.utf8.count):\(text)"
  }
}

extension SQLiteStatement {
  fileprivate func key(_ columns: [Int], _ hash: UInt64) -> SQLiteValue {
    switch columns.count {
    case 0: .integer(Int(truncatingIfNeeded: hash))
    case 1: value(columns[0])
    default: .text(columns.map { value($0).keyPart }.joined())
    }
  }
}

/// Rows that were known, each of which becomes one of the new ones at most.
private struct FormerRows {
  private let known: KnownRows
  /// Where those of a key stand that nobody has taken, the last first; made where a row is
  /// elsewhere.
  private var places: [SQLiteValue: [Int]]?
  private var taken = 0

  init(_ known: KnownRows) { self.known = known }

  /// Where the row of a key was; most are where they were.
  mutating func take(_ key: SQLiteValue, at index: Int) -> Int? {
    if places == nil {
      if index < known.keys.count, known.keys[index] == key {
        taken = index + 1
        return index
      }
      var found: [SQLiteValue: [Int]] = [:]
      for place in (taken..<known.keys.count).reversed() {
        found[known.keys[place], default: []].append(place)
      }
      places = found
    }
    return places?[key]?.popLast()
  }
}
