import TideBindings
import TideGraph
import TideScript

/// Follows the first row of a query, and passes on its current values.
final class FirstRow: StoreQuery {
  private let store: Store
  private let sql: String
  private let parameters: SQLiteParameters
  private let take: (Result<[SQLiteValue]?, any Error>) -> Void
  private let charge: CountedText?
  private(set) var tables = StatementTables()
  /// The columns of the last read, which a schema change may alter.
  private(set) var columns: [SQLiteStatement.Column]
  /// Counts the memory of the values, which the engine does not count.
  private var held: RowReservation?

  struct Read: QueryFinding {
    var values: [SQLiteValue]?
    /// The memory of the values, as long as the query holds them.
    var held: RowReservation?
    var reservation: RowReservation? { nil }
    var tables = StatementTables()
    var columns: [SQLiteStatement.Column] = []
  }

  /// Reads the query.
  private(set) lazy var reader = QueryReader<Read>(
    store, of: self,
    { [sql, parameters] in
      { (connection) throws(SQLiteFailure) in
        try Self.read(sql, parameters, connection)
      }
    },
    take: { [unowned self] read in
      (tables, held, columns) = (read.tables, read.held, read.columns)
      take(.success(read.values))
    }, note: { [unowned self] in if let error = $0 { take(.failure(error)) } })

  /// - Parameter take: receives the row's values, nil without a row, or an error.
  /// - Throws: `store` for an invalid statement, or one that is not a query.
  init(
    _ store: Store, _ sql: String, _ parameters: SQLiteParameters,
    _ take: @escaping (Result<[SQLiteValue]?, any Error>) -> Void
  ) throws {
    (self.store, self.sql, self.parameters, self.take) = (store, sql, parameters, take)
    charge = store.charge(for: sql, parameters)
    (columns, tables) = try store.describe(query: sql, of: "a value")
    store.add(self)
  }

  private static func read(
    _ sql: String, _ parameters: SQLiteParameters, _ connection: SQLiteConnection
  ) throws(SQLiteFailure) -> Read {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    try statement.bind(parameters)
    let reservation = connection.newReservation()
    let values = try statement.step() ? statement.values(reservation) : nil
    return Read(
      values: values, held: reservation, tables: statement.tables, columns: statement.columns)
  }

  func refresh() { reader.refresh() }
}

/// An object whose `value` follows the first column of a query's first row.
final class QueryValue: DataObject {
  static let valueShape = Shape(
    name: "value",
    properties: [
      PropertyDescription("value", isReadOnly: true),
      PropertyDescription("error", .string, isReadOnly: true),
    ], swiftClasses: [])

  private(set) var query: FirstRow?

  init(_ store: Store, _ sql: String, _ parameters: SQLiteParameters) throws {
    super.init(shape: Self.valueShape)
    query = try FirstRow(store, sql, parameters) { [weak self, weak store] result in
      guard let self else { return }
      let name = store?.name(ofQuery: sql) ?? "a query"
      BindingTable.of(graph).acting(as: name) { self.take(result) }
    }
  }

  private func take(_ result: Result<[SQLiteValue]?, any Error>) {
    graph.adopt {
      switch result {
      case .success(let values):
        let column = query?.columns.first
        let value = values?.first.flatMap { column?.value($0) } ?? .null
        _ = try? write(0, value, byHost: true)
        _ = try? write(1, .null, byHost: true)
      case .failure(let error):
        let message = TideError(wrapping: error, graph: graph).message
        _ = try? write(1, .string(message), byHost: true)
      }
    }
  }
}
