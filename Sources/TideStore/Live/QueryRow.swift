import TideBindings
import TideGraph
import TideScript

/// An object whose properties follow the columns of a query's first row. All are nil without a row.
final class QueryRow {
  let query: FirstRow
  let object: DataObject

  init(_ store: Store, _ sql: String, _ parameters: SQLiteParameters) throws {
    let runtime = try store.home.requireRuntime()
    let holder = Holder()
    query = try FirstRow(store, sql, parameters) { holder.take($0) }
    object = try runtime.objectFactory(ofColumns: query.columns.map(\.name)).make([:])
    holder.object = object
    holder.query = query
    holder.home = store.home
  }

  /// Avoids a retain cycle between the query and the object.
  private final class Holder {
    weak var object: DataObject?
    weak var query: FirstRow?
    var home: Home?
    /// The current error, which is listed.
    private var failure: TideError?

    func take(_ result: Result<[SQLiteValue]?, any Error>) {
      guard let object, let query else { return }
      switch result {
      case .success(let values):
        object.graph.adopt {
          // A table may have lost columns since.
          for property in object.shape.properties
          where !query.columns.contains(where: { $0.name == property.name }) {
            object.shape.index(of: property.name).map { write($0, .null) }
          }
          for (index, column) in query.columns.enumerated() {
            guard let property = object.shape.index(of: column.name) else { continue }
            write(property, values.map { column.value($0[index]) } ?? .null)
          }
        }
        note(newColumns(of: query, in: object))
      case .failure(let error): note(TideError(wrapping: error, graph: object.graph))
      }
    }

    private func write(_ property: Int, _ value: Value) {
      _ = try? object?.write(property, value, byHost: true)
    }

    /// The error for columns without a property of the object.
    private func newColumns(of query: FirstRow, in object: DataObject) -> TideError? {
      let names = query.columns.map(\.name).filter { object.shape.index(of: $0) == nil }
      if names.isEmpty { return nil }
      let list = names.map { "\"\($0.inMessage)\"" }.joined(separator: ", ")
      return TideError(
        .store,
        "the query of this row has new columns: \(list); call db:row again to have them")
    }

    private func note(_ error: TideError?) {
      if error?.message == failure?.message { return }
      if let failure { home?.runtime?.bindings.withdraw(failure) }
      failure = error.flatMap { home?.runtime?.bindings.list($0) }
    }
  }
}
