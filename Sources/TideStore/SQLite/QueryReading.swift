import CSQLite
import TideBindings

/// A query, with its parameters and the key of its rows.
struct Query: Sendable, Equatable {
  let sql: String
  let parameters: SQLiteParameters
  /// The expected columns.
  var columns: [SQLiteStatement.Column] = []
  /// The columns that identify a row; empty if its whole content does.
  var keyColumns: [Int] = []
}

/// Keys and hashes of a query's known rows, in order.
struct KnownRows: Sendable {
  var keys: [SQLiteValue] = []
  var hashes: [UInt64] = []
}

/// The difference between a query's rows and the known ones.
struct QueryDifference: QueryFinding {
  var rows = KnownRows()
  /// The former index of each row; nil for new rows.
  var origins: [Int?] = []
  /// The values of new and changed rows, by index.
  var values: [Int: [SQLiteValue]] = [:]
  var tables = StatementTables()
  /// The actual columns, if they differ from the expected ones. Rows are not compared then.
  var otherColumns: [SQLiteStatement.Column]?
  /// Whether all rows have kept their indexes.
  var isInPlace = true
  /// The memory of the values.
  var reservation: RowReservation?
}

extension SQLiteConnection {
  /// Runs a query and compares its rows with the known ones. Values are made only for new and
  /// changed rows.
  ///
  /// - Parameter most: the most rows.
  func read(
    _ query: Query, knowing known: KnownRows, most: Int
  ) throws(SQLiteFailure) -> QueryDifference {
    let statement = try statement(query.sql)
    defer { statement.reset() }
    try statement.bind(query.parameters)
    var difference = QueryDifference()
    // The first step may prepare the statement again for a changed schema.
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
  /// A part of a composite key, prefixed with its length so that different keys differ.
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

/// The known rows. Each matches at most one new row.
private struct FormerRows {
  private let known: KnownRows
  /// Unmatched indexes by key, the last first; built when a row has moved.
  private var places: [SQLiteValue: [Int]]?
  private var taken = 0

  init(_ known: KnownRows) { self.known = known }

  /// The former index of a key's row. Most rows have not moved.
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
