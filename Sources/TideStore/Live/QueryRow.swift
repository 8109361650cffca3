import TideBindings
import TideGraph
import TideScript

/// An object whose properties follow the columns of a query's first row; all nil where it has none.
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

  /// Neither the query nor the object keeps the other alive for ever.
  private final class Holder {
    weak var object: DataObject?
    weak var query: FirstRow?
    var home: Home?

    func take(_ result: Result<[SQLiteValue]?, any Error>) {
      guard let object, let query else { return }
      switch result {
      case .success(let values):
        object.graph.untracked {
          object.graph.batch {
            for (index, column) in query.columns.enumerated() {
              guard let property = object.shape.index(of: column.name) else { continue }
              let value = values.map { column.value($0[index]) } ?? .null
              _ = try? object.write(property, value, byHost: true)
            }
          }
        }
      case .failure(let error):
        home?.runtime?.bindings.list(TideError(wrapping: error, graph: object.graph))
      }
    }
  }
}
